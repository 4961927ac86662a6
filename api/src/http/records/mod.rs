//! Records from elsewhere, one in a request or many: validated, imported, drawn, exported. They are judged behind everything else.

pub mod bulk;
pub mod drawn;
pub mod outcomes;
pub mod validate;
