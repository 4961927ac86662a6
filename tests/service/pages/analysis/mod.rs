//! Pages about luck and errors.

mod analysed;
mod dice;
