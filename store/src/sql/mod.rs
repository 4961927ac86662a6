//! The SQL that both databases understand, and the conversion of values and rows.

pub(crate) mod list;
pub(crate) mod list_statement;
pub(crate) mod migration_check;
pub(crate) mod row;
pub(crate) mod statement;
pub(crate) mod tables;
pub(crate) mod value;
