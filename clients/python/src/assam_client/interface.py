"""What the service answers and takes, as types. Written by scripts/types_from_document.py: do not edit."""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict


class Amount(TypedDict):
    """A part of the win and of the points."""

    points: int
    """Points in 1,000ths: dirhams in Marrakech, and the lead of the match in Marrakesh."""

    win: int
    """The share of the win in 10,000ths."""


# A line of the response: an analysis, or the last line.
AnalysedLine: TypeAlias = "AnalysedRecord | Stopped | AnalysisSummary"


class AnalysedRecord(TypedDict):
    """The analysis of a record."""

    analysis: Analysis | None
    """The analysis. Null if the record was not analysed."""

    error: RowError | None
    """Why the record was not analysed. Null if it was."""

    kind: Literal["record"]
    """Always `record`."""

    line: int
    """The line on which it begins, from 1."""

    number: int
    """The number of the record, from 1."""


class AnalysisPending(TypedDict):
    """An analysis that is still being made."""

    retry_after: int
    """How many seconds to wait before you ask again, as in `Retry-After`."""


class AnalysisSummary(TypedDict):
    """Counts of records."""

    analysed: int
    """Analysed records."""

    kind: Literal["summary"]
    """Always `summary`."""

    records: int
    """All records."""

    refused: int
    """Other records."""


class Assam(TypedDict):
    """Assam, the figure on the market."""

    facing: Facing
    """The direction Assam faces: `N`, `E`, `S` or `W`."""

    square: str
    """Assam's square."""


class BeaconRound(TypedDict):
    """A published round of a beacon."""

    chain: str
    """The beacon: `drand:` and the hash of its chain."""

    round: int
    """The number of the round."""

    signature: str
    """The signature of the round: 96 hex digits. Its SHA-256 is the randomness."""


class BeaconView(TypedDict):
    """The outside beacon whose randomness adds to the game's chance."""

    chain: str
    """The beacon: `drand:` and the hash of its chain."""

    round: int | None
    """The round that adds to the chance, which is still in the future when the last seat is taken. Null
    before that."""

    round_at: str | None
    """When the round is published. Null before it is fixed."""

    signature: str | None
    """The signature of the round, whose SHA-256 is the randomness. Null until delivered."""


class BonusDrawn(TypedDict):
    """A bonus card was drawn."""

    card: str
    """The card."""

    event: Literal["bonus_drawn"]
    """Always `bonus_drawn`."""

    matching: Matching
    """The property that it shares with the winner's card."""

    times: int
    """The number of uses of its number: 1, 4 or 6."""


# A kind of request that is counted separately. Spending one bucket leaves the others full.
Bucket: TypeAlias = Literal[
    "moves",
    "reads",
    "creation",
    "joining",
    "join_codes",
    "validation",
    "outcomes",
    "analysis",
    "imports",
]


class CaughtUpMessage(TypedDict):
    """You have received every ply so far."""

    head: HeadView | None
    """The head. Null before the start."""

    type: Literal["caught-up"]
    """Always `caught-up`."""


class ChiSquareTest(TypedDict):
    """A chi-square test."""

    chi_square: float
    """The sum of the squared differences from the expected numbers, each divided by the expected number, rounded
    to thousandths."""

    degrees_of_freedom: int
    """The number of faces of the die, less 1."""

    p_value: float
    """The probability that fair dice are at least this far from the expected numbers, rounded to 6 digits."""


class ClockMessage(TypedDict):
    """The clock as of the last word, if the game has one. Sent at every connection and every change."""

    clock: ClockView
    """The clock."""

    type: Literal["clock"]
    """Always `clock`."""


class ClockView(TypedDict):
    """The clock as of the last word. The seat whose turn it is has its `remaining` time minus the time since
    `since`."""

    increment: int
    """The seconds that a seat gains with each ply it decides."""

    initial: int
    """The seconds of each seat at the start."""

    remaining: list[int]
    """The remaining milliseconds of each seat."""

    since: str | None
    """When the clock of the seat whose turn it is started. Null if no clock is running."""


class _ClockWanted(TypedDict):
    """What is always there."""

    initial: int
    """The seconds of each seat at the start, at most a week."""


class ClockWanted(_ClockWanted, total=False):
    """How much time each seat has for its decisions."""

    increment: int
    """The seconds that a seat gains with each ply it decides, at most a day."""


class ClosingMessage(TypedDict):
    """The service is closing the stream. Reconnect and resume."""

    retry: int
    """How many milliseconds to wait before you reconnect."""

    type: Literal["closing"]
    """Always `closing`."""


# The kind of a problem, from a closed list.
Code: TypeAlias = Literal[
    "bad_json",
    "bad_request",
    "unknown_field",
    "notation_syntax",
    "unauthenticated",
    "not_your_seat",
    "game_not_found",
    "game_removed",
    "key_missing",
    "ply_not_found",
    "seat_not_found",
    "receipt_not_found",
    "tile_not_found",
    "beacon_not_found",
    "route_not_found",
    "method_not_allowed",
    "not_acceptable",
    "request_timeout",
    "too_many_requests",
    "seat_taken",
    "commitment_mismatch",
    "seats_changed",
    "not_started",
    "already_started",
    "waiting_for_beacon",
    "not_your_turn",
    "ply_taken",
    "ply_gap",
    "game_over",
    "stale_head",
    "too_large",
    "unsupported_media_type",
    "unsupported_notation",
    "illegal_move",
    "score_mismatch",
    "wrong_marker",
    "missing_marker",
    "chance_not_yours",
    "chance_pending",
    "unknown_ruleset",
    "unknown_option",
    "impossible_position",
    "not_finished",
    "analysis_while_running",
    "masked_record",
    "cosignature_refused",
    "beacon_refused",
    "idempotency_mismatch",
    "busy",
    "cannot_write",
    "unavailable",
    "internal",
]


class CosignatureList(TypedDict):
    """The newest cosigned checkpoints."""

    cosignatures: list[CosignatureView]
    """One for each witness that has cosigned."""


class CosignatureView(TypedDict):
    """A checkpoint that a witness cosigned."""

    checkpoint: str
    """The newest checkpoint that it cosigned, with signatures."""

    witness: str
    """The key of the witness."""


class DeliverBeacon(TypedDict):
    """A published round of a beacon."""

    round: int
    """The number of the round."""

    signature: str
    """Its signature: 96 lower-case hex digits."""


class DiceLuck(TypedDict):
    """The luck of many rolls: for each, what those who threw could expect after it, less what they could expect before."""

    deviation: int
    """The standard deviation of `win`. Fair dice stay within twice as much in 19 of 20 samples."""

    points: int
    """Points in 1,000ths, added up."""

    win: int
    """The share of the win in 10,000ths, added up. 10,000 is a whole win."""


class DicePage(TypedDict):
    """The dice of a player, or of all players, and some of the rolls."""

    next: str | None
    """The `cursor` of earlier games. Null on the last page."""

    player: str | None
    """The player: a public id, or a built-in player's name. Null for all players."""

    rolls: list[RollView]
    """The rolls of some games, the game that ended last first, each game's in order."""

    rulesets: list[RulesetDice]
    """All dice of each rule set."""


# A consequence of a move. `event` names its kind.
Event: TypeAlias = "Payment | TrickWon | BonusDrawn | OvalMarked | RoundScored"


class ExportCount(TypedDict):
    """The number of games in an export."""

    games: int
    """The number of games."""


# A line of an export as JSON: a proof with `proofs`, or else a game.
ExportedLine: TypeAlias = "ExportedGame | ExportedProof"


class ExportedProof(TypedDict):
    """An exported proof, as a spectator may see it."""

    log: list[LoggedEntry]
    """The game's places in the public log, with openings but without proofs (`proof` is null). Empty for
    imported games."""

    proof: Proof
    """The game's proof."""


# A face of a die.
Face: TypeAlias = int


class FaceCount(TypedDict):
    """How often a face came."""

    expected: float
    """The number that fair dice show on average, rounded to thousandths."""

    face: Face
    """The face."""

    rolled: int
    """The number of dice that showed it."""


# A direction on the market.
Facing: TypeAlias = Literal["N", "E", "S", "W"]


# The outcome of a chi-square test.
Fairness: TypeAlias = Literal["too_few", "usual", "unusual", "very_unusual"]


class FeedCaughtUpMessage(TypedDict):
    """You have received every entry so far."""

    cursor: str
    """The id of the message, to resume from."""

    position: int
    """The position, from 1. It is 0 before the first entry."""

    type: Literal["caught-up"]
    """Always `caught-up`."""


class FeedGameMessage(TypedDict):
    """An event in a public game, with the current game, which may already reflect later events."""

    at: str
    """When the event happened."""

    cursor: str
    """The id of the message, to resume from."""

    game: GameSummary
    """The game as in lists."""

    happened: FeedKindView
    """The event."""

    position: int
    """The position, from 1. It is 0 before the first entry."""

    type: Literal["game"]
    """Always `game`."""


class FeedHeartbeatMessage(TypedDict):
    """The connection is alive, but nothing has happened for a while."""

    cursor: str
    """The id of the message, to resume from."""

    position: int
    """The position, from 1. It is 0 before the first entry."""

    type: Literal["heartbeat"]
    """Always `heartbeat`."""


# An event of a game.
FeedKindView: TypeAlias = Literal["created", "seats", "started", "finished", "aborted"]


# A message about public games.
FeedMessage: TypeAlias = "FeedGameMessage | FeedRemovedMessage | FeedCaughtUpMessage | FeedHeartbeatMessage | FeedResetMessage | ClosingMessage"


class FeedRemovedMessage(TypedDict):
    """A public game was removed by its owner or the operator."""

    at: str
    """When it was removed."""

    cursor: str
    """The id of the message, to resume from."""

    game_id: str
    """The id of the game: 32 hex digits."""

    position: int
    """The position, from 1. It is 0 before the first entry."""

    type: Literal["removed"]
    """Always `removed`."""


class FeedResetMessage(TypedDict):
    """The feed does not have the place that you named, or no longer has it. List the games again. The feed
    continues from here."""

    cursor: str
    """The id of the message, to resume from."""

    position: int
    """The position, from 1. It is 0 before the first entry."""

    type: Literal["reset"]
    """Always `reset`."""


class _FlawView(TypedDict):
    """What is always there."""

    detail: str
    """The flaw, as a sentence or as the rest of one."""


class FlawView(_FlawView, total=False):
    """One flaw in a request."""

    parameter: str
    """The query parameter, path parameter or header that has the flaw."""

    pointer: str
    """The place of the flaw in the body, as a JSON pointer (RFC 6901)."""


# How to handle decisions without a choice, if everyone can see that there is none. With `ask`, the seat
# makes them as usual. With `play`, the service makes them together with the words before them.
Forced: TypeAlias = Literal["ask", "play"]


class GameAccount(TypedDict):
    """The account of a game."""

    close: list[Amount]
    """For each seat, the correction to the result after the last move."""

    moves: list[MoveAccount]
    """Every decision, act of chance and departure, in order."""

    next: list[MoveEquity]
    """The best decisions of the seat on turn after the last move, best first."""

    over: bool
    """Whether the game is over, so that the columns lead to its result. In other games they lead to what the seats
    can expect."""

    seats: list[SeatAccount]
    """The columns of each seat, in order."""


# A message about a game.
GameMessage: TypeAlias = "SnapshotMessage | WordMessage | SeatsMessage | PresenceMessage | ClockMessage | CaughtUpMessage | HeartbeatMessage | ResetMessage | OverMessage | GoneMessage | ClosingMessage"


class GamePage(TypedDict):
    """A page of games."""

    games: list[GameSummary]
    """The games, newest first."""

    next: str | None
    """The `cursor` of the next page. Null on the last page."""


class GameStates(TypedDict):
    """The states of a game."""

    states: list[StateAtPly]
    """The state after every ply, from ply 0."""


class GameSummary(TypedDict):
    """A game, without its position."""

    clock: ClockView | None
    """The clock as of the last word. Null if the game has none."""

    created_at: str
    """When the game was created or imported."""

    finished_at: str | None
    """When the game ended or was imported. Null before that."""

    head: HeadView | None
    """The last ply and its hash. Null before the start."""

    id: str
    """32 hex digits."""

    imported: bool
    """Whether the game was imported. The chance of an imported game has no commitment, and its words have no
    times."""

    last_ply_at: str | None
    """When the last ply was written. Null before the first and in imported games."""

    patience_hours: int | None
    """How many hours a seat may take to move before it can be claimed out. Null without a limit."""

    rated: bool
    """Whether the creator wants the game to be rated. See `rated` in a new game."""

    rematch: str | None
    """The rematch of this game. Null if there is none. The rematch may have been removed if it never
    started."""

    rematch_of: str | None
    """The previous game, if this one is a rematch. Null otherwise."""

    ruleset: str
    """Rule set and version."""

    seat_on_turn: int | None
    """The seat that must decide. Null unless the game is running."""

    seats: list[SeatView]
    """The seats in order."""

    setup: str
    """The setup line of its record."""

    started_at: str | None
    """When the game started. Null before that and in imported games."""

    status: Status
    """`open`, `running`, `finished` or `aborted`."""

    visibility: Visibility
    """Controls who may see the game."""


class GamesMessage(TypedDict):
    """A message about one of several games, or about the stream."""

    game_id: str | None
    """The id of the game. Null in `heartbeat` and `closing`."""

    message: GameMessage
    """The message, as in the game's stream."""


class GoneMessage(TypedDict):
    """The game was removed, or your secret no longer holds the seat. The stream ends."""

    code: Code
    """The code of the problem."""

    detail: str
    """An explanation for people."""

    type: Literal["gone"]
    """Always `gone`."""


class HeadView(TypedDict):
    """The head of a game: the number of its last ply, and a hash chained over all words so far."""

    hash: str
    """The hash: 64 hex digits."""

    ply: int
    """The number of the last ply, 0 at the start."""


class _Health(TypedDict):
    """What is always there."""

    status: Literal["ok"]
    """Always `ok`."""


class Health(_Health, total=False):
    """The response to a successful health check."""

    quorum_behind: int
    """How many log entries lack the quorum of cosignatures. Absent without a quorum."""

    witnesses: list[WitnessView]
    """How far each witness lags behind the public log, in `/readyz`."""


class HeartbeatMessage(TypedDict):
    """The connection is alive, but nothing has happened for a while."""

    head: HeadView | None
    """The last head sent to you. Null before the start."""

    type: Literal["heartbeat"]
    """Always `heartbeat`."""


# A line of the response: the outcome for a record, or the last line.
ImportLine: TypeAlias = "ImportRow | Stopped | ImportSummary"


# The outcome for a record.
ImportOutcome: TypeAlias = Literal["new", "known", "refused"]


class ImportRow(TypedDict):
    """The outcome for a record."""

    error: RowError | None
    """Why the record was refused, or null."""

    game: str | None
    """The id of the game. Null if refused."""

    ignored_tags: list[str]
    """The names of tags not kept, because the existing game lacks them or has different values."""

    kind: Literal["record"]
    """Always `record`."""

    line: int
    """The line on which it begins, from 1."""

    number: int
    """The number of the record, from 1."""

    outcome: ImportOutcome
    """The outcome."""


class ImportSummary(TypedDict):
    """Counts of records."""

    kind: Literal["summary"]
    """Always `summary`."""

    known: int
    """Records whose games already existed."""

    new: int
    """Records that became new games."""

    records: int
    """All records."""

    refused: int
    """Refused records."""


class Inclusion(TypedDict):
    """The place of a game in the public log."""

    checkpoint: str
    """The signed checkpoint of the log that the proofs lead to."""

    entries: list[LoggedEntry]
    """The game's start and, once it is over, its end."""


class KeyList(TypedDict):
    """The keys that the service signs with."""

    keys: list[KeyView]
    """Every key, oldest first. Each key is used until the next one takes over."""


class KeyView(TypedDict):
    """A key that the service signs with."""

    key: str
    """The key in the form of signed notes: name, id and base64, joined by `+`."""

    since: str
    """When the service starts to sign with it."""


class LeaderPage(TypedDict):
    """A page of leaders."""

    leaders: list[LeaderView]
    """The leaders, best first. If two are equal, the greater id comes first."""

    next: str | None
    """The `cursor` of the next page. Null on the last page."""


class LeaderView(TypedDict):
    """A leader."""

    player: str
    """The player: a public id, or a built-in player's name."""

    rating: RatingView | None
    """The rating, if leaders are ordered by it."""

    results: TallyView | None
    """The results, if leaders are ordered by them."""


class _LegalMoves(TypedDict):
    """What is always there."""

    head: HeadView
    """The current head of the game."""

    moves: list[str] | None
    """The legal decisions in notation. Null if they depend on a hand hidden from you. Empty when the game is
    over."""

    ply: int
    """The next ply to write, if the game is not over."""

    seat: int | None
    """The seat whose turn it is. Null when the game is over."""


class LegalMoves(_LegalMoves, total=False):
    """The legal moves of the seat whose turn it is."""

    hints: list[MoveEquity]
    """The best decisions for you, best first, with `include=hints`. Empty if it is not your turn."""


class LimitsView(TypedDict):
    """The limits of this service."""

    body_bytes: int
    """The longest body with a few fields, in bytes."""

    bulk_at_once: int | None
    """How many bulk requests one address may run at the same time. Null without a limit."""

    bulk_bytes: int
    """The longest bulk body, in bytes, uncompressed."""

    connections: int | None
    """How many connections one address may have open, and also how many streams and waiting requests. Null
    without a limit."""

    rates: list[RateLimit]
    """The rates."""

    record_bytes: int
    """The longest record, in bytes."""


class LogView(TypedDict):
    """The log of a game."""

    head: HeadView
    """The head after the last word."""

    marker: str
    """The end marker: `*` while running, final scores as in `= 36 43 41`, or `= -` if aborted."""

    setup: str
    """The setup line."""

    words: list[LogWord]
    """The words, oldest first. A card hidden from you is `??`."""


class LogWord(TypedDict):
    """A word of a log."""

    at: str | None
    """When it was written. Null in imported games."""

    ply: int
    """The ply of the word."""

    word: str
    """The word in canonical form."""


class LoggedEntry(TypedDict):
    """An entry of the public log with its opening."""

    entry: str
    """The entry: `SHA-256(0x05 | salt | receipt)`."""

    moment: Milestone
    """The milestone of the game."""

    position: int | None
    """The position in the log, from 0. Null while the entry is waiting to be added, for about a second."""

    proof: list[str] | None
    """The hashes that lead from the entry to the root of the checkpoint (RFC 6962, section 2.1.1). Null
    while the entry is waiting."""

    receipt: str
    """The service's statement about the game: the text of the receipt of ply 0, or of the last ply."""

    salt: str
    """The salt: 64 hex digits."""


# How bad a decision was.
MarkSign: TypeAlias = Literal["?!", "?", "??"]


# The phase of a game of Marrakech. The game waits for the seat to turn Assam (`orient`) or lay its rug
# (`lay`), or for chance to turn up a rug (`turn_up`) or roll the die (`roll`). Or it is `over` or
# `aborted`.
MarrakechPhase: TypeAlias = Literal["turn_up", "orient", "roll", "lay", "over", "aborted"]


class MarrakechSeatState(TypedDict):
    """A seat of Marrakech."""

    colours: list[str]
    """Its colours."""

    dirhams: int
    """Its dirhams."""

    out: int | None
    """1 for the first seat that went out, 2 for the second, and so on. Null while the seat is in."""

    rugs_left: dict[str, int]
    """Its rugs still to lay by colour, including the one in hand."""

    score: int
    """Its current score: dirhams plus visible halves, or 0 when it is out."""

    seat: int
    """The number of the seat."""

    visible: int
    """The visible rug halves of its colours."""


class MarrakechState(TypedDict):
    """A position of Marrakech."""

    assam: Assam
    """Assam's place and direction."""

    board: list[str]
    """Seven rows, rank 7 first, each from file a to g: the colour of the rug on top of each square, or `.`
    on a bare one."""

    game: Literal["marrakech"]
    """Always `marrakech`."""

    hand: str | None
    """The colour of the rug to lay in this turn. Null at the end of a turn and when the game is over."""

    phase: MarrakechPhase
    """The phase: the move that the game waits for."""

    position: str
    """The position line: the whole position in one line. Send it back to validate it, request outcomes or
    begin a game."""

    seat: int | None
    """The seat that must decide. Null when the game is over."""

    seats: list[MarrakechSeatState]
    """The seats in order."""

    whole_rugs: list[str]
    """The rugs with both halves visible. Some of them may be protected from being covered whole."""


# The phase of a match of Marrakesh. The match waits for the leader to play a card (`lead`), for the other
# seat to reply (`reply`), or for the winner of the trick to use a number (`use`). Or it waits for chance
# (`dice`, `deal` or `bonus`), or is `over` or `aborted`.
MarrakeshPhase: TypeAlias = Literal["dice", "deal", "lead", "reply", "use", "bonus", "over", "aborted"]


class MarrakeshSeatState(TypedDict):
    """A seat of Marrakesh."""

    cards: int
    """The number of cards in its hand."""

    hand: list[str] | None
    """The cards in its hand. Null if they are hidden from you."""

    ovals: list[str]
    """The three ovals of the seat: the number of pieces in each, `0` for a null chip, `-` for nothing yet,
    or `X` for closed."""

    points: list[int]
    """The number of pieces on each of the points 1 to 6."""

    score: int
    """Its total score in the finished rounds."""

    seat: int
    """The number of the seat: 1 for Blue, 2 for Red."""


class MarrakeshState(TypedDict):
    """A position of Marrakesh, as you may see it."""

    deck: int
    """The number of cards in the deck."""

    discards: int
    """The number of cards on the discard pile."""

    game: Literal["marrakesh"]
    """Always `marrakesh`."""

    phase: MarrakeshPhase
    """The phase: the move that the match waits for."""

    position: str
    """The position line: the whole position in one line, with `??` for each card that is hidden from you.
    Send it back to validate it, request outcomes or begin a game."""

    round: int
    """The current round, from 1. The last round when the match is over."""

    seat: int | None
    """The seat that must decide, 1 for Blue or 2 for Red. Null when chance is due and when the match is
    over."""

    seats: list[MarrakeshSeatState]
    """The two seats: Blue, then Red."""

    top_discard: str | None
    """The card on top of the discard pile. Null if the pile is empty."""

    trick: OpenTrick | None
    """The trick on the table. Null if there is none."""

    tricks: list[Trick]
    """The finished tricks of this round, in order."""


# The property that two cards share.
Matching: TypeAlias = Literal["none", "suit", "number", "both"]


class Me(TypedDict):
    """Your public identity."""

    player: str
    """Your public id: the first 20 hex digits of SHA-256 of the 77 bytes `assam/player`, line feed, your
    secret."""


# The milestone of a game that an entry records.
Milestone: TypeAlias = Literal["start", "end"]


class MoveAccount(TypedDict):
    """A move and what it changed."""

    after: list[Amount]
    """Each seat's expectation after it."""

    before: list[Amount]
    """Each seat's expectation before it: the mean over the outcomes of chance, or the best decision."""

    correction: list[Amount]
    """The difference between the judge's value of the position now and after the move before."""

    hidden: bool
    """Whether cards were hidden when it was made. Then the correction after it is part of the seats' `hidden`."""

    kind: MoveKind
    """The kind of its maker."""

    lines: list[MoveEquity]
    """The best decisions that the seat had, best first, and the one that it made. Empty if it had no choice."""

    mark: MarkSign | None
    """`?!`, `?` or `??` for a decision that cost at least 2, 5 or 10 % of the win."""

    move: str
    """The move in notation."""

    ply: int
    """The ply of the word that the move is a part of."""

    seat: int | None
    """The seat that decided, resigned or ran out of time."""


class MoveEquity(TypedDict):
    """A decision and what follows from it."""

    equity: list[Amount]
    """The expectation of each seat."""

    move: str
    """The decision in notation."""


# The kind of a move's maker.
MoveKind: TypeAlias = Literal["chance", "decision", "departure", "abort"]


class MoveView(TypedDict):
    """A move of a game."""

    at: str | None
    """When it was written. Null in imported games."""

    events: list[Event]
    """The consequences of the word, in order."""

    head: HeadView
    """The head after this ply."""

    key: str | None
    """The key of the ply, which with public data determines the draw. Null in imported games."""

    ply: int
    """The ply. Ply 0 is what was drawn before the first decision."""

    seat: int | None
    """The seat that decided or left. Null for ply 0 and an abort."""

    word: str
    """The word: a decision with its chance."""


class _MovesAnswer(TypedDict):
    """What is always there."""

    head: HeadView
    """The head after the last word."""

    ply: int
    """The ply of the first word."""

    seat: int | None
    """The seat whose turn it is after them. Null when the game is over."""

    words: list[str]
    """Your words, each a decision with its chance, then the words of built-in players that moved in
    response. A card hidden from you is `??`."""


class MovesAnswer(_MovesAnswer, total=False):
    """The written words."""

    clock: ClockView
    """The clock as of the last word, if the game has one."""

    legal_moves: LegalMoves
    """The current legal moves, with `include=legal-moves`."""

    receipt: str
    """The receipt of the ply of `head`, with `include=receipt`, if the signing key is available."""

    state: State
    """The current position, as you may see it, with `include=state`."""


class _NewGame(TypedDict):
    """What is always there."""

    ruleset: str
    """Rule set and version."""

    seats: list[SeatChoice]
    """The kind of each seat, in order of play."""


class NewGame(_NewGame, total=False):
    """A game to create."""

    beacon: str | None
    """An outside beacon that adds to the game's chance: `drand:` and the hash of a known chain. Once all
    seats are taken, the game waits for one of its rounds. At least one seat must be open."""

    clock: ClockWanted | None
    """How much time each seat has. When the time of seat N runs out, another seat may claim it out with
    `!timeoutN`, and the service does so a second later."""

    join_code: str | None
    """The code that admits players to a private game, 1 to 64 characters. Required for private games, and
    not allowed for others."""

    options: dict[str, OptionInput] | None
    """Options that differ from their defaults, as in `GET /v1/rulesets`."""

    patience_hours: int | None
    """How many hours, 1 to 8760, a seat may take to move. After that, another seat may claim out seat N with
    `!timeoutN`. Default: no limit."""

    position: str | None
    """A position line to start from. The line includes the options, so leave `options` empty."""

    rated: bool | None
    """Whether the result counts for ratings. Only public games that begin at the usual start count, and only
    if no one holds two seats."""

    take: TakeOwnSeat | None
    """An open seat that you take at once. Requires your secret."""

    visibility: Visibility | None
    """Controls who may see the game."""


class OpenTrick(TypedDict):
    """The trick on the table."""

    bonus: str | None
    """The bonus card. Null if none was drawn."""

    lead: str
    """The card led, or `??` while it is face down and hidden from you."""

    leader: int
    """The seat that led."""

    matching: Matching | None
    """The property that the two cards share. Null before the reply."""

    off: int
    """The pieces borne off in this trick so far."""

    reply: str | None
    """The card that the other seat replied with. Null before the reply."""

    values: list[int]
    """The numbers still to use, largest first, each repeated once per remaining use."""

    winner: int | None
    """The seat that won the trick. Null before the reply."""


class OpenedView(TypedDict):
    """An earlier word that you can now read in more detail."""

    ply: int
    """Its ply."""

    salts: list[SaltView]
    """The salts that sealed the opened parts."""

    word: str
    """The word as you may now read it."""


# The value of an option.
OptionInput: TypeAlias = "str | int"


class OptionView(TypedDict):
    """An option of a rule set."""

    default: str
    """The default value."""

    max: int | None
    """The largest number. Null for other options."""

    meaning: str
    """The meaning of the option."""

    min: int | None
    """The smallest number. Null for other options."""

    name: str
    """Its name."""

    values: list[ValueView]
    """Its values. Empty if it is a number."""


class OutcomesAnswer(TypedDict):
    """The outcomes of the moves."""

    positions: list[PositionOutcomes]
    """The outcomes for each position, in the order of the request."""


class OutcomesInput(TypedDict):
    """Positions, each with moves to make there."""

    positions: list[PositionInput]
    """The positions."""


class OvalMarked(TypedDict):
    """An oval was marked."""

    event: Literal["oval_marked"]
    """Always `oval_marked`."""

    mark: str
    """The number of pieces in it, or `0` for a null chip."""

    oval: int
    """The number of the oval, 1 to 3."""

    seat: int
    """The seat whose oval it is."""


class OverMessage(TypedDict):
    """The game is over. The stream ends."""

    head: HeadView | None
    """The last head."""

    result: Score
    """The final scores and ranking."""

    seed: str | None
    """The seed of everything that was hidden. Null in imported games."""

    type: Literal["over"]
    """Always `over`."""


class OwnCaughtUpMessage(TypedDict):
    """You have received every game that is waiting for you."""

    running: int
    """The number of running games followed."""

    type: Literal["caught-up"]
    """Always `caught-up`."""


class OwnGamePage(TypedDict):
    """A page of your games."""

    games: list[OwnGame]
    """The games, newest first."""

    next: str | None
    """The `cursor` of the next page. Null on the last page."""


class OwnGoneMessage(TypedDict):
    """One of your running games was removed, or your secret no longer holds its seat."""

    code: Code
    """The code of the problem."""

    detail: str
    """An explanation for people."""

    game_id: str
    """The id of the game: 32 hex digits."""

    type: Literal["gone"]
    """Always `gone`."""


class OwnHeartbeatMessage(TypedDict):
    """The connection is alive, but nothing has happened for a while."""

    running: int
    """The number of running games followed."""

    type: Literal["heartbeat"]
    """Always `heartbeat`."""


# A message about your games.
OwnMessage: TypeAlias = "TurnMessage | OwnOverMessage | OwnGoneMessage | OwnCaughtUpMessage | OwnHeartbeatMessage | ClosingMessage"


class OwnOverMessage(TypedDict):
    """One of your running games ended."""

    game: OwnGame
    """The game, as in `GET /v1/me/games`."""

    result: Score
    """The final scores and ranking."""

    type: Literal["over"]
    """Always `over`."""


class Payment(TypedDict):
    """A payment that a roll caused."""

    due: int
    """The dirhams owed: one per square of the connected field of rugs."""

    eliminated: bool
    """Whether the payment put the payer out."""

    event: Literal["payment"]
    """Always `payment`."""

    paid: int
    """The dirhams paid: less than owed if the payer had less."""

    payee: int
    """The owner of that rug."""

    payer: int
    """The seat that moved Assam to the rug of another seat."""


class PlayerStandings(TypedDict):
    """The ratings and results of a player."""

    period: str | None
    """The period of the results, a year, month or day in UTC. Null for all time."""

    player: str
    """The player: a public id, or a built-in player's name."""

    ratings: list[RulesetRating]
    """The player's rating in each rule set, for all time."""

    results: list[RulesetTally]
    """Results by rule set and number of seats."""


class PlayerView(TypedDict):
    """A built-in player."""

    kind: str
    """Its name in the `seats` of a new game."""

    level: int | None
    """Its level, if it is a merchant. 8 is the strongest."""

    meaning: str
    """How it plays."""

    title: str
    """Its name for people."""


class _PositionInput(TypedDict):
    """What is always there."""

    position: str
    """A position line as in states, or a setup line (`MKN/1 ..`) for the start of a game."""


class PositionInput(_PositionInput, total=False):
    """A position, and moves to make there."""

    moves: list[str]
    """Moves to make there, in order, each with its chance. If the last one omits its chance, every outcome
    is listed. Without moves, the outcomes are the draws at the start, or the position itself."""


class PositionOutcomes(TypedDict):
    """The outcomes of the moves in one position."""

    error: Problem | None
    """Why there are no outcomes: the position or a move is refused, or there are too many to list
    (`too_large`). Null if listed."""

    index: int
    """The index in the request, from 0."""

    outcomes: list[OutcomeView]
    """The outcomes, in a fixed order. Their probabilities add up to 1."""


class PositionParts(TypedDict, total=False):
    """The requested parts of a position, all of it known to the client."""

    legal_moves: list[str] | None
    """The legal decisions of the seat whose turn it is. Null if they depend on masked cards. Empty if it is
    no seat's turn."""

    position: str
    """The position line."""

    score: Score
    """Scores and ranking."""

    state: State
    """The position as JSON."""


class PresenceMessage(TypedDict):
    """The connected seats whose players want to be shown. Sent to players with a seat, when there are any such
    seats and at every change."""

    connected: list[int]
    """The seats in order."""

    type: Literal["presence"]
    """Always `presence`."""


class _Problem(TypedDict):
    """What is always there."""

    code: Code
    """The code for programs to match on."""

    detail: str
    """An explanation of this occurrence for people."""

    status: int
    """The HTTP status."""

    title: str
    """A short title for people."""

    type: str
    """The address that explains the code."""


class Problem(_Problem, total=False):
    """A refused request, as an RFC 9457 problem."""

    column: int
    """The column in the line, in characters, from 1."""

    errors: list[FlawView]
    """Everything wrong with the body or the query."""

    expected: str
    """The text, moves or commitment that would have been correct."""

    head: HeadView
    """The current head of the game."""

    instance: str
    """The request path."""

    line: int
    """The line in the text, counted from 1."""

    ply: int
    """The ply that the problem concerns."""

    receipt: str
    """The signed receipt of the current seats."""

    result: Score
    """The result of a game that is over."""

    rule: str
    """The broken rule, more specific than the code: `marrakech.rug.covers-whole-rug`."""

    seat: int
    """The seat that the problem concerns."""

    why: str
    """Why the rule applies here."""

    word: int
    """The word in a record or list of moves, from 1."""


class ProblemList(TypedDict):
    """The problem codes."""

    problems: list[ProblemPage]
    """Every problem code."""


class ProblemPage(TypedDict):
    """A problem code with its explanation."""

    code: Code
    """The code."""

    meaning: str
    """The meaning of the code."""

    remedy: str
    """A way to solve the problem."""

    status: int
    """The HTTP status of problems with this code."""

    title: str
    """A short title for people."""


class Proof(TypedDict):
    """The evidence for the chance and for the heads of a game."""

    anchor: str | None
    """SHA-256 of the key of ply 0, even if ply 0 has no word. Null for an imported game."""

    beacon: BeaconRound | None
    """The round of the outside beacon that `start` includes. Null in a game without one."""

    commitment: str | None
    """The commitment published when the game was created: `SHA-256(0x04 | anchor | seed_hash)`. Null for an
    imported game."""

    game: str
    """The id of the game."""

    head: HeadView
    """The head after the last word."""

    imported: bool
    """Whether the game was imported. If so, `start` is the hash of `assam/1`, `import` and the setup line,
    and nothing is sealed."""

    receipt: str | None
    """The signed receipt of the last ply, once the game is over. Null before that, for an imported game, and
    if the service no longer has the key that signed at that time."""

    seats: list[ProvedSeat]
    """The seats in order, as `start` includes them."""

    seed: str | None
    """The seed, once the game is over. Null before that, and for an imported game."""

    seed_hash: str | None
    """SHA-256 of the seed. Null for an imported game."""

    setup: str
    """The setup line."""

    start: str
    """The head before the first word: 64 hex digits."""

    words: list[ProvedWord]
    """The words in order."""


class ProvedPart(TypedDict):
    """A part of a word: its decision or an outcome of chance."""

    hash: str
    """`SHA-256(0x00 | token)` if the token was public when it was written, otherwise `SHA-256(0x01 | salt |
    token)`."""

    part: int
    """The number of the part: 0 for the decision, from 1 for outcomes."""

    salt: str | None
    """The salt that seals the token: 64 hex digits. Null if the token is not sealed, or is hidden from you."""

    token: str
    """The token, without the `+`, as you may read it: a card that is hidden from you is `??`."""


class ProvedSeat(TypedDict):
    """A seat, without its name, which is not part of any hash."""

    entropy: str | None
    """The entropy that the player added to the chance of the game: 64 hex digits."""

    kind: SeatKind
    """The kind of player that holds the seat."""

    player: str | None
    """The public id of the player: 20 hex digits."""

    revision: int | None
    """The revision of the seats at which a person took the seat, or the later one at which they added
    entropy. The larger of two revisions is the later one. Null for other seats, and in imported games."""

    seat: int
    """The number of the seat, from 1."""


class ProvedWord(TypedDict):
    """A word, split into its parts."""

    head: str
    """The head after it: `SHA-256(0x03 | head before | SHA-256(0x02 | hashes of the parts))`."""

    key: str | None
    """The key of the ply. Its SHA-256 is the key of the previous ply, and for ply 0 the anchor. Outcomes
    drawn here from public information follow from it. Null in an imported game."""

    parts: list[ProvedPart]
    """The parts of the word, in order."""

    ply: int
    """The ply of the word."""


class RateLimit(TypedDict):
    """The rates of a bucket. Spending one bucket leaves the others full."""

    address: RateView
    """The rate for one address (for IPv6, one /64 network)."""

    bucket: Bucket
    """The bucket."""

    counts: str
    """The requests or items that the bucket counts."""

    game: RateView | None
    """The rate for one game. Null if not counted."""

    secret: RateView
    """The rate for one secret."""


class RateView(TypedDict):
    """A rate."""

    burst: int
    """The number of requests that may be sent at once after a pause."""

    requests: int
    """The number of requests,"""

    seconds: int
    """in this many seconds."""


class RatingView(TypedDict):
    """A rating by the method of Weng and Lin. It starts at 25, with an uncertainty of 25/3."""

    at_least: float
    """The estimate minus three times its uncertainty. Leaders are ordered by it."""

    games: int
    """The number of rated games."""

    rating: float
    """An estimate of strength."""

    uncertainty: float
    """The standard deviation of the estimate, which falls with the number of games."""


class RecordInput(TypedDict):
    """A record."""

    record: str
    """A record in MKN or, for validation, a position line."""


class _RecordRow(TypedDict):
    """What is always there."""

    error: RowError | None
    """The first error. Null if valid."""

    kind: Literal["record"]
    """Always `record`."""

    line: int
    """The line on which it begins, from 1."""

    marker: str
    """The correct end marker. Empty if the first line is invalid."""

    masked: bool
    """Whether anything is masked. If so, `valid` covers only the visible parts."""

    number: int
    """The number of the record, from 1."""

    ply: int
    """The last valid ply."""

    valid: bool
    """Whether the record is complete and valid."""


class RecordRow(_RecordRow, total=False):
    """The verdict on a record."""

    legal_moves: list[str] | None
    """The legal decisions after the valid words, if in `include`. Null if they depend on masked cards."""

    position: str
    """The position line after the valid words, if in `include`."""

    score: Score
    """Scores and ranking after the valid words, if in `include`."""

    state: State
    """The position after the valid words, if in `include`."""


class RenameSeat(TypedDict):
    """A new label for a seat."""

    name: SeatName | None
    """The label, or null to erase it."""


class ReplaceSecret(TypedDict):
    """A new secret for a seat."""

    secret: str
    """The new secret: 64 lower-case hex digits (`openssl rand -hex 32`)."""


class ResetMessage(TypedDict):
    """Discard the data you have: it does not belong to this game, or you may see more now. A snapshot follows."""

    head: HeadView | None
    """The head. Null before the start."""

    type: Literal["reset"]
    """Always `reset`."""


class RollView(TypedDict):
    """Dice that a seat threw at once."""

    faces: list[Face]
    """The faces: one in Marrakech, six in Marrakesh."""

    game: str
    """The game. Its proof is `GET /v1/games/{id}/proof`."""

    luck: Amount
    """The luck of the seat. In Marrakesh both seats throw together, so it is that of all twelve dice."""

    ply: int
    """The ply."""

    seat: int
    """The seat."""


class RoundScored(TypedDict):
    """A round was scored."""

    categories: list[list[ScorePartName]]
    """The categories of Blue's points, then of Red's, named like parts of a score."""

    event: Literal["round_scored"]
    """Always `round_scored`."""

    round: int
    """The number of the round, from 1."""

    scores: list[int]
    """The points of Blue, then of Red."""


class RowError(TypedDict):
    """The first error of a record."""

    code: str
    """The code for programs to match on."""

    column: int | None
    """The column in characters, counted from 1."""

    detail: str
    """An explanation for people."""

    expected: str | None
    """The text that would have been correct."""

    line: int
    """The line, counted from 1."""

    ply: int | None
    """The ply that the word would have been."""

    rule: str | None
    """The broken rule, more specific than the code."""

    why: str | None
    """Why the rule applies here."""

    word: int | None
    """The word of the record, counted from 1."""


class RuleView(TypedDict):
    """A rule that a move can break."""

    id: str
    """The stable identifier of the rule."""

    text: str
    """The rule in a sentence."""


class RulesetDice(TypedDict):
    """The dice of a rule set."""

    dice: int
    """The number of dice that were thrown."""

    faces: list[FaceCount]
    """How often each face came."""

    fairness: Fairness
    """The outcome of the test."""

    games: int
    """The number of games."""

    luck: DiceLuck
    """The luck of those who threw, all rolls together."""

    meaning: str
    """The same as a sentence."""

    ruleset: str
    """The rule set."""

    test: ChiSquareTest | None
    """Pearson's chi-square test against a fair die. Null if there are too few dice."""


class RulesetList(TypedDict):
    """The rule sets."""

    rulesets: list[RulesetView]
    """Every rule set."""


class RulesetView(TypedDict):
    """A rule set."""

    has_secrets: bool
    """Whether anything is hidden during a game, so that responses depend on the requester."""

    id: str
    """Name and version, as in a record's first line."""

    max_seats: int
    """The most seats."""

    min_seats: int
    """The fewest seats."""

    options: list[OptionView]
    """Every option, in alphabetical order."""

    players: list[PlayerView]
    """The built-in players that can take its seats."""

    rules: list[RuleView]
    """Every rule that a move can break."""

    title: str
    """The name of the game."""


class SaltView(TypedDict):
    """The salt of an opened part."""

    part: int
    """The number of the part: 0 for the decision, then the draws."""

    salt: str
    """The salt. The part's hash is `SHA-256(0x01 | salt | token)`."""


class Score(TypedDict):
    """The scores and ranking of a game at some ply."""

    over: bool
    """Whether the game is over, so that these scores are final."""

    ranking: list[list[int]] | None
    """The seats in groups, best first. Seats in one group share a place. Null for an aborted game."""

    scores: list[int]
    """One score per seat, in order."""

    seats: list[SeatScore]
    """The parts of each score."""


class _ScorePart(TypedDict):
    """What is always there."""

    name: ScorePartName
    """The source of the points."""

    points: int
    """The number of points."""


class ScorePart(_ScorePart, total=False):
    """A named part of a score."""

    round: int
    """The round in which the points were scored, in a game with rounds."""


# The source of the points.
ScorePartName: TypeAlias = Literal[
    "dirhams",
    "visible_rugs",
    "backgammon",
    "tangier",
    "gibraltar",
    "gammon",
    "el_ayun",
    "bogart",
    "casablanca",
    "rabat",
    "game",
    "little_fez",
    "common_fez",
    "royal_fez",
    "grand_fez",
    "one_chip",
    "two_chips",
    "pips",
]


class SeatAccount(TypedDict):
    """The columns of a seat: `result` is the sum of `start`, `luck`, `errors`, `gifts`, `hidden` and `corrections`, to
    the last digit."""

    blunders: int
    """The decisions that cost 10 % of the win or more."""

    corrections: Amount
    """Differences between two values of one position. They measure the uncertainty of the other columns."""

    decisions: int
    """The decisions with a choice that were judged."""

    doubtful: int
    """The decisions that cost 2 to 5 % of the win."""

    errors: Amount
    """The seat's errors. Their win is 0 or less."""

    gifts: Amount
    """The seat's gain from the errors of others."""

    hidden: Amount
    """The difference between what the cards were and what the deciding seats knew of them. 0 in Marrakech."""

    luck: Amount
    """The luck of all chance."""

    luck_adjusted: Amount
    """The result without the luck."""

    mistakes: int
    """The decisions that cost 5 to 10 % of the win."""

    result: Amount
    """The result."""

    seat: int
    """The number of the seat."""

    start: Amount
    """The seat's expectation at first."""


# The kind of a seat: `open` for a client to take, or the name of a built-in player that the service plays. Without its version, a name means the newest one.
SeatChoice: TypeAlias = Literal[
    "open",
    "solitaire-ai",
    "random",
    "hand",
    "merchant-1/1",
    "merchant-2/1",
    "merchant-3/1",
    "merchant-4/1",
    "merchant-5/1",
    "merchant-6/1",
    "merchant-7/1",
    "merchant-8/1",
    "merchant-1",
    "merchant-2",
    "merchant-3",
    "merchant-4",
    "merchant-5",
    "merchant-6",
    "merchant-7",
    "merchant-8",
]


# `open`, `human` for a player outside the service, or a built-in player.
SeatKind: TypeAlias = Literal[
    "open",
    "human",
    "solitaire-ai",
    "random",
    "hand",
    "merchant-1/1",
    "merchant-2/1",
    "merchant-3/1",
    "merchant-4/1",
    "merchant-5/1",
    "merchant-6/1",
    "merchant-7/1",
    "merchant-8/1",
]


# A label for a seat: 1 to 64 characters, at least one of them visible. A character may have at most 4 combining marks (8 in Hebrew, Tibetan, Burmese and Tai Tham). Control and format characters are allowed only if the script needs them. Leading and trailing spaces are not allowed.
SeatName: TypeAlias = str


class SeatScore(TypedDict):
    """The score of a seat, with its parts."""

    parts: list[ScorePart]
    """The named parts of the score. Empty for a seat that is out."""

    seat: int
    """The number of the seat."""

    tie_breaks: list[TieBreak]
    """The values that decide between seats with the same score, in order of precedence. Empty if there are
    none."""

    total: int
    """The score of the seat: the sum of the parts."""


class SeatView(TypedDict):
    """A seat."""

    entropy: str | None
    """The entropy that the player added to the game's chance."""

    forced: Forced
    """Whether the player or the service makes decisions without a choice."""

    kind: SeatKind
    """Open, or the kind of player that holds the seat."""

    name: str | None
    """The label that the player chose."""

    player: str | None
    """The public id of the player."""

    reserved_for: str | None
    """In a rematch, the player of the previous game that the seat is reserved for. Null for other seats."""

    revision: int | None
    """When a person took the seat or last added entropy, as a revision: larger is later. Null for other
    seats and in imported games."""

    seat: int
    """The number of the seat, from 1."""


class SeatsMessage(TypedDict):
    """The seats. Sent at every connection, at every change, and when the game starts to wait for its beacon."""

    beacon: BeaconView | None
    """The outside beacon. Null if the game has none."""

    seats: list[SeatView]
    """The seats in order."""

    type: Literal["seats"]
    """Always `seats`."""

    your_seat: int | None
    """Your seat. Null if you hold none."""


class SeatsPinView(TypedDict):
    """The seats as a player saw them before they sent entropy."""

    held: int | None
    """The revision at which the player already held the seat without entropy. Null if it was open."""

    seats_digest: str
    """The `seats_digest` sent with the entropy."""


class SnapshotMessage(TypedDict):
    """The whole game. It is the first message if you do not resume, and the next one after `reset`."""

    game: GameView
    """The game, as from `GET /v1/games/{id}`."""

    type: Literal["snapshot"]
    """Always `snapshot`."""

    words: list[LogWord]
    """The words so far, as in the log."""


# A position, as you may see it. Its form depends on the rule set.
State: TypeAlias = "MarrakechState | MarrakeshState"


class StateAtPly(TypedDict):
    """The state after a ply."""

    events: list[Event]
    """The consequences of the word, in order."""

    head: HeadView
    """The head after this ply."""

    ply: int
    """The ply, with 0 for the start."""

    position: str
    """The position line, with `??` for everything hidden from you."""

    state: State
    """The position."""

    word: str | None
    """The word that led to this state. Null at a start without a draw."""


# The status of a game: `open` until all seats are taken and its beacon round, if it needs one, is
# delivered. Then it is `running`, and finally `finished` if it was played to its end, or `aborted`.
Status: TypeAlias = Literal["open", "running", "finished", "aborted"]


class Stopped(TypedDict):
    """The reason why a body was not read to its end."""

    code: Code
    """The code of the problem."""

    detail: str
    """An explanation for people."""

    kind: Literal["stopped"]
    """Always `stopped`."""


class SubmitMoves(TypedDict, total=False):
    """One move, or several consecutive moves of one seat: exactly one of the fields."""

    move: str
    """A decision in notation, without its chance."""

    moves: list[str]
    """Consecutive decisions, written together or not at all."""


class _TakeOwnSeat(TypedDict):
    """What is always there."""

    seat: int
    """The number of the seat, from 1."""


class TakeOwnSeat(_TakeOwnSeat, total=False):
    """The seat that the creator takes. Once you know the `commitment`, and while seats are open, take it again
    to add entropy."""

    forced: Forced | None
    """Whether you send decisions in which your seat has no choice (`ask`), or the service makes them at once
    (`play`)."""

    name: SeatName | None
    """A label for the seat."""


class TakeSeat(TypedDict, total=False):
    """A seat to take."""

    commitment: str | None
    """The game's `commitment` as shown to you. If it is not correct, you do not get the seat."""

    entropy: str | None
    """Entropy that you add to the game's chance (`openssl rand -hex 32`). Requires `commitment` and
    `seats_digest`."""

    forced: Forced | None
    """Whether you send decisions in which your seat has no choice (`ask`), or the service makes them at once
    (`play`)."""

    join_code: str | None
    """The join code, for a private game."""

    name: SeatName | None
    """A label for the seat."""

    seats_digest: str | None
    """The game's `seats_digest` as shown to you. If the seats have changed, you do not get the seat."""


class TallyView(TypedDict):
    """Results and scores in games with the same number of seats."""

    best_game: str
    """The first game with that score."""

    best_score: int
    """The best score."""

    firsts: int
    """The number of first places, alone or shared."""

    games: int
    """The number of games that have ended, counted once for each seat that the player held."""

    mean_score: float
    """The mean of the scores, rounded to thousandths."""


class TieBreak(TypedDict):
    """A value that decides between seats with the same score. The larger value wins."""

    name: TieBreakName
    """The name of the compared value."""

    value: int
    """The value of the seat."""


# The quantity that is compared.
TieBreakName: TypeAlias = Literal["dirhams", "visible_rugs", "rounds_scored", "best_round"]


class Trick(TypedDict):
    """A finished trick."""

    lead: str
    """The card led."""

    leader: int
    """The seat that led."""

    reply: str
    """The card that the other seat replied with."""

    winner: int
    """The seat that won the trick."""


class TrickWon(TypedDict):
    """A trick was won, and its lead turned up."""

    event: Literal["trick_won"]
    """Always `trick_won`."""

    matching: Matching
    """The property that its two cards share."""

    trick: Trick
    """The trick."""


class _TurnMessage(TypedDict):
    """What is always there."""

    game: OwnGame
    """The game, as in `GET /v1/me/games`."""

    ply: int
    """The ply to write."""

    type: Literal["turn"]
    """Always `turn`."""


class TurnMessage(_TurnMessage, total=False):
    """A game is waiting for you. Sent once for each decision, and again at each connection."""

    legal_moves: LegalMoves
    """Your legal moves, with `include=legal-moves`."""

    state: State
    """The position, as you may see it, with `include=state`."""


# A line of the response: a verdict, or the last line.
ValidationLine: TypeAlias = "RecordRow | Stopped | ValidationSummary"


class ValidationSummary(TypedDict):
    """Counts of records."""

    good: int
    """Complete and valid records."""

    kind: Literal["summary"]
    """Always `summary`."""

    masked: int
    """Good records with masked parts."""

    records: int
    """All records."""

    refused: int
    """Other records."""


class ValueView(TypedDict):
    """A value of an option."""

    meaning: str
    """The meaning of the value."""

    value: str
    """The value as written."""


class Verdict(TypedDict):
    """The verdict on a record."""

    canonical: str | None
    """The valid part in canonical form, with its correct end marker. Null if even the draw at the start is
    invalid."""

    error: Problem | None
    """The first error. Null if valid."""

    legal_moves: list[str] | None
    """The legal decisions of that seat. Null if they depend on masked cards. Empty if it is no seat's turn."""

    masked: bool
    """Whether anything is masked. If so, `valid` covers only the visible parts."""

    ply: int | None
    """The last valid ply."""

    position: str | None
    """The position after these words, as a position line."""

    score: Score | None
    """Scores and ranking after these words."""

    seat: int | None
    """The seat whose turn it is there. Null if there is none."""

    setup: str | None
    """The setup line in canonical form. Null if invalid."""

    state: State | None
    """The position after these words."""

    valid: bool
    """Whether the record is complete and valid."""

    words: list[str]
    """The valid words before the first error, in canonical form."""


# The visibility of a game: `public` games are listed, `unlisted` games are visible to everyone who knows
# their id, and `private` games are visible only to their players and owner.
Visibility: TypeAlias = Literal["public", "unlisted", "private"]


class WitnessView(TypedDict):
    """How far a witness lags behind the public log."""

    behind: int
    """How many entries it has not cosigned yet."""

    witness: str
    """The key of the witness."""


class _WordMessage(TypedDict):
    """What is always there."""

    at: str | None
    """When it was written. Null in imported games."""

    head: HeadView
    """The head after this ply."""

    key: str | None
    """The key of the ply, which with public data determines the draw. Null in imported games."""

    opened: list[OpenedView]
    """Earlier words that this ply opened for you, at least in part."""

    ply: int
    """The ply."""

    type: Literal["word"]
    """Always `word`."""

    word: str | None
    """The word as you could read it then. Null for ply 0 if nothing is drawn at the start."""


class WordMessage(_WordMessage, total=False):
    """A written ply."""

    state: State
    """The position after this ply as you could see it then, with `include=state`."""


class Analysis(GameAccount):
    """The effects of chance and of the players' decisions in a game, with the best decisions. Each seat's columns add up
    to its result."""

    nodes: int
    """About how many positions the judge searched for each decision."""


class _ExportedGame(GameSummary):
    """What is always there."""

    record: str
    """Its record, in file form."""


class ExportedGame(_ExportedGame, total=False):
    """An exported game, as a spectator may see it."""

    states: list[StateAtPly]
    """The state after every ply, from ply 0, with `states`."""


class _GameView(GameSummary):
    """What is always there."""

    beacon: BeaconView | None
    """The outside beacon that adds to the game's chance. Null if none."""

    commitment: str | None
    """The commitment to all chance of the game: `SHA-256(0x04 | anchor | seed_hash)`, as in the proof. Null
    in imported games."""

    options: dict[str, str]
    """Every option with its value, defaults included."""

    pin: SeatsPinView | None
    """The seats as you saw them before you sent entropy. Null if you sent none."""

    result: Score | None
    """The final scores and ranking. Null until the game is over."""

    seats_digest: str | None
    """The digest of the current seats. Send it with your entropy. Null once the game has started and in
    imported games."""

    seed: str | None
    """The seed of everything hidden. Null until the game is over, and in imported games."""

    state: State | None
    """The position, or null before the start."""

    tags: dict[str, str]
    """The tags of an imported record, such as `event`, without seat names. Empty for other games."""

    your_seat: int | None
    """Your seat. Null if you hold none."""


class GameView(_GameView, total=False):
    """A game, as you may see it."""

    receipt: str
    """The receipt of your seat, if you took the seat with `include=receipt` and the signing key is
    available."""


class OutcomeView(PositionParts):
    """One outcome."""

    fraction: str
    """The exact probability, as a fraction."""

    over: bool
    """Whether the game is over after it."""

    probability: float
    """The probability for an observer who knows only the position sent."""

    seat: int | None
    """The seat whose turn it is then. Null if the game is over."""

    word: str | None
    """The last move with its chance. Null without a move and a draw."""


class OwnGame(GameSummary):
    """One of your games."""

    your_seat: int | None
    """The seat that you hold."""

    your_turn: bool
    """Whether the game is waiting for you."""


class RulesetRating(RatingView):
    """A rating in a rule set."""

    ruleset: str
    """The rule set."""


class RulesetTally(TallyView):
    """Results in a rule set."""

    ruleset: str
    """The rule set."""

    seats: int
    """The number of seats of the games."""


class ScoreAtPly(Score):
    """A score at a ply."""

    head: HeadView
    """The head after this ply."""

    ply: int
    """The ply."""
