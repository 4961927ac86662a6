//! The lines of the engine protocol, as both sides write and read them. `docs/reference/engine-protocol.md`
//! documents them.

use std::fmt;

use crate::process::input::escaped;

/// The first line of a controller, which names the protocol.
pub const HELLO: &str = "assam";
/// The end of an engine's answer to [`HELLO`].
pub const HELLO_OK: &str = "assamok";
pub const IS_READY: &str = "isready";
pub const READY_OK: &str = "readyok";
pub const BEST_MOVE: &str = "bestmove";
/// The option with the seed of an engine's random decisions.
pub const SEED: &str = "Seed";
/// The option with the built-in player that decides.
pub const LEVEL: &str = "Level";
/// The word between a setup line and the words of a game.
pub const WORDS: &str = "words";
/// The parameter of `go` that lists every legal decision.
pub const LEGAL: &str = "legal";

/// The longest line, in bytes: a long game with its setup line.
pub const LONGEST: usize = 256 * 1024;
/// The most positions that one `go` may search.
pub const MOST_NODES: u64 = 10_000_000;

/// The longest part of a line that an error repeats, in characters.
const LONGEST_QUOTE: usize = 64;

/// A line that a controller sends.
#[derive(PartialEq, Eq, Debug)]
pub enum ControllerLine<'a> {
    Hello,
    IsReady,
    NewGame(&'a str),
    Position(&'a str),
    SetOption { name: &'a str, value: &'a str },
    Go(Go<'a>),
    Stop,
    Quit,
}

/// A request for a decision.
#[derive(PartialEq, Eq, Debug, Default)]
pub struct Go<'a> {
    /// The number of positions to search, or `None` to decide as the engine likes.
    pub nodes: Option<u64>,
    /// Every legal decision, if the controller lists them.
    pub legal: Option<Vec<&'a str>>,
}

/// The kind of an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorCode {
    UnknownCommand,
    BadArgument,
    BadPosition,
    /// There is no position yet.
    MissingContext,
    /// No decision is due in the position, or not one that the engine can make.
    NoDecision,
}

/// Why a line is refused. A refused line changes nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    pub code: ErrorCode,
    pub text: String,
}

impl ErrorCode {
    const fn as_str(self) -> &'static str {
        match self {
            Self::UnknownCommand => "unknown_command",
            Self::BadArgument => "bad_argument",
            Self::BadPosition => "bad_position",
            Self::MissingContext => "missing_context",
            Self::NoDecision => "no_decision",
        }
    }
}

impl Refused {
    pub fn new(code: ErrorCode, text: impl Into<String>) -> Self {
        Self { code, text: text.into() }
    }
}

impl fmt::Display for Refused {
    /// Writes the line that an engine sends.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error {} {}", self.code.as_str(), escaped(&self.text))
    }
}

/// Quotes a part of a line for an error, shortened.
pub fn quoted(text: &str) -> String {
    match text.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{:?}..", &text[..end]),
        None => format!("{text:?}"),
    }
}

impl<'a> ControllerLine<'a> {
    /// Reads a line. Returns `None` for a blank one.
    ///
    /// # Errors
    /// The command is unknown, or its arguments are malformed.
    pub fn read(line: &'a str) -> Result<Option<Self>, Refused> {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim_start();
        let bare = |line: Self| match rest {
            "" => Ok(line),
            _ => Err(bad_argument(format!("{command} takes no argument, found {}", quoted(rest)))),
        };
        let read = match command {
            "" => return Ok(None),
            HELLO => bare(Self::Hello)?,
            IS_READY => bare(Self::IsReady)?,
            "newgame" => Self::NewGame(rest),
            "position" => Self::Position(rest),
            "setoption" => read_option(rest)?,
            "go" => Self::Go(Go::read(rest)?),
            "stop" => bare(Self::Stop)?,
            "quit" => bare(Self::Quit)?,
            _ => {
                let known = "assam, isready, setoption, newgame, position, go, stop, quit";
                let text = format!("{} is not one of {known}", quoted(command));
                return Err(Refused::new(ErrorCode::UnknownCommand, text));
            }
        };
        Ok(Some(read))
    }
}

fn bad_argument(text: String) -> Refused {
    Refused::new(ErrorCode::BadArgument, text)
}

fn read_option(rest: &str) -> Result<ControllerLine<'_>, Refused> {
    let named = rest.strip_prefix("name ").and_then(|rest| rest.split_once(" value "));
    let (name, value) =
        named.ok_or_else(|| bad_argument("write setoption name NAME value VALUE".to_owned()))?;
    Ok(ControllerLine::SetOption { name: name.trim(), value: value.trim() })
}

impl<'a> Go<'a> {
    fn read(rest: &'a str) -> Result<Self, Refused> {
        let mut go = Self::default();
        let mut words = rest.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "nodes" => {
                    let number = words.next().and_then(|number| number.parse().ok());
                    let number = number.filter(|number| (1..=MOST_NODES).contains(number));
                    let wrong = || bad_argument(format!("nodes takes a number from 1 to {MOST_NODES}"));
                    go.nodes = Some(number.ok_or_else(wrong)?);
                }
                // Decisions could be named like parameters, so the list comes last.
                LEGAL => go.legal = Some(words.by_ref().collect()),
                _ => {
                    let text = format!("go takes nodes and {LEGAL}, found {}", quoted(word));
                    return Err(bad_argument(text));
                }
            }
        }
        Ok(go)
    }
}

impl fmt::Display for Go<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if let Some(legal) = &self.legal {
            write!(f, " {LEGAL} {}", legal.join(" "))?;
        }
        Ok(())
    }
}
