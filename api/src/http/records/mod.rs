//! Records from elsewhere, single or in bulk: validated, imported, drawn, exported. Validation has the lowest
//! priority.

pub mod bulk;
pub mod drawn;
pub mod outcomes;
pub mod validate;
