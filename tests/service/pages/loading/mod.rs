//! How pages come from the service to a browser, and what a browser keeps of them.

mod arriving;
mod below;
mod keeping;
mod returning;
mod serving;
mod tabs;
