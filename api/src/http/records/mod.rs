//! Records from elsewhere, single or in bulk: validated, analysed, imported, drawn, exported. Validation has the lowest
//! priority.

pub mod analysis;
pub mod bulk;
pub mod drawn;
pub mod outcomes;
pub mod validate;
