"""What the service answers and takes, as types. Written by scripts/types_from_document.py: do not edit."""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict


class Assam(TypedDict):
    """Assam, the figure on the market."""

    facing: Facing
    """The direction that Assam faces: `N`, `E`, `S` or `W`."""

    square: str
    """The square on which Assam stands."""


class BeaconRound(TypedDict):
    """A round of a beacon that is out."""

    chain: str
    """The beacon: `drand:` and the hash of its chain."""

    round: int
    """The number of the round."""

    signature: str
    """The signature of the round: 96 hex digits. Its SHA-256 is the randomness."""


class BeaconView(TypedDict):
    """The outside beacon of a game, which adds to its chance."""

    chain: str
    """The beacon: `drand:` and the hash of its chain."""

    round: int | None
    """The round that is part of the chance: it is fixed when the last seat is taken, and lies in the future then. Null before that."""

    round_at: str | None
    """When the round is out; null before it is fixed."""

    signature: str | None
    """The signature of the round, 96 hex digits: its SHA-256 is the randomness. Null before somebody has delivered it, which starts
    the game."""


class BonusDrawn(TypedDict):
    """A bonus card was drawn."""

    card: str
    """The card."""

    event: Literal["bonus_drawn"]
    """Always `bonus_drawn`."""

    matching: Matching
    """The property that it shares with the winner's card."""

    times: int
    """How many times its number is used: 1, 4 or 6."""


# What is counted apart: who has spent one of these still has the others.
Bucket: TypeAlias = Literal["moves", "reads", "creation", "joining", "join_codes", "validation", "outcomes", "imports"]


class CaughtUpMessage(TypedDict):
    """You have everything that is written so far."""

    head: HeadView | None
    """The head of the game; null before the start."""

    type: Literal["caught-up"]
    """Always `caught-up`."""


class ClockMessage(TypedDict):
    """The clock of a game that has one, as of its last word: with every connection, and whenever it has changed."""

    clock: ClockView
    """The clock."""

    type: Literal["clock"]
    """Always `clock`."""


class ClockView(TypedDict):
    """The clock of a game as of its last word. The seat on turn has what `remaining` says less what has passed since `since`; the other
    clocks stand still."""

    increment: int
    """What a seat gets for each ply that it decides, in seconds."""

    initial: int
    """What each seat had at the start, in seconds."""

    remaining: list[int]
    """What each seat has left, in milliseconds, in order."""

    since: str | None
    """Since when the time of the seat on turn is counted; null where no clock runs."""


class _ClockWanted(TypedDict):
    """What is always there."""

    initial: int
    """What each seat has at the start, in seconds: 1 to 604800, which is a week."""


class ClockWanted(_ClockWanted, total=False):
    """How much time each seat has for its decisions."""

    increment: int
    """What a seat gets for each ply that it decides, in seconds: 0 to 86400, which is a day."""


class ClosingMessage(TypedDict):
    """The service ends the stream: connect again, and resume."""

    retry: int
    """After how many milliseconds to connect again."""

    type: Literal["closing"]
    """Always `closing`."""


# The kind of a problem. The list is closed: a client can match on it.
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
    """What witnesses cosigned."""

    cosignatures: list[CosignatureView]
    """One for each witness that has cosigned anything."""


class CosignatureView(TypedDict):
    """A checkpoint that a witness cosigned."""

    checkpoint: str
    """The newest checkpoint that it cosigned, with its signatures."""

    witness: str
    """The key of the witness."""


class DeliverBeacon(TypedDict):
    """A round of a beacon that is out."""

    round: int
    """The number of the round."""

    signature: str
    """Its signature: 96 lower-case hex digits."""


# A consequence of a move; `event` names its kind.
Event: TypeAlias = "Payment | TrickWon | BonusDrawn | OvalMarked | RoundScored"


class ExportCount(TypedDict):
    """The games that an export has."""

    games: int
    """How many."""


# A line of an export as JSON: the proof of a game where proofs are wanted, else the game.
ExportedLine: TypeAlias = "ExportedGame | ExportedProof"


class ExportedProof(TypedDict):
    """A game of an export of proofs, as a spectator is given it."""

    log: list[LoggedEntry]
    """Where the game is in the public log, with what opens the entries; the hashes that prove it are left out (`proof` is null): whoever
    has the log does not need them. Empty for an imported game."""

    proof: Proof
    """What `GET /v1/games/{id}/proof` gives a spectator."""


# A direction on the market.
Facing: TypeAlias = Literal["N", "E", "S", "W"]


class FeedCaughtUpMessage(TypedDict):
    """You have everything that has a position so far."""

    cursor: str
    """The id of the message, from which to resume."""

    position: int
    """The position, from 1 on; 0 before the first entry."""

    type: Literal["caught-up"]
    """Always `caught-up`."""


class FeedGameMessage(TypedDict):
    """Something happened to a public game, which is shown as it stands now: more may have happened to it since."""

    at: str
    """When it happened."""

    cursor: str
    """The id of the message, from which to resume."""

    game: GameSummary
    """The game, as lists show it."""

    happened: FeedKindView
    """What happened."""

    position: int
    """The position, from 1 on; 0 before the first entry."""

    type: Literal["game"]
    """Always `game`."""


class FeedHeartbeatMessage(TypedDict):
    """Nothing that you want to hear of has happened for a while, and the connection is alive."""

    cursor: str
    """The id of the message, from which to resume."""

    position: int
    """The position, from 1 on; 0 before the first entry."""

    type: Literal["heartbeat"]
    """Always `heartbeat`."""


# What happened to a game.
FeedKindView: TypeAlias = Literal["created", "seats", "started", "finished", "aborted"]


# A message about public games.
FeedMessage: TypeAlias = "FeedGameMessage | FeedRemovedMessage | FeedCaughtUpMessage | FeedHeartbeatMessage | FeedResetMessage | ClosingMessage"


class FeedRemovedMessage(TypedDict):
    """A public game was removed, or the operator took it down: lists have it no longer."""

    at: str
    """When it was removed."""

    cursor: str
    """The id of the message, from which to resume."""

    game_id: str
    """The id of the game: 32 hex digits."""

    position: int
    """The position, from 1 on; 0 before the first entry."""

    type: Literal["removed"]
    """Always `removed`."""


class FeedResetMessage(TypedDict):
    """The place that you named is not in the feed, or not any more: list the games again. The feed goes on from here."""

    cursor: str
    """The id of the message, from which to resume."""

    position: int
    """The position, from 1 on; 0 before the first entry."""

    type: Literal["reset"]
    """Always `reset`."""


class _FlawView(TypedDict):
    """What is always there."""

    detail: str
    """What is wrong: the rest of a sentence about it, or a sentence."""


class FlawView(_FlawView, total=False):
    """Something that is wrong with a request."""

    parameter: str
    """The parameter: of the query, of the path, or a header."""

    pointer: str
    """Where in the body: a JSON pointer (RFC 6901)."""


# What becomes of decisions in which a seat has no choice, and everyone can tell that: it is `ask`ed for them like for
# all others, or the service `play`s them with the words before them.
Forced: TypeAlias = Literal["ask", "play"]


# A message about a game.
GameMessage: TypeAlias = "SnapshotMessage | WordMessage | SeatsMessage | PresenceMessage | ClockMessage | CaughtUpMessage | HeartbeatMessage | ResetMessage | OverMessage | GoneMessage | ClosingMessage"


class GamePage(TypedDict):
    """A page of games."""

    games: list[GameSummary]
    """The games, newest first."""

    next: str | None
    """The `cursor` of the next page; null on the last page."""


class GameStates(TypedDict):
    """The states of a game."""

    states: list[StateAtPly]
    """The state after every ply, from ply 0."""


class GameSummary(TypedDict):
    """A game, without its position."""

    clock: ClockView | None
    """The clock of the game, as of its last word; null if it has none."""

    created_at: str
    """When the game was created or imported."""

    finished_at: str | None
    """When the game ended, or was imported; null before its end."""

    head: HeadView | None
    """The last ply and its hash; null before the start."""

    id: str
    """32 hex digits."""

    imported: bool
    """Whether the game was imported. If so, nobody committed to its chance, and its words have no times."""

    last_ply_at: str | None
    """When the last ply was written; null before the first, and for an imported game."""

    patience_hours: int | None
    """How many hours, 1 to 8760, a seat may be on turn without moving before another seat may claim it out
    (`!timeoutN`); null if no seat can be claimed out for that."""

    rated: bool
    """Whether its creator lets it be rated: if it is public, was played here from the start, and nobody holds two seats, its result counts
    for the ratings of its players."""

    rematch: str | None
    """The rematch of this game; null if nobody wanted one. One that never started may be gone."""

    rematch_of: str | None
    """The game of which this is the rematch; null if it is none."""

    ruleset: str
    """Rule set and version."""

    seat_on_turn: int | None
    """The seat that must decide; null unless the game is running."""

    seats: list[SeatView]
    """The seats in order."""

    setup: str
    """The setup line of its record."""

    started_at: str | None
    """When the last seat was taken, or the beacon was delivered; null before that, and for an imported game."""

    status: Status
    """`open`, `running`, `finished` or `aborted`."""

    visibility: Visibility
    """Controls who may see the game."""


class GamesMessage(TypedDict):
    """A message about one of several games, or about the stream."""

    game_id: str | None
    """The id of the game; null in `heartbeat` and `closing`, which are about the stream."""

    message: GameMessage
    """The message, as the stream of the game has it."""


class GoneMessage(TypedDict):
    """You cannot follow the game any longer: it was removed, or your secret holds its seat no longer. The stream ends."""

    code: Code
    """The code of the problem."""

    detail: str
    """A sentence for people."""

    type: Literal["gone"]
    """Always `gone`."""


class HeadView(TypedDict):
    """The head of a game: the number of its last ply, and a hash chained over all words so far."""

    hash: str
    """The hash: 64 hex digits."""

    ply: int
    """The number of the last ply; 0 at the start."""


class _Health(TypedDict):
    """What is always there."""

    status: Literal["ok"]
    """Always `ok`."""


class Health(_Health, total=False):
    """The response to a successful health check."""

    quorum_behind: int
    """How many entries of the log lack the quorum of cosignatures; left out if the policy has no quorum."""

    witnesses: list[WitnessView]
    """How far each witness of the public log is behind it. Only `/readyz` has it, if the service knows witnesses, from a second after the start."""


class HeartbeatMessage(TypedDict):
    """Nothing has happened for a while, and the connection is alive."""

    head: HeadView | None
    """The head that you were told last; null before the start."""

    type: Literal["heartbeat"]
    """Always `heartbeat`."""


# A line of the response: what became of a record, or the last line.
ImportLine: TypeAlias = "ImportRow | Stopped | ImportSummary"


# What became of a record.
ImportOutcome: TypeAlias = Literal["new", "known", "refused"]


class ImportRow(TypedDict):
    """What became of a record."""

    error: RowError | None
    """Why the record was refused; null if it was not."""

    game: str | None
    """The id of the game; null if the record was refused."""

    ignored_tags: list[str]
    """The names of the tags of the record that the game, which was there before, has not, or with another value. They are
    not kept."""

    kind: Literal["record"]
    """Always `record`."""

    line: int
    """The line on which it begins, from 1."""

    number: int
    """The number of the record, from 1."""

    outcome: ImportOutcome
    """What became of it."""


class ImportSummary(TypedDict):
    """How many records there were."""

    kind: Literal["summary"]
    """Always `summary`."""

    known: int
    """Those that were there before."""

    new: int
    """Those that are new games now."""

    records: int
    """The records."""

    refused: int
    """Those that were refused."""


class Inclusion(TypedDict):
    """Where a game is in the public log."""

    checkpoint: str
    """The signed checkpoint of the log that the proofs lead to."""

    entries: list[LoggedEntry]
    """Its start and, once it is over, its end."""


class KeyList(TypedDict):
    """The keys with which the service signs."""

    keys: list[KeyView]
    """Every key, the oldest first. Each signs what is stated of its time, until the next one does."""


class KeyView(TypedDict):
    """A key with which the service signs."""

    key: str
    """The key, as signed notes write keys that verify: name, id and base64, joined by `+`."""

    since: str
    """From when it signs."""


class LeaderPage(TypedDict):
    """A page of leaders."""

    leaders: list[LeaderView]
    """Who leads, the first first; of those who are equal, the greater id."""

    next: str | None
    """The `cursor` of the next page; null on the last page."""


class LeaderView(TypedDict):
    """Somebody among the leaders."""

    player: str
    """The player: a public id, or the name of a built-in player."""

    rating: RatingView | None
    """The rating, where leaders are ordered by it."""

    results: TallyView | None
    """The results, where leaders are ordered by something of them."""


class LegalMoves(TypedDict):
    """The legal moves of the seat on turn."""

    head: HeadView
    """The current head of the game."""

    moves: list[str] | None
    """Every legal decision, in notation; null if they depend on a hidden hand and you do not hold the seat on turn, empty
    when the game is over."""

    ply: int
    """The next ply to write; none will follow when the game is over."""

    seat: int | None
    """The seat on turn; null when the game is over."""


class LimitsView(TypedDict):
    """What a client of this service may do."""

    body_bytes: int
    """The longest body that carries a few fields, in bytes."""

    bulk_at_once: int | None
    """How many requests about many records one address may have under way; null for any number."""

    bulk_bytes: int
    """The longest body of many records, in bytes, unpacked."""

    connections: int | None
    """How many connections one address may have, and how many streams and requests that wait; null for any number."""

    rates: list[RateLimit]
    """How often each of these may be done."""

    record_bytes: int
    """The longest record, in bytes."""


class LogView(TypedDict):
    """The log of a game."""

    head: HeadView
    """The head after the last word."""

    marker: str
    """The end marker: `*` for a running game, `= 36 43 41` with final scores, or `= -` for an aborted game."""

    setup: str
    """The setup line."""

    words: list[LogWord]
    """The words, oldest first; a card that is hidden from you is `??`."""


class LogWord(TypedDict):
    """A word of a log."""

    at: str | None
    """When the word was written; null in an imported game."""

    ply: int
    """The ply of the word."""

    word: str
    """The word in canonical form."""


class LoggedEntry(TypedDict):
    """An entry of the public log, with what opens it."""

    entry: str
    """The entry: `SHA-256(0x05 | salt | receipt)`."""

    moment: Milestone
    """What of the game it is."""

    position: int | None
    """Its position in the log, from 0; null while it waits, which takes about a second."""

    proof: list[str] | None
    """The hashes that lead from the entry to the root of the checkpoint (RFC 6962, section 2.1.1); null while it waits."""

    receipt: str
    """What the service states of the game there: the text of the receipt of ply 0, or of the last ply."""

    salt: str
    """The salt: 64 hex digits."""


# The phase of a game of Marrakech. It waits for the seat to turn Assam (`orient`) or to lay its rug (`lay`), or for
# chance to turn up the rug to lay (`turn_up`) or to roll the die (`roll`); or it is `over` or `aborted`.
MarrakechPhase: TypeAlias = Literal["turn_up", "orient", "roll", "lay", "over", "aborted"]


class MarrakechSeatState(TypedDict):
    """A seat of Marrakech."""

    colours: list[str]
    """Its colours."""

    dirhams: int
    """Its dirhams."""

    out: int | None
    """1 for the first seat that went out, 2 for the second, and so on; null while the seat is in."""

    rugs_left: dict[str, int]
    """Its rugs still to be laid, by colour, including the one in hand."""

    score: int
    """Its current score: dirhams plus visible halves; 0 when it is out."""

    seat: int
    """The number of the seat."""

    visible: int
    """The visible rug halves of its colours."""


class MarrakechState(TypedDict):
    """A position of Marrakech."""

    assam: Assam
    """The place and the direction of Assam."""

    board: list[str]
    """Seven rows, rank 7 first, each from file a to g: the colour of the rug on top of each square, `.` on a bare one."""

    game: Literal["marrakech"]
    """Always `marrakech`."""

    hand: str | None
    """The colour of the rug to lay in this turn; null where there is none: at the end of a turn, and when the game is
    over."""

    phase: MarrakechPhase
    """The phase: what the game waits for."""

    position: str
    """The position line: all of the position in one line. Send it back to validate it, to ask for outcomes, or to begin a game."""

    seat: int | None
    """The seat that must decide; null when the game is over."""

    seats: list[MarrakechSeatState]
    """The seats in order."""

    whole_rugs: list[str]
    """The rugs of which both halves are visible; some of them may be protected from being covered whole."""


# The phase of a match of Marrakesh. It waits for the leader to play a card (`lead`), for the other seat to play one
# (`reply`), or for the winner of the trick to use a number (`use`); or for chance: `dice`, `deal` or `bonus`; or it
# is `over` or `aborted`.
MarrakeshPhase: TypeAlias = Literal["dice", "deal", "lead", "reply", "use", "bonus", "over", "aborted"]


class MarrakeshSeatState(TypedDict):
    """A seat of Marrakesh."""

    cards: int
    """The number of cards in its hand."""

    hand: list[str] | None
    """The cards in its hand; null if they are hidden from you."""

    ovals: list[str]
    """The three ovals of the seat: the number of pieces in each, or `0` for a null chip, `-` for nothing yet, `X` for
    closed."""

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
    """The phase: what the match waits for."""

    position: str
    """The position line: all of the position in one line, with `??` for each card that is hidden from you. Send it back to validate it, to
    ask for outcomes, or to begin a game."""

    round: int
    """The current round, from 1; the last one when the match is over."""

    seat: int | None
    """The seat that must decide, 1 for Blue or 2 for Red; null when chance is due and when the match is over."""

    seats: list[MarrakeshSeatState]
    """The two seats: Blue, then Red."""

    top_discard: str | None
    """The card on top of the discard pile; null if the pile is empty."""

    trick: OpenTrick | None
    """The trick on the table; null if no card is on it."""

    tricks: list[Trick]
    """The finished tricks of this round, in order."""


# The property that two cards share.
Matching: TypeAlias = Literal["none", "suit", "number", "both"]


class Me(TypedDict):
    """Who you are to others."""

    player: str
    """Your public id: the first 20 hex digits of SHA-256 of the 77 bytes `assam/player`, line feed, your secret. It is the
    same in every game."""


# What of a game is in the log.
Milestone: TypeAlias = Literal["start", "end"]


class MoveView(TypedDict):
    """A move of a game."""

    at: str | None
    """When the word was written; null in an imported game."""

    events: list[Event]
    """The consequences of the word, in order."""

    head: HeadView
    """The head after this ply."""

    key: str | None
    """The key of the ply, from which follows what was drawn here from what everyone knows; null in an imported game."""

    ply: int
    """The ply of the move; ply 0 is what was drawn before the first decision."""

    seat: int | None
    """The seat that decided, or that left the game; null for ply 0 and for an abort."""

    word: str
    """The word: a decision with the chance that it triggered."""


class _MovesAnswer(TypedDict):
    """What is always there."""

    head: HeadView
    """The head after the last word."""

    ply: int
    """The ply of the first word."""

    seat: int | None
    """The seat on turn after the last word; null when the game is over."""

    words: list[str]
    """Your words, each a decision with the chance that it triggered, then the words of the built-in players that moved
    in response. A card that you may not see yet is `??`."""


class MovesAnswer(_MovesAnswer, total=False):
    """The words that were written."""

    clock: ClockView
    """The clock of the game, as of its last word; only in a game that has one."""

    legal_moves: LegalMoves
    """The legal moves as they are now, as for GET; only where `include` asks for them."""

    receipt: str
    """The receipt of the ply of `head`, as for GET; only where `include` asks for it, and the key that signs is at hand."""

    state: State
    """The position as it is now, as you may see it; only where `include` asks for it."""


class _NewGame(TypedDict):
    """What is always there."""

    ruleset: str
    """Rule set and version."""

    seats: list[SeatChoice]
    """The kind of each seat, in order of play: one entry per seat."""


class NewGame(_NewGame, total=False):
    """A game to create."""

    beacon: str | None
    """An outside beacon that adds to the chance of the game, `drand:` and the hash of a chain that the service knows. The game waits
    for a round of it once all seats are taken, so nobody can choose the chance. At least one seat must be open."""

    clock: ClockWanted | None
    """How much time each seat has for its decisions. A seat whose time has run out is out of the game: another seat may claim that,
    and the service writes `!timeoutN` by itself a second later. It may stand beside `patience_hours`: whichever runs out first counts."""

    join_code: str | None
    """The code that admits players to the seats of a private game: 1 to 64 characters. A private game needs one; other
    games have none."""

    options: dict[str, OptionInput] | None
    """Options with values other than their defaults; `GET /v1/rulesets` explains every option."""

    patience_hours: int | None
    """How long a seat may be on turn without moving, in hours from 1 to 8760. After that, another seat may claim it
    out of the game by submitting `!timeoutN`, where N is its number. Without a value, and without a `clock`, no seat can be
    claimed out."""

    position: str | None
    """A position line, to begin in that position instead of at the start. It names the options too, so leave `options`
    empty."""

    rated: bool | None
    """Whether the result counts for the ratings of the players, once the game is over: it does unless this is `false`. Only public
    games from the start count, in which nobody holds two seats."""

    take: TakeOwnSeat | None
    """An open seat that you take at once; needs your secret."""

    visibility: Visibility | None
    """Controls who may see the game."""


class OpenTrick(TypedDict):
    """The trick on the table."""

    bonus: str | None
    """The bonus card; null if none was drawn."""

    lead: str
    """The card led; `??` while it is face down and hidden from you."""

    leader: int
    """The seat that led."""

    matching: Matching | None
    """The property that the two cards share; null before the reply."""

    off: int
    """The pieces borne off in this trick so far."""

    reply: str | None
    """The card with which the other seat replied; null before that."""

    values: list[int]
    """The numbers still to be used, largest first, each repeated as often as it is to be used."""

    winner: int | None
    """The seat that won the trick; null before the reply."""


class OpenedView(TypedDict):
    """An earlier word of which you can read more now."""

    ply: int
    """Its ply."""

    salts: list[SaltView]
    """The salts that sealed what was opened."""

    word: str
    """The word, as you may read it from now on."""


# The value of an option.
OptionInput: TypeAlias = "str | int"


class OptionView(TypedDict):
    """An option of a rule set."""

    default: str
    """The value of the option where it is not named."""

    max: int | None
    """The largest number; null if the option is not a number."""

    meaning: str
    """The meaning of the option."""

    min: int | None
    """The smallest number; null if the option is not a number."""

    name: str
    """Its name."""

    values: list[ValueView]
    """Its values; empty if it is a number."""


class OutcomesAnswer(TypedDict):
    """What can come of the moves."""

    positions: list[PositionOutcomes]
    """For each position what can come of its moves, in the order of the request."""


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
    """The seed, on which everything hidden hung; null for an imported game."""

    type: Literal["over"]
    """Always `over`."""


class OwnCaughtUpMessage(TypedDict):
    """You were told every game that waits for you."""

    running: int
    """How many of your games run and are followed."""

    type: Literal["caught-up"]
    """Always `caught-up`."""


class OwnGamePage(TypedDict):
    """A page of your games."""

    games: list[OwnGame]
    """The games, newest first."""

    next: str | None
    """The `cursor` of the next page; null on the last page."""


class OwnGoneMessage(TypedDict):
    """A game of yours that ran was removed, or your secret holds its seat no longer."""

    code: Code
    """The code of the problem."""

    detail: str
    """A sentence for people."""

    game_id: str
    """The id of the game: 32 hex digits."""

    type: Literal["gone"]
    """Always `gone`."""


class OwnHeartbeatMessage(TypedDict):
    """Nothing has happened for a while, and the connection is alive."""

    running: int
    """How many of your games run and are followed."""

    type: Literal["heartbeat"]
    """Always `heartbeat`."""


# A message about your games.
OwnMessage: TypeAlias = "TurnMessage | OwnOverMessage | OwnGoneMessage | OwnCaughtUpMessage | OwnHeartbeatMessage | ClosingMessage"


class OwnOverMessage(TypedDict):
    """A game of yours that ran is over."""

    game: OwnGame
    """The game, as `GET /v1/me/games` lists it."""

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
    """The dirhams paid: fewer than owed if the payer had fewer."""

    payee: int
    """The owner of that rug."""

    payer: int
    """The seat that moved Assam to the rug of another seat."""


class PlayerStandings(TypedDict):
    """The ratings and results of a player."""

    period: str | None
    """The period of the results: a year, a month or a day of UTC; null for all time."""

    player: str
    """The player: a public id, or the name of a built-in player."""

    ratings: list[RulesetRating]
    """The rating in each rule set in which one was earned, whatever the period."""

    results: list[RulesetTally]
    """Results by rule set and number of seats."""


class PlayerView(TypedDict):
    """A built-in player."""

    kind: str
    """Its name in the `seats` of a new game."""

    meaning: str
    """How it plays."""


class _PositionInput(TypedDict):
    """What is always there."""

    position: str
    """A position line, as states have it; or a setup line (`MKN/1 ..`), for the start of a game."""


class PositionInput(_PositionInput, total=False):
    """A position, and moves to make there."""

    moves: list[str]
    """Moves to make there, one after another. The last one may leave out what is drawn after it, and every outcome of that is listed;
    those before it have it, as in a record. Without any, the outcomes are those of what is due at the start of a game, or the position itself."""


class PositionOutcomes(TypedDict):
    """What can come of the moves that are made in a position."""

    error: Problem | None
    """Why there are no outcomes: the position or a move is refused, or the outcomes are too many to list (`too_large`), as those of a deal; null if they are listed."""

    index: int
    """The place of the position in the request, from 0."""

    outcomes: list[OutcomeView]
    """The outcomes, in a fixed order. Their probabilities add up to 1; a move after which nothing is drawn has one outcome."""


class PositionParts(TypedDict, total=False):
    """The parts of a position that were asked for, for a client that knows all that is in it."""

    legal_moves: list[str] | None
    """The legal decisions of the seat on turn, in notation; null if they depend on masked cards, empty if no seat is on turn."""

    position: str
    """The position line."""

    score: Score
    """Scores and ranking."""

    state: State
    """The position as JSON."""


class PresenceMessage(TypedDict):
    """Which seats are connected and want it to be known: for those who hold a seat, where somebody is, and whenever that changes."""

    connected: list[int]
    """The seats in order."""

    type: Literal["presence"]
    """Always `presence`."""


class _Problem(TypedDict):
    """What is always there."""

    code: Code
    """The code, for programs to match on."""

    detail: str
    """A sentence for people about this request in particular."""

    status: int
    """The HTTP status."""

    title: str
    """A short name for people."""

    type: str
    """The address at which the code is explained."""


class Problem(_Problem, total=False):
    """A refused request, as an RFC 9457 problem."""

    column: int
    """The column in the line, from 1, in characters."""

    errors: list[FlawView]
    """Everything that is wrong with the body or the query."""

    expected: str
    """The text, the moves or the commitment that would have been right."""

    head: HeadView
    """The current head of the game."""

    instance: str
    """The path of the request."""

    line: int
    """The line in the text, from 1."""

    ply: int
    """The ply that the problem is about."""

    receipt: str
    """The signed receipt of the seats as they are now."""

    result: Score
    """The result of a game that is over."""

    rule: str
    """The identifier of the broken rule, finer than the code: `marrakech.rug.covers-whole-rug`."""

    seat: int
    """The seat that the problem is about."""

    why: str
    """Why the rule applies here."""

    word: int
    """The word in the body of a record, or in a list of moves, from 1."""


class ProblemList(TypedDict):
    """The problem codes."""

    problems: list[ProblemPage]
    """Every problem code."""


class ProblemPage(TypedDict):
    """A problem code, explained."""

    code: Code
    """The code."""

    meaning: str
    """The meaning of the code."""

    remedy: str
    """The way to solve the problem."""

    status: int
    """The HTTP status of every problem with this code."""

    title: str
    """A short name for people."""


class Proof(TypedDict):
    """The evidence for the chance and for the heads of a game."""

    anchor: str | None
    """SHA-256 of the key of ply 0, also where ply 0 has no word; null for an imported game."""

    beacon: BeaconRound | None
    """The round of the outside beacon that `start` includes; null in a game without one."""

    commitment: str | None
    """What was published when the game was created: `SHA-256(0x04 | anchor | seed_hash)`; null for an imported game."""

    game: str
    """The id of the game."""

    head: HeadView
    """The head after the last word."""

    imported: bool
    """Whether the game was imported. If so, `start` is the hash of `assam/1`, `import` and the setup line, and nothing
    is sealed."""

    receipt: str | None
    """The signed receipt of the last ply, once the game is over; null before that, for an imported game, and where the key of then
    is not at hand."""

    seats: list[ProvedSeat]
    """The seats in order, as `start` includes them."""

    seed: str | None
    """The seed, once the game is over; null before that, and for an imported game."""

    seed_hash: str | None
    """SHA-256 of the seed; null for an imported game."""

    setup: str
    """The setup line."""

    start: str
    """The head before the first word: 64 hex digits."""

    words: list[ProvedWord]
    """The words in order."""


class ProvedPart(TypedDict):
    """A part of a word: its decision, or something that was drawn."""

    hash: str
    """`SHA-256(0x00 | token)` if everyone could read the token when it was written, else `SHA-256(0x01 | salt |
    token)`."""

    part: int
    """The number of the part: 0 for the decision, from 1 on for what was drawn."""

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
    """The revision of the seats with which a person took the seat, or added entropy to it, whichever came later: of two seats,
    that with the larger one came later. Null for other seats, and in imported games."""

    seat: int
    """The number of the seat, from 1."""


class ProvedWord(TypedDict):
    """A word, split into its parts."""

    head: str
    """The head after it: `SHA-256(0x03 | head before | SHA-256(0x02 | hashes of the parts))`."""

    key: str | None
    """The key of the ply: its SHA-256 is that of the ply before, and that of ply 0 has the anchor. What was drawn here from what
    everyone knows follows from it. Null in an imported game."""

    parts: list[ProvedPart]
    """The parts of the word, in order."""

    ply: int
    """The ply of the word."""


class RateLimit(TypedDict):
    """How often something may be done. Who has spent one of them still has the others."""

    address: RateView
    """How often from one address (IPv6: from one network of 64 bits), with all its secrets and without."""

    bucket: Bucket
    """What is counted."""

    game: RateView | None
    """How often for one game, by everybody; null where that is not counted."""

    secret: RateView
    """How often with one secret."""


class RateView(TypedDict):
    """How often something may be done."""

    burst: int
    """So often at once, after doing nothing for some time."""

    requests: int
    """So often,"""

    seconds: int
    """in so many seconds."""


class RatingView(TypedDict):
    """A rating, by the method of Weng and Lin: whoever never played has 25, with an uncertainty of 25/3."""

    at_least: float
    """The estimate less three times its uncertainty, by which leaders are ordered: so nobody leads for one lucky game."""

    games: int
    """How many games it is made of."""

    rating: float
    """An estimate of strength."""

    uncertainty: float
    """Its standard deviation: the more games, the smaller."""


class RecordInput(TypedDict):
    """A record."""

    record: str
    """A record in MKN, or, for validation, a position line."""


class _RecordRow(TypedDict):
    """What is always there."""

    error: RowError | None
    """Where and why it broke; null if it is valid."""

    kind: Literal["record"]
    """Always `record`."""

    line: int
    """The line on which it begins, from 1."""

    marker: str
    """The end marker that belongs there; empty where the first line broke."""

    masked: bool
    """Whether anything in it is masked. If so, it is valid in everything that is visible."""

    number: int
    """The number of the record, from 1."""

    ply: int
    """The last valid ply."""

    valid: bool
    """Whether it is complete and valid."""


class RecordRow(_RecordRow, total=False):
    """A record that was judged."""

    legal_moves: list[str] | None
    """The legal decisions after the valid words, null if they depend on masked cards; only where `include` asks for them."""

    position: str
    """The position after the valid words, as a position line; only where `include` asks for it."""

    score: Score
    """Scores and ranking after the valid words; only where `include` asks for them."""

    state: State
    """The position after the valid words; only where `include` asks for it."""


class RenameSeat(TypedDict):
    """A new label for a seat."""

    name: SeatName | None
    """The label; null erases it."""


class ReplaceSecret(TypedDict):
    """A secret in place of another one."""

    secret: str
    """The new secret: 64 lower-case hex digits (`openssl rand -hex 32`)."""


class ResetMessage(TypedDict):
    """Forget what you have: it does not belong to this game, or you may see more now. A snapshot follows."""

    head: HeadView | None
    """The head of the game; null before the start."""

    type: Literal["reset"]
    """Always `reset`."""


class RoundScored(TypedDict):
    """A round was scored."""

    categories: list[list[ScorePartName]]
    """What Blue has these points for, then Red: names of categories, as parts of a score have them."""

    event: Literal["round_scored"]
    """Always `round_scored`."""

    round: int
    """The number of the round, from 1."""

    scores: list[int]
    """The points of Blue, then of Red."""


class RowError(TypedDict):
    """Where and why a record broke."""

    code: str
    """The code, for programs to match on."""

    column: int | None
    """The column, in characters, from 1."""

    detail: str
    """A sentence for people."""

    expected: str | None
    """What would have been right."""

    line: int
    """The line, from 1."""

    ply: int | None
    """The ply that it would have been."""

    rule: str | None
    """The identifier of the broken rule, finer than the code."""

    why: str | None
    """Why the rule applies here."""

    word: int | None
    """The word of the record, from 1."""


class RuleView(TypedDict):
    """A rule that a move can break."""

    id: str
    """The stable identifier of the rule."""

    text: str
    """The rule in a sentence."""


class RulesetList(TypedDict):
    """The rule sets."""

    rulesets: list[RulesetView]
    """Every rule set."""


class RulesetView(TypedDict):
    """A rule set."""

    has_secrets: bool
    """Whether anything is hidden from anyone while a game goes on. If so, responses about a game depend on the
    requester."""

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
    """Every rule that a move can break, as `rule` in a problem names it."""

    title: str
    """The name of the game."""


class SaltView(TypedDict):
    """The salt of a part that was opened."""

    part: int
    """The number of the part: 0 for the decision, from 1 on for what was drawn."""

    salt: str
    """64 hex digits: the part's hash is `SHA-256(0x01 | salt | token)`."""


class Score(TypedDict):
    """Scores and ranking of a game at some ply."""

    over: bool
    """Whether the game is over, so that these scores are final."""

    ranking: list[list[int]] | None
    """The seats in groups, best first; seats in one group share a place. Null for an aborted game."""

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
    """The round that brought the points, in a game with rounds."""


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


# The kind of a seat in a new game: `open` for a client to take, `solitaire-ai` for the automated opponent that the
# solitaire rules of Marrakesh define, or `random` for a player that chooses every legal decision with equal
# probability.
SeatChoice: TypeAlias = Literal["open", "solitaire-ai", "random"]


# `open`, `human` for a player outside the service, or a built-in player.
SeatKind: TypeAlias = Literal["open", "human", "solitaire-ai", "random"]


# A label for a seat: 1 to 64 characters, at least one of them visible. One character carries at most 4 combining marks (8 in Hebrew, Tibetan, Burmese and Tai Tham). Control and format characters are allowed only if the script needs them there; leading and trailing blanks are not.
SeatName: TypeAlias = str


class SeatScore(TypedDict):
    """The score of a seat, with its parts."""

    parts: list[ScorePart]
    """The named parts of the score; empty for a seat that is out."""

    seat: int
    """The number of the seat."""

    tie_breaks: list[TieBreak]
    """The values that decide between seats with the same score, in order of precedence; empty if there are none."""

    total: int
    """The score of the seat: the sum of the parts."""


class SeatView(TypedDict):
    """A seat."""

    entropy: str | None
    """The entropy that the player added to the chance of the game: 64 hex digits."""

    forced: Forced
    """What becomes of decisions in which the seat has no choice."""

    kind: SeatKind
    """Open, or the kind of player that holds the seat."""

    name: str | None
    """The label that the player chose; it is not part of the log."""

    player: str | None
    """The public id of the player: 20 hex digits."""

    reserved_for: str | None
    """In a rematch, the public id of the player for whom the seat is kept, in the game before: nobody else can take it. Null for other seats."""

    revision: int | None
    """The revision of the seats with which a person took the seat, or added entropy to it, whichever came later: of two seats,
    that with the larger one came later. Null for other seats, and in imported games."""

    seat: int
    """The number of the seat, from 1."""


class SeatsMessage(TypedDict):
    """Who holds the seats: with every connection, and whenever a seat is taken, left or renamed, or the game waits for its beacon."""

    beacon: BeaconView | None
    """The outside beacon of the game; null if it has none."""

    seats: list[SeatView]
    """The seats in order."""

    type: Literal["seats"]
    """Always `seats`."""

    your_seat: int | None
    """The seat that you hold; null if you hold none."""


class SeatsPinView(TypedDict):
    """What a player had seen of the seats before they sent entropy."""

    held: int | None
    """The revision with which the player already held the seat, without entropy; null if it was open."""

    seats_digest: str
    """The `seats_digest` that was sent with the entropy."""


class SnapshotMessage(TypedDict):
    """The whole game, as you may see it: first where there is nothing to resume from, and after `reset`."""

    game: GameView
    """The game, as `GET /v1/games/{id}` returns it."""

    type: Literal["snapshot"]
    """Always `snapshot`."""

    words: list[LogWord]
    """The words so far, as the log returns them to you."""


# A position, as you may see it. Its form depends on the rule set.
State: TypeAlias = "MarrakechState | MarrakeshState"


class StateAtPly(TypedDict):
    """The state after a ply."""

    events: list[Event]
    """The consequences of the word, in order."""

    head: HeadView
    """The head after this ply."""

    ply: int
    """The ply; 0 is the start."""

    position: str
    """The position as a position line, in which anything hidden from you is unknown."""

    state: State
    """The position."""

    word: str | None
    """The word that led to this state; null at a start where nothing was drawn."""


# The status of a game: `open` until all seats are taken and its beacon, if it has one, is there; then `running`, then `finished` if it was played to its end,
# or `aborted`.
Status: TypeAlias = Literal["open", "running", "finished", "aborted"]


class Stopped(TypedDict):
    """Why a body could not be read to its end."""

    code: Code
    """The code of the problem."""

    detail: str
    """A sentence for people."""

    kind: Literal["stopped"]
    """Always `stopped`."""


class SubmitMoves(TypedDict, total=False):
    """One move, or several consecutive moves of one seat. Send exactly one of the two fields."""

    move: str
    """A decision in notation, without the chance that it triggers."""

    moves: list[str]
    """Consecutive decisions: either all of them are written, or none."""


class _TakeOwnSeat(TypedDict):
    """What is always there."""

    seat: int
    """The number of the seat, from 1."""


class TakeOwnSeat(_TakeOwnSeat, total=False):
    """The seat that the creator of a game takes with its creation, without entropy: that can be added by taking the seat
    again, as long as seats are open, when its `commitment` is known."""

    forced: Forced | None
    """What becomes of decisions in which your seat has no choice: you are asked (`ask`), or the service makes them at
    once, as words of your seat (`play`)."""

    name: SeatName | None
    """A label for the seat."""


class TakeSeat(TypedDict, total=False):
    """A seat to take."""

    commitment: str | None
    """The `commitment` of the game as you were shown it: if it is another one, or you send entropy without it, you do not take the seat."""

    entropy: str | None
    """Entropy that you add to the chance of the game: 64 lower-case hex digits (`openssl rand -hex 32`). Needs `commitment`."""

    forced: Forced | None
    """What becomes of decisions in which your seat has no choice: you are asked (`ask`), or the service makes them at
    once, as words of your seat (`play`)."""

    join_code: str | None
    """The join code, for a private game."""

    name: SeatName | None
    """A label for the seat."""

    seats_digest: str | None
    """The `seats_digest` of the game as you were shown it: if the seats have changed, or you send entropy without it, you do not take the seat."""


class TallyView(TypedDict):
    """Results and scores in games with the same number of seats."""

    best_game: str
    """The first game that brought it."""

    best_score: int
    """The best score."""

    firsts: int
    """How many of them brought the first place, alone or shared."""

    games: int
    """How many games ended. A game in which the player held several seats counts once for each."""

    mean_score: float
    """The mean of the scores, rounded to thousandths."""


class TieBreak(TypedDict):
    """A value that decides between seats with the same score: the larger value wins."""

    name: TieBreakName
    """The name of what is compared."""

    value: int
    """The value of the seat."""


# What is compared.
TieBreakName: TypeAlias = Literal["dirhams", "visible_rugs", "rounds_scored", "best_round"]


class Trick(TypedDict):
    """A finished trick."""

    lead: str
    """The card led."""

    leader: int
    """The seat that led."""

    reply: str
    """The card with which the other seat replied."""

    winner: int
    """The seat that won the trick."""


class TrickWon(TypedDict):
    """A trick was won: its lead was turned up."""

    event: Literal["trick_won"]
    """Always `trick_won`."""

    matching: Matching
    """The property that its two cards share."""

    trick: Trick
    """The trick."""


class _TurnMessage(TypedDict):
    """What is always there."""

    game: OwnGame
    """The game, as `GET /v1/me/games` lists it."""

    ply: int
    """The ply to write."""

    type: Literal["turn"]
    """Always `turn`."""


class TurnMessage(_TurnMessage, total=False):
    """A game waits for you: once for each decision, and again whenever you connect."""

    legal_moves: LegalMoves
    """Your legal moves; only where `include` asks for them."""

    state: State
    """The position, as you may see it; only where `include` asks for it."""


# A line of the response: a verdict, or the last line.
ValidationLine: TypeAlias = "RecordRow | Stopped | ValidationSummary"


class ValidationSummary(TypedDict):
    """How many records there were."""

    good: int
    """Those that are complete and valid."""

    kind: Literal["summary"]
    """Always `summary`."""

    masked: int
    """Those of the good ones in which something is masked: they are valid in everything that is visible."""

    records: int
    """The records."""

    refused: int
    """Those that are not."""


class ValueView(TypedDict):
    """A value of an option."""

    meaning: str
    """The meaning of the value."""

    value: str
    """The value, as it is written."""


class Verdict(TypedDict):
    """The verdict on a record."""

    canonical: str | None
    """The valid part in canonical form, with the end marker that belongs to it; null if the record broke before the
    end of what is drawn at the start."""

    error: Problem | None
    """Where and why the record broke; null if it is valid."""

    legal_moves: list[str] | None
    """The legal decisions of that seat, in notation; null if they depend on masked cards, empty if no seat is on turn."""

    masked: bool
    """Whether anything in it is masked. If so, `valid` means valid in everything that is visible."""

    ply: int | None
    """The last valid ply."""

    position: str | None
    """The position after these words, as a position line."""

    score: Score | None
    """Scores and ranking after these words."""

    seat: int | None
    """The seat on turn there; null if no seat is."""

    setup: str | None
    """The setup line in canonical form; null if the record broke there."""

    state: State | None
    """The position after these words."""

    valid: bool
    """Whether the record is complete and valid."""

    words: list[str]
    """The valid words, up to the end or to where the record broke, in canonical form."""


# The visibility of a game: `public` games are listed, `unlisted` games are visible to everyone who knows their id,
# and `private` games only to their seats and their owner.
Visibility: TypeAlias = Literal["public", "unlisted", "private"]


class WitnessView(TypedDict):
    """How far a witness is behind the public log."""

    behind: int
    """How many entries it has not cosigned yet."""

    witness: str
    """The key of the witness."""


class _WordMessage(TypedDict):
    """What is always there."""

    at: str | None
    """When it was written; null in an imported game."""

    head: HeadView
    """The head after this ply."""

    key: str | None
    """The key of the ply, from which follows what was drawn here from what everyone knows; null in an imported game."""

    opened: list[OpenedView]
    """The earlier words of which it opened something for you, in order."""

    ply: int
    """The ply."""

    type: Literal["word"]
    """Always `word`."""

    word: str | None
    """The word, as you could read it when it was written; null for ply 0 of a game in which nothing is drawn at the start."""


class WordMessage(_WordMessage, total=False):
    """A ply that was written."""

    state: State
    """The position after this ply, as you could see it when it was written; only where `include` asks for it."""


class _ExportedGame(GameSummary):
    """What is always there."""

    record: str
    """Its record, in file form."""


class ExportedGame(_ExportedGame, total=False):
    """A game of an export, as a spectator may see it."""

    states: list[StateAtPly]
    """The state after every ply, from ply 0, where they are wanted."""


class _GameView(GameSummary):
    """What is always there."""

    beacon: BeaconView | None
    """The outside beacon that adds to the chance of the game; null if it has none."""

    commitment: str | None
    """Commits the service to all chance of this game: SHA-256 of the byte 04, the anchor of the keys of its plies and SHA-256
    of the seed, which the proof has; null for an imported game."""

    options: dict[str, str]
    """Every option with its value, defaults included."""

    pin: SeatsPinView | None
    """What you had seen of the seats before you sent entropy; null if you sent none."""

    result: Score | None
    """The final scores and ranking; null until the game is over."""

    seats_digest: str | None
    """The digest of the seats as they are now, on which the chance depends: send it with your entropy. Null once the game has started,
    and for an imported game."""

    seed: str | None
    """The seed, on which everything hidden hangs, once the game is over; null before that, and for an imported game."""

    state: State | None
    """The position; null before the start."""

    tags: dict[str, str]
    """The tags of its record, such as `event`, `round`, `table` and `date`, but for the names of the seats; empty if it was not imported."""

    your_seat: int | None
    """The seat that you hold; null if you hold none."""


class GameView(_GameView, total=False):
    """A game, as you may see it."""

    receipt: str
    """The receipt of your seat, as for GET; only where `include` asked for it when you took the seat, and the key that signs is at hand."""


class OutcomeView(PositionParts):
    """One outcome."""

    fraction: str
    """The same, exactly, as a fraction."""

    over: bool
    """Whether the game is over after it."""

    probability: float
    """The probability, for an observer who knows the position that was sent and nothing else: the nearest decimal number."""

    seat: int | None
    """The seat on turn after it; null if the game is over."""

    word: str | None
    """The last move with what was drawn after it; null without a move, if nothing was due."""


class OwnGame(GameSummary):
    """One of your games."""

    your_seat: int | None
    """The seat that you hold."""

    your_turn: bool
    """Whether the game waits for you."""


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
