//! `assam man`: writes manual pages from the definition of the command line.

use std::path::{Path, PathBuf};
use std::{fs, io};

use assam_store::file_access::explained;
use clap::{Args, Command, ValueHint};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::process::input::printable;
use crate::process::output::{Failure, print};
use crate::process::output_file::Output;

#[derive(Args)]
pub struct ManArgs {
    /// The folder for a page of each command (`assam.1`, `assam-validate.1` and so on), created if missing.
    /// Without it, the page of `assam` itself is printed
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
}

/// Writes the pages of a command line.
///
/// # Errors
/// If they cannot be written.
pub fn run(args: &ManArgs, command: Command) -> Result<(), Failure> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let Some(folder) = &args.out else {
        return print(&String::from_utf8_lossy(&page(&command)?.1));
    };
    let written = write_all(&command, folder);
    Ok(written.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", printable(folder))))?)
}

fn write_all(command: &Command, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder).map_err(|error| explained(folder, error))?;
    for command in command.get_subcommands().chain([command]) {
        let (name, text) = page(command)?;
        Output::write_file(&folder.join(name), &text, &[])?;
    }
    Ok(())
}

/// Returns the file name and the text of the page of a command.
fn page(command: &Command) -> io::Result<(String, Vec<u8>)> {
    let examples = command.get_after_help().map(ToString::to_string);
    let source = concat!("assam ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone()).source(source).manual("Assam");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    if command.get_arguments().next().is_some() {
        man.render_options_section(&mut text)?;
    }
    if command.has_subcommands() {
        man.render_subcommands_section(&mut text)?;
    }
    closing(&examples.unwrap_or_default()).to_writer(&mut text)?;
    Ok((man.get_filename(), text))
}

/// Returns the last section. Examples keep their lines, which a page would otherwise fill.
fn closing(text: &str) -> Roff {
    let mut roff = Roff::default();
    let (title, text) = match text.strip_prefix("Examples:\n") {
        Some(examples) => ("EXAMPLES", examples),
        None => ("NOTES", text),
    };
    roff.control("SH", [title]);
    for line in text.lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix("    ") {
            Some(command) => {
                roff.control("RS", ["4"]).control("nf", []).text([roman(command)]);
                roff.control("fi", []).control("RE", []);
            }
            None => {
                roff.control("PP", []).text([roman(line.trim_start())]);
            }
        }
    }
    roff
}
