//! Records from elsewhere, one in a request or many: validated, imported, drawn, exported. Judging them has the lowest priority.

pub mod bulk;
pub mod drawn;
pub mod outcomes;
pub mod validate;
