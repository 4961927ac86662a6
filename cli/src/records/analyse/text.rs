//! An account for people.

use std::fmt::Write as _;

use assam_referee::{MoveAccount, MoveKind, SeatAccount, WinAndPoints};

use super::analysed::Analysed;

/// The number of acts of chance shown for each seat.
const LUCKIEST: usize = 3;
/// The width of graphs in characters.
const WIDTH: usize = 64;
/// Bars from low to high.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Writes the account of a record.
pub(super) fn write(out: &mut String, analysed: &Analysed<'_>, shows_all: bool) {
    // Writing to memory cannot fail.
    let _ = write_all(out, analysed, shows_all);
}

fn write_all(out: &mut String, analysed: &Analysed<'_>, shows_all: bool) -> std::fmt::Result {
    let Analysed { source, record, setup, nodes, players, account } = analysed;
    writeln!(out, "{source} {record}: {setup}, judged with {nodes} positions a decision\n")?;
    let has_hidden = account.moves.iter().any(|judged| judged.hidden);
    write!(out, "{:<20}", "seat")?;
    for (name, _) in account.seats.first().into_iter().flat_map(|seat| columns(seat, has_hidden)) {
        write!(out, "{name:>11}")?;
    }
    writeln!(out, "{:>11}{:>5}{:>4}{:>4}", "decisions", "?!", "?", "??")?;
    for (seat, player) in account.seats.iter().zip(players) {
        let name = match player {
            Some(player) => format!("{} {player}", seat.seat),
            None => seat.seat.to_string(),
        };
        let name: String = name.chars().take(19).collect();
        let (mut wins, mut all_points) = (String::new(), String::new());
        for (name, amount) in columns(seat, has_hidden) {
            let is_whole = matches!(name, "start" | "result");
            let (win, points) = if is_whole {
                (percent(amount), points(amount))
            } else {
                (signed(amount), signed_points(amount))
            };
            write!(wins, "{win:>11}")?;
            write!(all_points, "{points:>11}")?;
        }
        let SeatAccount { decisions, doubtful, mistakes, blunders, .. } = seat;
        writeln!(out, "{name:<20}{wins}{decisions:>11}{doubtful:>5}{mistakes:>4}{blunders:>4}")?;
        writeln!(out, "{:<20}{all_points}", "  points")?;
    }
    out.push('\n');
    for (place, seat) in account.seats.iter().enumerate() {
        let wins = account.moves.iter().map(|judged| judged.after[place].win);
        writeln!(out, "{} win   {}", seat.seat, graph(wins, 0, 10_000))?;
        let mut luck = 0;
        let sums: Vec<i32> = account
            .moves
            .iter()
            .map(|judged| {
                if judged.kind == MoveKind::Chance {
                    luck += judged.after[place].win - judged.before[place].win;
                }
                luck
            })
            .collect();
        let most = sums.iter().map(|sum| sum.abs()).max().unwrap_or(0).max(1);
        writeln!(out, "  luck  {}", graph(sums.into_iter(), -most, most))?;
    }
    out.push('\n');
    for (place, seat) in account.seats.iter().enumerate() {
        writeln!(out, "{}", summary(place, seat.seat, &account.moves))?;
    }
    out.push('\n');
    for judged in account.moves.iter().filter(|judged| shows_all || judged.mark.is_some()) {
        writeln!(out, "{}", line(judged))?;
    }
    out.push('\n');
    Ok(())
}

/// Names the parts of a seat's result, which is the last one. No part is hidden in games without hidden cards.
fn columns(seat: &SeatAccount, has_hidden: bool) -> impl Iterator<Item = (&'static str, WinAndPoints)> {
    let hidden = has_hidden.then_some(("hidden", seat.hidden));
    [("start", seat.start), ("luck", seat.luck), ("errors", seat.errors), ("gifts", seat.gifts)]
        .into_iter()
        .chain(hidden)
        .chain([("correction", seat.corrections), ("result", seat.result)])
}

/// Sums up a seat's game: its luckiest and unluckiest chance, and its largest error.
fn summary(place: usize, seat: u8, moves: &[MoveAccount]) -> String {
    let change = |judged: &MoveAccount| judged.after[place].win - judged.before[place].win;
    let mut chance: Vec<&MoveAccount> =
        moves.iter().filter(|judged| judged.kind == MoveKind::Chance).collect();
    chance.sort_by_key(|judged| -change(judged).abs());
    let luck: i32 = chance.iter().map(|judged| change(judged)).sum();
    let most: Vec<String> = chance
        .iter()
        .take(LUCKIEST)
        .map(|judged| format!("{} on ply {} {}", judged.text, judged.ply, signed_win(change(judged))))
        .collect();
    let own = || moves.iter().filter(|judged| judged.seat == Some(seat));
    let errors: i32 = own().map(change).sum();
    let mut told = format!("Seat {seat}: luck {}", signed_win(luck));
    if !most.is_empty() {
        let _ = write!(told, ", most by {}", most.join(", "));
    }
    let _ = write!(told, "; errors {}", signed_win(errors));
    if let Some(worst) = own().min_by_key(|judged| change(judged)).filter(|judged| change(judged) < 0) {
        let _ = write!(told, ", the largest on ply {}: {}", worst.ply, worst.text);
        if let Some(best) = worst.lines.first() {
            let _ = write!(told, ", where {} was better by {}", best.decision, win(-change(worst)));
        }
    }
    told.push('.');
    told
}

/// Describes a move: the win of every seat before and after it.
fn line(judged: &MoveAccount) -> String {
    let who = judged.seat.map_or_else(|| "chance".to_owned(), |seat| format!("seat {seat}"));
    let mark = judged.mark.map_or("", assam_players::Mark::sign);
    let wins = |changes: &[WinAndPoints]| {
        changes.iter().map(|change| format!("{:>7}", percent(*change))).collect::<String>()
    };
    let mut told = format!(
        "{:>4} {who:<7} {:<10}{}  ->{}",
        judged.ply,
        format!("{}{mark}", judged.text),
        wins(&judged.before),
        wins(&judged.after)
    );
    let better = judged.lines.first().filter(|best| best.decision != judged.text);
    if let Some(best) = better {
        let _ = write!(told, "   {} was better", best.decision);
    }
    told
}

/// Draws values over time, each as wide as the others.
fn graph(values: impl Iterator<Item = i32>, low: i32, high: i32) -> String {
    let values: Vec<i32> = values.collect();
    let width = WIDTH.min(values.len());
    (0..width)
        .map(|column| {
            let value = values[(column + 1) * values.len() / width - 1];
            let step = i64::from(value - low) * 8 / i64::from(high - low + 1);
            BARS[step.clamp(0, 7) as usize]
        })
        .collect()
}

fn win(hundredths: i32) -> String {
    format!("{:.1}%", f64::from(hundredths) / 100.0)
}

fn signed_win(hundredths: i32) -> String {
    format!("{:+.1}%", f64::from(hundredths) / 100.0)
}

fn percent(change: WinAndPoints) -> String {
    win(change.win)
}

fn signed(change: WinAndPoints) -> String {
    signed_win(change.win)
}

fn points(change: WinAndPoints) -> String {
    format!("{:.1}", f64::from(change.points) / 1000.0)
}

fn signed_points(change: WinAndPoints) -> String {
    format!("{:+.1}", f64::from(change.points) / 1000.0)
}
