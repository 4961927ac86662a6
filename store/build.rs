//! The migrations are compiled in, so a new migration file must trigger a rebuild.

fn main() {
    println!("cargo::rerun-if-changed=../migrations");
}
