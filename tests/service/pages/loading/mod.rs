//! How pages reach a browser, and what it keeps of them.

mod arriving;
mod below;
mod keeping;
mod returning;
mod serving;
mod tabs;
