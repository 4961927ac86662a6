//! What is the same for everyone and in the program itself: rule sets, grammar, problem codes, the OpenAPI document and the pages for people.
//! Nothing here reads a game from the application, other than to check that it can be shown.

pub mod grammar;
pub mod openapi;
pub mod pages;
pub mod problems;
pub mod rulesets;
