//! Environment variables that replace flags.

use std::env;
use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::builder::BoolishValueParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command, CommandFactory, Error, FromArgMatches};

use crate::process::output::say_failed;

/// Parses the command line, and the environment for missing flags. An empty variable counts as unset.
/// Switches take 1 and 0, true and false, yes and no.
///
/// # Errors
/// The exit status, once the error or the requested help is printed.
pub fn parsed<C: CommandFactory + FromArgMatches>() -> Result<C, ExitCode> {
    let mut command = prepared(C::command());
    let read = command.try_get_matches_from_mut(env::args_os());
    read.and_then(|matches| C::from_arg_matches(&matches)).map_err(|error| shown(&command, error))
}

/// Returns where a value came from: the flag if it was given, else the variable.
pub fn named(flag: &'static str, variable: &'static str) -> &'static str {
    let is_set = env::var_os(variable).is_some_and(|value| !value.is_empty());
    if is_set && !is_typed(flag) { variable } else { flag }
}

fn prepared(command: Command) -> Command {
    let with_rules = |arg: Arg| {
        let Some(variable) = arg.get_env().map(OsStr::to_owned) else { return arg };
        let is_switch = matches!(arg.get_action(), ArgAction::SetTrue);
        let arg = if is_switch { arg.value_parser(BoolishValueParser::new()) } else { arg };
        if env::var_os(&variable).is_some_and(|value| value.is_empty()) { arg.env(None::<&str>) } else { arg }
    };
    command.mut_args(with_rules).mut_subcommands(prepared)
}

/// Shows an error or the requested help, and returns the exit status.
fn shown(command: &Command, mut error: Error) -> ExitCode {
    for kind in [ContextKind::InvalidArg, ContextKind::PriorArg] {
        let Some((flag, arg)) = error.get(kind).and_then(|shown| argument(command, shown)) else { continue };
        let variable = variable_of(&flag, arg);
        if error.kind() == ErrorKind::ValueValidation
            && let Some(value) = example(arg)
        {
            let given = variable.as_ref().map_or(format!("{flag} {value}"), |name| format!("{name}={value}"));
            let tip = format!("such as {given}");
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        }
        if let Some(variable) = variable {
            error.insert(kind, ContextValue::String(variable));
        }
    }
    let status = u8::try_from(error.exit_code()).unwrap_or(2);
    match error.print().and_then(|()| io::stdout().flush()) {
        Ok(()) => ExitCode::from(status),
        // A reader that closes the pipe has seen enough.
        Err(why) if why.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(2),
        Err(why) => {
            say_failed(&format!("standard output: {why}"));
            ExitCode::from(2)
        }
    }
}

/// Returns an argument that a variable can set, and its flag. Errors name arguments as the help does:
/// `--queue <N>`.
fn argument<'a>(command: &'a Command, shown: &ContextValue) -> Option<(String, &'a Arg)> {
    let shown = if let ContextValue::String(shown) = shown {
        shown
    } else if let ContextValue::Strings(shown) = shown {
        shown.first()?
    } else {
        return None;
    };
    let flag = shown.split([' ', '=', '[']).next()?;
    Some((flag.to_owned(), with_flag(command, flag.strip_prefix("--")?)?))
}

/// Returns the variable that set an argument, if its flag was not given.
fn variable_of(flag: &str, arg: &Arg) -> Option<String> {
    let variable = arg.get_env().filter(|variable| env::var_os(variable).is_some())?;
    (!is_typed(flag)).then(|| variable.to_string_lossy().into_owned())
}

/// Returns an example value of an argument.
fn example(arg: &Arg) -> Option<String> {
    let default = || arg.get_default_values().first().map(|value| value.to_string_lossy().into_owned());
    let is_switch = matches!(arg.get_action(), ArgAction::SetTrue);
    if is_switch { Some("1, or 0, true, false, yes or no".to_owned()) } else { default() }
}

fn with_flag<'a>(command: &'a Command, flag: &str) -> Option<&'a Arg> {
    let own = command.get_arguments().find(|arg| arg.get_long() == Some(flag) && arg.get_env().is_some());
    own.or_else(|| command.get_subcommands().find_map(|command| with_flag(command, flag)))
}

fn is_typed(flag: &str) -> bool {
    env::args_os().any(|arg| {
        let rest = arg.as_encoded_bytes().strip_prefix(flag.as_bytes());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"="))
    })
}
