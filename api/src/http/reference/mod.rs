//! What is the same for every client and part of the program: rule sets, grammar, problem codes, the OpenAPI document and the pages for people.

pub mod grammar;
pub mod openapi;
pub mod pages;
pub mod problems;
pub mod rulesets;
