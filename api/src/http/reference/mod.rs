//! Parts of the program that are the same for every client: rule sets, grammar, problem codes, the OpenAPI
//! document and the pages for people.

pub mod grammar;
pub mod openapi;
pub mod pages;
pub mod problems;
pub mod rulesets;
