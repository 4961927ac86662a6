#!/usr/bin/env python3
"""A reader of MKN, the notation of notation/GRAMMAR.md, for Python 3.11 or newer and nothing else.

    record = mkn.read("MKN/1 marrakech/1 seats=3\\n\\nN+3 d6e6 *\\n")
    record.setup.seats      # 3
    record.words[0]         # Word(decision='N', chance=('3',))

It knows how records are written and not how the games are played: a record that it accepts may still break a rule. The file reads
from the top: what a record is made of, the tokens of each game, the record around them, streams of records, the command line.
"""

from __future__ import annotations

import io
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NoReturn

WORD_LIMIT, LINE_LIMIT, RECORD_LIMIT = 64, 4096, 65536  # in bytes
CHANCE_LIMIT = 8  # outcomes in one word


# ---- What a record is made of ----


@dataclass(frozen=True)
class Setup:
    """The first line: what is played, and with which options. `options` has only what the line says, `seats` apart."""

    ruleset: str
    seats: int
    options: dict[str, str]
    position: str | None = None


@dataclass(frozen=True)
class Word:
    """What a seat decides, and the chance that this triggers: `N+3` is `N` and `3`. The leading word decides nothing."""

    decision: str
    chance: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "+".join([self.decision, *self.chance])


@dataclass(frozen=True)
class Record:
    """A whole record. The marker is `*`, `= -`, or `=` and the scores."""

    setup: Setup
    tags: dict[str, str]
    words: list[Word]
    marker: str


class MknError(Exception):
    """Why a text is refused, and where: line, column (in characters) and word count from 1; word is `None` outside the body."""

    line = column = 0
    word: int | None = None

    def __init__(self, rule: str, at: int, code: str = "notation_syntax"):
        self.rule, self.at, self.code = f"notation.{rule}", at, code

    def locate(self, data: bytes) -> None:
        """Finds line and column of the byte `at`, once it is known what the whole text is."""
        self.line = data.count(b"\n", 0, self.at) + 1
        line = data[data.rfind(b"\n", 0, self.at) + 1 : self.at]
        self.column = 1 + sum(byte & 0xC0 != 0x80 for byte in line)  # the other bytes begin no character

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.code}, {self.rule}" + (f", word {self.word}" if self.word else "")


@dataclass
class Cursor:
    """A place in a text, which moves on over what is taken, and never behind `end`.

    Texts are bytes decoded as Latin-1: one character a byte, so that offsets are those of the bytes.
    """

    text: str
    at: int
    end: int

    def next(self) -> str:
        """The next character, which stays; "" at the end."""
        return self.text[self.at : min(self.at + 1, self.end)]

    def take(self, allowed: str) -> str:
        """The next character if it is one of these, else ""."""
        char = self.next()
        if not char or char not in allowed:
            return ""
        self.at += 1
        return char

    def need(self, allowed: str, rule: str) -> str:
        """The next character, which must be one of these."""
        return self.take(allowed) or self.refuse(rule)

    def take_word(self, *words: str) -> str:
        """The one of these words that stands next, else ""."""
        for word in words:
            if self.text.startswith(word, self.at, self.end):
                self.at += len(word)
                return word
        return ""

    def refuse(self, rule: str, at: int | None = None) -> NoReturn:
        raise MknError(rule, self.at if at is None else at)


# ---- The games: their options, and how decisions, outcomes and positions are written ----
# Another game is another class with these six names (seats, options, clash, decision, outcome, position), and an entry in
# GAMES.

DIGITS, SEATS = "0123456789", "1234"


class Marrakech:
    """marrakech/1: `N` `E` `S` `W` turn Assam, `d6e6` lays a rug; `+3` is the die, `+b` the colour turned up."""

    seats = range(2, 5)
    options = {
        "bankrupt_rugs": ("inert", "open"),
        "cover": ("opponents", "any"),
        "insolvency": ("eliminate", "eliminate-at-zero", "pay-what-you-can"),
        "last_standing": ("yes", "no"),
        "orientation": ("start", "end"),
        "region": ("colour", "owner"),
        "rugs_per_player": tuple(map(str, range(1, 61))),
        "start_dirhams": tuple(map(str, range(1000))),
        "start_facing": ("N", "E", "S", "W"),
        "tie_break": ("dirhams", "rugs", "none"),
        "track": ("ne-sw", "nw-se"),
        "two_player": ("two-colours", "one-colour"),
    }
    FILES, RANKS, FACINGS, COLOURS, DIE = "abcdefg", "1234567", "NESW", "rybg", "1234"

    def clash(self, setup: Setup) -> str | None:
        """The option that does not go with the others."""
        if setup.seats != 2 and "two_player" in setup.options:
            return "two_player"
        if self.two_colours(setup) and int(setup.options.get("rugs_per_player", 24)) % 2:
            return "rugs_per_player"
        return None

    def two_colours(self, setup: Setup) -> bool:
        return setup.seats == 2 and setup.options.get("two_player") != "one-colour"

    def decision(self, cursor: Cursor) -> str:
        """Takes one decision, and returns it in canonical form."""
        return cursor.take(self.FACINGS) or "".join(self.rug(cursor, "rug.no-common-side"))

    def outcome(self, cursor: Cursor) -> str:
        """Takes one outcome of chance; "" if none stands there."""
        return cursor.take(self.DIE + self.COLOURS)

    def rug(self, cursor: Cursor, rule: str) -> list[str]:
        """Two squares that share a side, the western or southern one first."""
        start = cursor.at
        one, other = self.square(cursor), self.square(cursor)
        if abs(ord(one[0]) - ord(other[0])) + abs(ord(one[1]) - ord(other[1])) != 1:
            cursor.refuse(rule, start)
        return sorted([one, other])

    def square(self, cursor: Cursor) -> str:
        start = cursor.at
        square = cursor.take(self.FILES) + cursor.take(self.RANKS)
        return square if len(square) == 2 else cursor.refuse("decision.unknown", start)

    def position(self, cursor: Cursor, setup: Setup) -> None:
        """Takes a value of `position=`."""

        def field_ends() -> None:
            cursor.need(";", "position.field")

        self.board(cursor)
        field_ends()
        self.rugs(cursor)
        field_ends()
        self.square(cursor)
        cursor.need(self.FACINGS, "position.assam")
        field_ends()
        on_turn = cursor.need("-" + SEATS, "position.seat")
        field_ends()
        phase_at = cursor.at
        phase = cursor.take_word("orient", "lay", "over", "aborted") or cursor.refuse("position.phase")
        field_ends()
        self.numbers(cursor, ["", *"," * (setup.seats - 1)], "position.dirhams")
        field_ends()
        self.numbers(cursor, "rybg" if self.two_colours(setup) else "rbyg"[: setup.seats], "position.rugs-left")
        field_ends()
        hand = cursor.need("-" + self.COLOURS, "position.hand")
        over = phase in ("over", "aborted")
        if over != (on_turn == "-") or over and hand != "-" or phase == "lay" and hand == "-":
            cursor.refuse("position.phase", phase_at)
        field_ends()
        if not cursor.take("-"):
            seats_out = [cursor.need(SEATS, "position.out")]
            while cursor.take(","):
                seats_out += cursor.need(SEATS if len(seats_out) < 4 else "", "position.out")

    def board(self, cursor: Cursor) -> None:
        """Seven ranks of seven squares: visible halves, and runs of bare squares."""
        for rank in range(7):
            if rank > 0:
                cursor.need("/", "position.board")
            squares, after_run = 0, False
            while squares < 7:
                runs = "" if after_run else DIGITS[1 : 8 - squares]
                char = cursor.need(self.COLOURS + runs, "position.board")
                after_run = char in DIGITS
                squares += int(char) if after_run else 1

    def rugs(self, cursor: Cursor) -> None:
        if cursor.take("-"):
            return
        rugs: list[list[str]] = []
        while not rugs or cursor.take(","):
            start = cursor.at
            rug = self.rug(cursor, "position.whole-rugs")
            if rug in rugs or len(rugs) == 24:
                cursor.refuse("position.whole-rugs", start)
            rugs.append(rug)

    def numbers(self, cursor: Cursor, leads: Iterable[str], rule: str) -> None:
        """A number behind each of these characters."""
        for lead in leads:
            if lead:
                cursor.need(lead, rule)
            start, digits = cursor.at, ""
            while digit := cursor.take(DIGITS):
                digits += digit
            if not 1 <= len(digits) <= 4 or digits[0] == "0" and digits != "0":
                cursor.refuse(rule, start)


Game = Marrakech  # or the next one
GAMES: dict[str, Game] = {"marrakech/1": Marrakech()}


# ---- A record ----

Text = str | bytes | bytearray

RULESET = re.compile(r"[a-z-]+/[0-9]+")
SETTING = re.compile(r"[a-z_]+=[A-Za-z0-9-]+")
WORD = re.compile(r"[^ \t\n]+")
TAG_NAME = re.compile(r"[a-z0-9-]+")
SCORE = re.compile(r"0|-?[1-9][0-9]*")
LEAVES = [f"!{how}{seat}" for how in ("resign", "timeout") for seat in SEATS] + ["!abort"]


def read(text: Text) -> Record:
    """Reads one record. Raises `MknError` where it is not in the grammar: the first error in the order of GRAMMAR.md."""
    with reading(text) as text:
        return read_record(text)


def read_position_line(line: Text) -> Setup:
    """Reads a position line, a setup line without `MKN/1 ` that ends in `position=`."""
    with reading(line) as text:
        ruleset, settings = split_setup(text, 0, len(text))
        if "position" not in settings:
            raise MknError("setup.no-position", len(text))
        return read_setup(text, ruleset, settings)


@contextmanager
def reading(text: Text) -> Iterator[str]:
    """Makes what is read of the bytes, and gives errors their line and column."""
    data = text.encode() if isinstance(text, str) else text
    try:
        if len(data) > RECORD_LIMIT:
            raise MknError("limit.record", RECORD_LIMIT)
        try:
            data.decode()
        except UnicodeDecodeError as error:
            raise MknError("text.utf8", error.start) from None
        yield data.decode("latin-1")
    except MknError as error:
        error.locate(data)
        raise


def read_record(text: str) -> Record:
    """Everything is looked at in the order in which errors are told."""
    lines = split_lines(text)
    start, end = next(lines)
    check_length(start, end)
    notation = text[start:end].split(" ")[0]
    if re.fullmatch("MKN/[0-9]+", notation) and notation != "MKN/1":
        raise MknError("version", start, "unsupported_notation")
    if notation != "MKN/1":
        raise MknError("setup.no-format", start)
    ruleset, settings = split_setup(text, min(start + len("MKN/1 "), end), end)

    tags: dict[str, str] = {}
    for start, end in lines:
        check_length(start, end)
        if start == end:
            break
        name, value = read_tag(text[start:end], start)
        if name in tags:
            raise MknError("tag.duplicate", start)
        tags[name] = value
    else:
        raise MknError("body.missing", len(text), "missing_marker")
    body = end
    for start, end in lines:
        check_length(start, end)

    setup = read_setup(text, ruleset, settings)
    words, marker = read_body(text, body, GAMES[setup.ruleset])
    return Record(setup, tags, words, marker)


def split_lines(text: str) -> Iterator[tuple[int, int]]:
    """Where each line begins and ends. A line end is LF or CRLF; a text always has a first line."""
    start = 0
    while start < len(text) or start == 0:
        end = text.find("\n", start)
        if end < 0:
            yield start, len(text)
            return
        yield start, end - (end > start and text[end - 1] == "\r")
        start = end + 1


def check_length(start: int, end: int) -> None:
    if end - start > LINE_LIMIT:
        raise MknError("limit.line", start + LINE_LIMIT)


Part = tuple[int, str]  # of the setup line: where it stands, and what it is; of a setting, its value


def split_setup(text: str, start: int, end: int) -> tuple[Part, dict[str, Part]]:
    """The rule set and the settings by name. How they are written is checked here; what they mean in `read_setup`, since the
    errors in tags come between."""
    settings: dict[str, Part] = {}
    ruleset, *parts = text[start:end].split(" ")
    if not RULESET.fullmatch(ruleset):
        raise MknError("setup.ruleset", start)
    at = start + len(ruleset) + 1
    for part in parts:
        name, _, value = part.partition("=")
        if "position" in settings:
            raise MknError("setup.behind-position", at)
        if name != "position" and not SETTING.fullmatch(part) or part == "position":
            raise MknError("setup.setting", at)
        if name in settings:
            raise MknError("setup.duplicate", at)
        if name == "seats" and value not in list("123456789"):
            raise MknError("setup.seats", at)
        settings[name] = at, value
        at += len(part) + 1
    if "seats" not in settings:
        raise MknError("setup.seats", end)
    return (start, ruleset), settings


def read_setup(text: str, ruleset: Part, settings: dict[str, Part]) -> Setup:
    """What the setup line means."""
    if ruleset[1] not in GAMES:
        raise MknError("setup.unknown-ruleset", ruleset[0], "unknown_ruleset")
    game = GAMES[ruleset[1]]
    options = {name: value for name, (_, value) in settings.items() if name not in ("seats", "position")}
    for name, value in options.items():
        if name not in game.options:
            raise MknError("setup.unknown-option", settings[name][0], "unknown_option")
        if value not in game.options[name]:
            raise MknError("setup.option-value", settings[name][0], "unknown_option")
    at, position = settings.get("position", (0, None))
    setup = Setup(ruleset[1], int(settings["seats"][1]), options, position)
    if clash := "seats" if setup.seats not in game.seats else game.clash(setup):
        raise MknError("setup.option-value", settings[clash][0], "unknown_option")
    if position is not None:
        at += len("position=")
        cursor = Cursor(text, at, at + len(position))
        game.position(cursor, setup)
        if cursor.next():
            cursor.refuse("position.trailing")
    return setup


def read_tag(line: str, at: int) -> tuple[str, str]:
    """`name: value`; the value may be missing."""
    name, colon, value = line.partition(":")
    if not colon or not TAG_NAME.fullmatch(name):
        raise MknError("tag.name", at)
    if value and value[0] != " ":
        raise MknError("tag.space", at)
    value = value[1:].encode("latin-1").decode()
    if value != value.strip() or any(ord(char) < 0x20 or 0x7F <= ord(char) <= 0x9F for char in value):
        raise MknError("tag.value", at)
    return name, value


def read_body(text: str, start: int, game: Game) -> tuple[list[Word], str]:
    """The words, and the end marker."""
    text = text.replace("\r\n", " \n")  # from here on a CR is a character like others
    places = [match.span() for match in WORD.finditer(text, start)]
    words: list[Word] = []
    for number, (at, end) in enumerate(places, start=1):
        cursor = Cursor(text, at, end)
        try:
            if cursor.next() in "*=":
                return words, read_marker(cursor, [(at, text[at:end]) for at, end in places[number:]])
            words.append(read_word(cursor, game, is_first=number == 1))
        except MknError as wrong:
            wrong.word = number
            raise
    raise MknError("marker.missing", len(text), "missing_marker")


def read_word(cursor: Cursor, game: Game, is_first: bool) -> Word:
    """A decision or a leave, and the chance behind it; the first word may be chance alone."""
    start = cursor.at
    if cursor.end - start > WORD_LIMIT:
        cursor.refuse("limit.word", start + WORD_LIMIT)
    decision = ""
    if cursor.next() == "!":
        decision = cursor.take_word(*LEAVES) or cursor.refuse("lifecycle.unknown")
    elif cursor.next() != "+":
        decision = game.decision(cursor)
    chance: list[str] = []
    while cursor.take("+"):
        outcome_at = cursor.at
        chance.append(game.outcome(cursor) or cursor.refuse("chance.unknown"))
        if len(chance) > CHANCE_LIMIT:
            cursor.refuse("word.too-much-chance", outcome_at)
    if cursor.next():
        cursor.refuse("word.trailing")
    if not decision and not is_first:
        cursor.refuse("word.lacks-decision", start)
    return Word(decision, tuple(chance))


def read_marker(cursor: Cursor, behind: list[tuple[int, str]]) -> str:
    """`*`, `= -`, or `=` and the scores. `behind` has the words behind the first, with their places."""
    sign = cursor.take("*=")
    if cursor.next() or sign == "=" and not behind:
        cursor.refuse("marker.unknown", cursor.at - 1)
    if sign == "=" and behind[0][1] == "-":
        sign, behind = "= -", behind[1:]
    if sign != "=" and behind:
        cursor.refuse("marker.text-behind", behind[0][0])
    for at, score in behind:
        if not SCORE.fullmatch(score) or not -(2**31) <= int(score) < 2**31:
            cursor.refuse("marker.score", at)
    return " ".join([sign, *(score for _, score in behind)])


# ---- Streams ----


@dataclass
class Piece:
    """One record of a stream: the line on which it begins, and its bytes, of which the first 65,537 are kept."""

    line: int
    data: bytearray = field(default_factory=bytearray)
    blank: bool = field(default=True, repr=False)

    def add(self, data: bytes) -> None:
        self.blank = self.blank and not data.strip(b" \t\n\f\r")
        self.data += data[: RECORD_LIMIT + 1 - len(self.data)]


def read_stream(file: BinaryIO) -> Iterator[Piece]:
    """Cuts a file into its records: each begins at a line that begins with `MKN/`. Takes no more memory than a record needs."""
    piece, line, at_line_start = Piece(1), 1, True
    while data := file.readline(RECORD_LIMIT):
        if at_line_start and data.startswith(b"MKN/"):
            if not piece.blank:
                yield piece
            piece = Piece(line)
        piece.add(data)
        at_line_start = data.endswith(b"\n")
        line += at_line_start
    if not piece.blank:
        yield piece


# ---- The command line ----


def main(arguments: list[str]) -> int:
    if len(arguments) == 2 and arguments[0] == "--vectors":
        return check_vectors(Path(arguments[1]))
    if not arguments or arguments[0].startswith("-"):
        print("usage: mkn.py FILE..\n       mkn.py --vectors DIRECTORY", file=sys.stderr)
        return 2
    status = 0
    for name in arguments:
        with open(name, "rb") as file:
            for piece in read_stream(file):
                try:
                    record = read(piece.data)
                    print(f"{name}:{piece.line}: valid, {len(record.words)} words")
                except MknError as error:
                    print(f"{name}:{piece.line - 1 + error.line}:{error.column}: refused, {error.code}, {error.rule}")
                    status = 1
    return status


def check_vectors(folder: Path) -> int:
    """Compares what every vector wants of a reader without a board with what is said here."""
    wrong, counts = 0, Counter()
    for path in sorted(folder.rglob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                for wanted, said in compare(json.loads(line)):
                    counts[f"{path.parent.name}/{path.name}"] += 1
                    if wanted != said:
                        wrong += 1
                        print(f"{path}:{number}: wanted {wanted!r}, said {said!r}")
    for name, count in counts.items():
        print(f"{name}: {count} verdicts")
    print(f"{counts.total()} verdicts, {wrong} disagreements")
    return 1 if wrong or not counts else 0


def compare(vector: dict) -> Iterator[tuple[object, object]]:
    """Pairs of what is wanted and what is said."""
    if "pieces" in vector:
        pieces = list(read_stream(io.BytesIO(text_of(vector, "stream"))))
        yield [(piece["line"], piece["bytes"]) for piece in vector["pieces"]], [(piece.line, len(piece.data)) for piece in pieces]
        for wanted, piece in zip(vector["pieces"], pieces):
            yield from verdicts(wanted, read, piece.data)
    elif "position_line" in vector:
        yield from verdicts(vector, read_position_line, vector["position_line"])
    else:
        yield from verdicts(vector, read, text_of(vector, "record"))
    for ply in vector.get("plies", []):
        yield from verdicts({}, read_position_line, vector["record"][6:].split("\n")[0] + " position=" + ply["position"])


def text_of(vector: dict, key: str) -> bytes:
    if "hex" in vector:
        return bytes.fromhex(vector["hex"])
    return "".join(text * count for text, count in vector.get("parts", [(vector.get(key), 1)])).encode()


def verdicts(vector: dict, reader: Callable, text: Text) -> Iterator[tuple[object, object]]:
    """Is the text refused, and for the same reason; are its words those of the canonical form?"""
    wanted = vector.get("syntax", "valid")
    wanted = vector["error"] if wanted == "same" else wanted
    canonical = vector.get("record" if "plies" in vector else "canonical")
    try:
        record = reader(text)
    except MknError as error:
        said = {key: getattr(error, key) for key in ("code", "rule", "line", "column", "word")}
        yield wanted if wanted == "valid" else {key: wanted.get(key) for key in said}, said
    else:
        yield wanted, "valid"
        if canonical:
            yield canonical.split("\n")[2], " ".join([*map(str, record.words), record.marker])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
