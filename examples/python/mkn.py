#!/usr/bin/env python3
"""A reader of MKN, the notation in notation/GRAMMAR.md. It needs only Python 3.11 or newer.

    record = mkn.read("MKN/1 marrakech/1 seats=3\\n\\nN+3 d6e6 *\\n")
    record.setup.seats      # 3
    record.words[0]         # Word(decision='N', chance=('3',))

It knows how records are written, not how the games are played, so a record that it accepts may still break a rule. The file reads
from the top: the parts of a record, the tokens of each game, the record around them, streams of records, the command line.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import BinaryIO, NoReturn

WORD_LIMIT, LINE_LIMIT, RECORD_LIMIT = 64, 4096, 65536  # in bytes
CHANCE_LIMIT = 8  # outcomes in one word

LINE_END = re.compile(rb"\r\n?|\n")  # as editors count lines
NOT_ASCII = bytes(range(0x80, 0x100))
CONTROL = bytes([*range(0x20), 0x7F])
LEAD = b" \t>`\"'|#" + NOT_ASCII  # stray bytes before the `MKN/` of a record


# ---- The parts of a record ----


@dataclass(frozen=True)
class Setup:
    """The first line: the rule set and its options. `options` has only the options in the line, without `seats`."""

    ruleset: str
    seats: int
    options: dict[str, str]
    position: str | None = None


@dataclass(frozen=True)
class Word:
    """The decision of a seat, and the chance that it triggers: `N+3` is `N` and `3`. The first word may have no decision."""

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
    """Why a text is refused, and where. Line, column (in characters) and word count from 1. Outside the body, word is `None`."""

    line = column = 0
    word: int | None = None

    def __init__(self, rule: str, at: int, code: str = "notation_syntax"):
        self.rule, self.at, self.code = f"notation.{rule}", at, code

    def locate(self, data: bytes | bytearray) -> None:
        """Sets line and column of the byte `at` in the whole text."""
        ends = [end.end() for end in LINE_END.finditer(data) if end.end() <= self.at]
        self.line = len(ends) + 1
        line = data[ends[-1] if ends else 0 : self.at]
        self.column = 1 + sum(byte & 0xC0 != 0x80 for byte in line)  # skips bytes that continue a character

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.code}, {self.rule}" + (f", word {self.word}" if self.word else "")


@dataclass
class Cursor:
    """A place in a text, which advances over what is taken, up to `end`.

    Texts are bytes decoded as Latin-1, one character per byte, so that offsets are byte offsets.
    """

    text: str
    at: int
    end: int

    def next(self) -> str:
        """Returns the next character without taking it, or "" at the end."""
        return self.text[self.at : min(self.at + 1, self.end)]

    def take(self, allowed: str) -> str:
        """Takes the next character if it is one of these, else returns ""."""
        char = self.next()
        if not char or char not in allowed:
            return ""
        self.at += 1
        return char

    def need(self, allowed: str, rule: str) -> str:
        """Takes the next character, which must be one of these."""
        return self.take(allowed) or self.refuse(rule)

    def take_word(self, *words: str) -> str:
        """Takes the one of these words that comes next, else returns ""."""
        for word in words:
            if self.text.startswith(word, self.at, self.end):
                self.at += len(word)
                return word
        return ""

    def match(self, pattern: re.Pattern[str]) -> str:
        """Takes what matches next, else returns ""."""
        found = pattern.match(self.text, self.at, self.end)
        return self.take_word(found[0]) if found else ""

    def need_match(self, pattern: re.Pattern[str], rule: str) -> str:
        """Takes what comes next, which must match."""
        return self.match(pattern) or self.refuse(rule)

    def number(self, highest: int, rule: str) -> None:
        """Takes all digits that follow, which must be one number without leading zeros."""
        start = self.at
        digits = self.match(re.compile("[0-9]+"))
        if not re.fullmatch("0|[1-9][0-9]{0,3}", digits) or int(digits) > highest:
            self.refuse(rule, start)

    def field_ends(self) -> None:
        """Takes the `;` between two fields of a position."""
        self.need(";", "position.field")

    def refuse(self, rule: str, at: int | None = None) -> NoReturn:
        raise MknError(rule, self.at if at is None else at)


# ---- The games: their options, and how decisions, outcomes and positions are written ----
# To add a game, add a class with these six names (seats, options, clash, decision, outcome, position), and an entry in GAMES.

DIGITS, SEATS = "0123456789", "1234"


class Marrakech:
    """marrakech/1: `N` `E` `S` `W` turn Assam, `d6e6` lays a rug, `+3` is the die, and `+b` the colour turned up."""

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
        """Returns an option that is incompatible with the others."""
        if setup.seats != 2 and "two_player" in setup.options:
            return "two_player"
        if self.two_colours(setup) and int(setup.options.get("rugs_per_player", 24)) % 2:
            return "rugs_per_player"
        return None

    def two_colours(self, setup: Setup) -> bool:
        return setup.seats == 2 and setup.options.get("two_player") != "one-colour"

    def decision(self, cursor: Cursor) -> str:
        """Takes a decision and returns it in canonical form."""
        return cursor.take(self.FACINGS) or "".join(self.rug(cursor, "rug.no-common-side"))

    def outcome(self, cursor: Cursor) -> str:
        """Takes an outcome of chance, or returns "" if there is none."""
        return cursor.take(self.DIE + self.COLOURS)

    def rug(self, cursor: Cursor, rule: str) -> list[str]:
        """Takes two squares that share a side, and returns the western or southern one first."""
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
        self.board(cursor)
        cursor.field_ends()
        self.rugs(cursor)
        cursor.field_ends()
        self.square(cursor)
        cursor.need(self.FACINGS, "position.assam")
        cursor.field_ends()
        on_turn = cursor.need("-" + SEATS, "position.seat")
        cursor.field_ends()
        phase_at = cursor.at
        phase = cursor.take_word("orient", "lay", "over", "aborted") or cursor.refuse("position.phase")
        cursor.field_ends()
        self.numbers(cursor, ["", *"," * (setup.seats - 1)], "position.dirhams")
        cursor.field_ends()
        self.numbers(cursor, "rybg" if self.two_colours(setup) else "rbyg"[: setup.seats], "position.rugs-left")
        cursor.field_ends()
        hand = cursor.need("-" + self.COLOURS, "position.hand")
        over = phase in ("over", "aborted")
        if over != (on_turn == "-") or over and hand != "-" or phase == "lay" and hand == "-":
            cursor.refuse("position.phase", phase_at)
        cursor.field_ends()
        if not cursor.take("-"):
            seats_out = [cursor.need(SEATS, "position.out")]
            while cursor.take(","):
                seats_out += cursor.need(SEATS if len(seats_out) < 4 else "", "position.out")

    def board(self, cursor: Cursor) -> None:
        """Takes seven ranks of seven squares: visible halves, and runs of bare squares."""
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
        """Takes a number after each of these characters."""
        for lead in leads:
            if lead:
                cursor.need(lead, rule)
            cursor.number(9999, rule)


class Marrakesh:
    """marrakesh/1: `6s` plays a card, `??` an unknown card, `6@5` uses the 6 on the 5-point. `+112446/455566` are dice,
    `+b:6s2sAsQh5d3c` is Blue's hand (`r` for Red, twelve `?` if unknown), and `+5c` a bonus card."""

    seats = range(2, 3)
    options = {
        "full_ovals": ("move", "null-only"),
        "rounds": ("12", "6"),
        "sn_bonus": ("4", "1"),
        "value_order": ("free", "high-first"),
    }
    PACK = {number + suit: 1 if number == "Q" else 2 for suit in "shdc" for number in "65432AQ"}  # sorted, with the count of each
    UNKNOWN, HAND, DIE = "??", 6, "123456"
    CARD, USE = re.compile("[65432AQ][shdc]"), re.compile("[1-6]@[1-6]")

    POINTS, OVAL, OFF = re.compile("[0-6]{6}"), ".0123456X", "012345"
    CARD_OR_NONE, TWO_CARDS = re.compile(f"{CARD.pattern}|-"), re.compile(f"({CARD.pattern}){{2}}")
    TRICK = re.compile(f"[br]{TWO_CARDS.pattern}")
    OFFENCE = "(backgammon|tangier|gibraltar|gammon|el-ayun|bogart|casablanca|rabat|game)"
    DEFENCE = "((little|common|royal|grand)-fez|one-chip|two-chips)"
    SIDE_SCORE = rf"(0|pips|({OFFENCE}(\+{DEFENCE})?|{DEFENCE})(\+pips|(?!\+)))"
    SCORE = re.compile(f"{SIDE_SCORE}/{SIDE_SCORE}")

    def clash(self, setup: Setup) -> None:
        """All options are compatible."""

    def decision(self, cursor: Cursor) -> str:
        return self.card(cursor) or cursor.need_match(self.USE, "decision.unknown")

    def card(self, cursor: Cursor) -> str:
        """Takes a card, known or not, or returns "" if there is none."""
        return cursor.match(self.CARD) or cursor.take_word(self.UNKNOWN)

    def outcome(self, cursor: Cursor) -> str:
        if colour := cursor.take("br"):
            return colour + self.deal(cursor)
        if card := cursor.match(self.CARD):
            return card
        return self.dice(cursor) if cursor.next() in list(DIGITS) else ""

    def dice(self, cursor: Cursor) -> str:
        """Takes two throws of six dice, each sorted in ascending order."""
        dice = ""
        for place in range(13):
            die = cursor.need("/" if place == 6 else self.DIE, "dice.count")
            if die != "/" and die < dice[-1:]:  # no die is lower than "/"
                cursor.refuse("dice.order", cursor.at - 1)
            dice += die
        return dice

    def deal(self, cursor: Cursor) -> str:
        """Takes the colon and six cards, all known or all unknown."""
        cursor.need(":", "deal.cards")
        if unknown := cursor.take_word(self.UNKNOWN * self.HAND):
            return ":" + unknown
        cards = self.cards(cursor, "deal.order", "deal.not-in-pack")
        return ":" + "".join(cards) if len(cards) == self.HAND else cursor.refuse("deal.cards")

    def cards(self, cursor: Cursor, order: str, not_in_pack: str) -> list[str]:
        """Takes all cards that follow, which must be sorted and fit in one pack."""
        places, cards = list(self.PACK), []
        while card := cursor.match(self.CARD):
            if cards and places.index(card) < places.index(cards[-1]):
                cursor.refuse(order, cursor.at - len(card))
            if cards.count(card) == self.PACK[card]:
                cursor.refuse(not_in_pack, cursor.at - len(card))
            cards.append(card)
        return cards

    def position(self, cursor: Cursor, setup: Setup) -> None:
        cursor.number(255, "position.round")
        for side in (self.points, self.ovals, self.hand):
            cursor.field_ends()
            side(cursor)
            cursor.need("/", "position.pair")
            side(cursor)
        cursor.field_ends()
        self.list_of(cursor, self.TRICK, 6, "position.tricks")
        cursor.field_ends()
        self.turn(cursor)
        cursor.field_ends()
        self.discards(cursor)
        cursor.field_ends()
        cursor.need_match(self.CARD_OR_NONE, "position.top-discard")
        cursor.field_ends()
        self.list_of(cursor, self.SCORE, 12, "position.scores")
        cursor.field_ends()
        if not cursor.take_word("-", "left1", "left2", "aborted"):
            cursor.refuse("position.stop")

    def points(self, cursor: Cursor) -> None:
        start = cursor.at
        if sum(map(int, cursor.need_match(self.POINTS, "position.points"))) > 6:
            cursor.refuse("position.points", start)

    def ovals(self, cursor: Cursor) -> None:
        for _ in range(3):
            cursor.need(self.OVAL, "position.ovals")

    def hand(self, cursor: Cursor) -> None:
        """Takes a hand, all known or all unknown."""
        rule = "position.hand"
        if not (cursor.take("-") or self.unknown(cursor) or self.cards(cursor, rule, rule)):
            cursor.refuse(rule)

    def discards(self, cursor: Cursor) -> None:
        """Takes the discards, unknown ones last."""
        rule = "position.discards"
        if not (cursor.take("-") or self.cards(cursor, rule, rule) + self.unknown(cursor)):
            cursor.refuse(rule)

    def unknown(self, cursor: Cursor) -> list[str]:
        """Takes all `??` that follow, at most a pack."""
        cards: list[str] = []
        while len(cards) < sum(self.PACK.values()) and cursor.take_word(self.UNKNOWN):
            cards.append(self.UNKNOWN)
        return cards

    def list_of(self, cursor: Cursor, pattern: re.Pattern[str], most: int, rule: str) -> None:
        """Takes `-`, or one to `most` matches with commas between."""
        if cursor.take("-"):
            return
        count = 0
        while not count or cursor.take(","):
            if count == most:
                cursor.refuse(rule)
            cursor.need_match(pattern, rule)
            count += 1

    def turn(self, cursor: Cursor) -> None:
        """Takes the seat, its task, the cards on the table, and the numbers left to use."""
        seat = cursor.need("-" + SEATS, "position.seat")
        cursor.field_ends()
        start = cursor.at
        phase = cursor.take_word("lead", "reply", "use", "over") or cursor.refuse("position.phase")
        cursor.field_ends()
        if seat not in ("-" if phase == "over" else "12"):
            cursor.refuse("position.phase", start)
        if phase == "use":
            cursor.need_match(self.TWO_CARDS, "position.table")
            cursor.field_ends()
            self.values(cursor)
            cursor.field_ends()
            cursor.need(self.OFF, "position.off")
            cursor.field_ends()
            cursor.need_match(self.CARD_OR_NONE, "position.bonus")
            return
        on_table = self.card(cursor) if phase == "reply" else cursor.take("-")
        if not on_table:
            cursor.refuse("position.table")
        for _ in range(3):
            cursor.field_ends()
            cursor.need("-", "position.table")

    def values(self, cursor: Cursor) -> None:
        """Takes at most six numbers, largest first."""
        values = cursor.need(self.DIE, "position.values")
        while value := cursor.take(self.DIE):
            if value > values[-1] or len(values) == 6:
                cursor.refuse("position.values", cursor.at - 1)
            values += value


Game = Marrakech | Marrakesh  # or the next one
GAMES: dict[str, Game] = {"marrakech/1": Marrakech(), "marrakesh/1": Marrakesh()}


# ---- A record ----

Text = str | bytes | bytearray

RULESET = re.compile(r"[a-z-]+/[0-9]+")
SETTING = re.compile(r"[a-z_]+=[A-Za-z0-9-]+")
WORD = re.compile(r"[^ \t\n]+")
TAG_NAME = re.compile(r"[a-z0-9-]+")
SCORE = re.compile(r"0|-?[1-9][0-9]*")
LEAVES = [f"!{how}{seat}" for how in ("resign", "timeout") for seat in SEATS] + ["!abort"]


def read(text: Text) -> Record:
    """Reads one record. Raises the first `MknError` in the order of GRAMMAR.md."""
    with reading(text) as text:
        return read_record(text)


def read_position_line(line: Text) -> Setup:
    """Reads a position line: a setup line without `MKN/1 ` that ends in `position=`."""
    with reading(line) as text:
        if len(text.encode()) > LINE_LIMIT:
            raise MknError("limit.line", LINE_LIMIT)
        ruleset, settings = split_setup(text, 0, len(text))
        if "position" not in settings:
            raise MknError("setup.no-position", len(text))
        return read_setup(text, ruleset, settings)


@contextmanager
def reading(text: Text) -> Iterator[str]:
    """Decodes the bytes for reading, and gives errors their line and column."""
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
    """Reads a record. Checks come in the order in which errors are reported."""
    lines = split_lines(text)
    start, end = next(lines)
    check_length(start, end)
    notation = text[start:end].split(" ")[0]
    if re.fullmatch("MKN/[0-9]+", notation) and notation != "MKN/1":
        raise MknError("version", start, "unsupported_notation")
    if notation != "MKN/1":
        small = re.match("(?=[Mm][Kk][Nn]/)[MKN]*[mkn]", notation)
        raise MknError("setup.no-format", small.end() - 1 if small else stray(text, start, start + len(notation)))
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
    words, marker = read_body(text, body, GAMES[setup.ruleset], setup.seats)
    return Record(setup, tags, words, marker)


def split_lines(text: str) -> Iterator[tuple[int, int]]:
    """Yields where each line begins and ends. A line end is LF or CRLF. A text always has a first line."""
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


def stray(text: str, at: int, end: int) -> int:
    """Returns where a part is wrong: at its first character that is not visible ASCII, or else at its start."""
    found = re.compile("[^!-~]").search(text, at, end)
    return found.start() if found else at


Part = tuple[int, str]  # a part of the setup line: its offset, and its text, or the value of a setting


def split_setup(text: str, start: int, end: int) -> tuple[Part, dict[str, Part]]:
    """Returns the rule set and the settings by name. Checks only their form. `read_setup` checks their meaning, because errors in
    tags come in between."""
    settings: dict[str, Part] = {}
    ruleset, *parts = text[start:end].split(" ")
    if not RULESET.fullmatch(ruleset):
        raise MknError("setup.ruleset", stray(text, start, start + len(ruleset)))
    at = start + len(ruleset) + 1
    for part in parts:
        name, _, value = part.partition("=")
        if "position" in settings:
            raise MknError("setup.behind-position", stray(text, at, at + len(part)))
        if name != "position" and not SETTING.fullmatch(part) or part == "position":
            raise MknError("setup.setting", stray(text, at, at + len(part)))
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
    """Checks the meaning of the setup line."""
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
        try:
            game.position(cursor, setup)
            if cursor.next():
                cursor.refuse("position.trailing")
        except MknError as wrong:
            if (place := stray(text, at, cursor.end)) != at:
                wrong.at = place
            raise
    return setup


def read_tag(line: str, at: int) -> tuple[str, str]:
    """Reads `name: value`, where the value may be missing. Reports an error at the wrong character, if there is one."""
    name, colon, value = line.partition(":")
    if not colon or not TAG_NAME.fullmatch(name):
        blank = not line.encode("latin-1").decode().strip()
        found = re.search(r"." if blank else r"[^ -~]", name, re.DOTALL)
        raise MknError("tag.name", at + (found.start() if found else 0))
    value_at = at + len(name) + 2
    if value and value[0] != " ":
        raise MknError("tag.space", at if "!" <= value[0] <= "~" else value_at - 1)
    value = value[1:].encode("latin-1").decode()
    control = next((i for i, char in enumerate(value) if ord(char) < 0x20 or 0x7F <= ord(char) <= 0x9F), None)
    if value != value.lstrip():
        raise MknError("tag.value", value_at)
    if control is not None or value != value.rstrip():
        wrong = len(value.rstrip()) if control is None else control
        raise MknError("tag.value", value_at + len(value[:wrong].encode()))
    return name, value


def read_body(text: str, start: int, game: Game, seats: int) -> tuple[list[Word], str]:
    """Reads the words and the end marker, up to the start of another record."""
    text = text.replace("\r\n", " \n")  # from here on, a CR is an ordinary character
    second = second_record(text.encode("latin-1"), start)
    places = [match.span() for match in WORD.finditer(text, start, second[0] if second else len(text))]
    words: list[Word] = []
    for number, (at, end) in enumerate(places, start=1):
        cursor = Cursor(text, at, end)
        try:
            if cursor.next() in "*=":
                if second:
                    cursor.refuse("record.second", second[1])
                return words, read_marker(cursor, [(at, text[at:end]) for at, end in places[number:]], seats)
            words.append(read_word(cursor, game, is_first=number == 1))
        except MknError as wrong:
            wrong.word = number
            if wrong.rule not in ("notation.limit.word", "notation.record.second"):
                at, end = next(place for place in places[number - 1 :] if wrong.at <= place[1])
                wrong.at = stray(text, at, end) if stray(text, at, end) != at else wrong.at
            raise
    if second:
        wrong = MknError("record.second", second[1])
        wrong.word = len(places) + 1
        raise wrong
    raise MknError("marker.missing", len(text), "missing_marker")


def read_word(cursor: Cursor, game: Game, is_first: bool) -> Word:
    """Reads a decision or a leave, and the chance after it. The first word may be chance alone."""
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


def read_marker(cursor: Cursor, behind: list[tuple[int, str]], seats: int) -> str:
    """Reads `*`, `= -`, or `=` and the scores. `behind` has the words after the first, with their offsets."""
    sign = cursor.take("*=")
    if cursor.next() or sign == "=" and not behind:
        cursor.refuse("marker.unknown", cursor.at - 1)
    if sign == "=" and behind[0][1] == "-":
        sign, behind = "= -", behind[1:]
    if sign != "=" and behind:
        cursor.refuse("marker.text-behind", behind[0][0])
    for count, (at, score) in enumerate(behind):
        if not SCORE.fullmatch(score) or not -(2**31) <= int(score) < 2**31:
            cursor.refuse("marker.score" if count < seats else "marker.text-behind", at)
    return " ".join([sign, *(score for _, score in behind)])


# ---- Streams ----


@dataclass
class Piece:
    """A record of a stream: the line on which it begins, and its first 65,537 bytes."""

    line: int
    before: int = 0  # characters on that line
    data: bytearray = field(default_factory=bytearray)
    blank: bool = field(default=True, repr=False)

    def add(self, data: bytes) -> None:
        self.blank = self.blank and not data.strip(b" \t\n\f\r")
        self.data += data[: RECORD_LIMIT + 1 - len(self.data)]


MARKER = re.compile(rb"(?<![^ \t\n\f\r])[*=][0-9 \t-]*")


def begins_on(line: bytes, part: str) -> tuple[int, int] | None:
    """Returns where a record begins on a line, and the place of its `MKN/` (its start if that is missing).

    `part` is the part that the line belongs to: "" (before any record), "setup", "tags", "body", or "finished" after the end marker.
    """
    for shown in re.finditer(b"[/=]", line) if part != "setup" else ():
        end = shown.end()
        from_ = max(0, end - LINE_LIMIT)
        text = line[from_:end]
        is_mark = text[-4:].upper() == b"MKN/"
        before = text[:-4] if is_mark else text[:-1]
        if text.endswith(b"="):
            begins = text[-6:].lower() == b"seats=" and not (part == "tags" and b":" in text)
        elif not (begins := is_mark and part in ("body", "finished")):
            rest = without_letters(text[:-1])
            letters = sum(byte & 0xC0 != 0x80 for byte in text[len(rest) : -1])
            begins = letters >= len("MKN") and not rest.strip(LEAD + CONTROL)
        if not begins:
            continue
        start = len(before) - len(re.split(rb"[\0-\x08\x0a-\x1f\x7f]", before)[-1])
        if part == "body":
            if markers := [*MARKER.finditer(before)]:
                start = max(start, markers[-1].end())
            elif is_mark:
                start = len(before.rstrip(LEAD))
        return from_ + start, from_ + (len(before) if is_mark else start)
    return None


def without_letters(text: bytes) -> bytes:
    """Returns the text without a final `MKN`, in lower or upper case, or with non-ASCII characters in place of letters."""
    for letter in ("N", "K", "M"):
        text = text.rstrip(NOT_ASCII)
        text = text[:-1] if text[-1:].upper() == letter.encode() else text
    return text.rstrip(NOT_ASCII)


def second_record(data: bytes, start: int) -> tuple[int, int] | None:
    """Returns where another record begins in or after a body, and the place of its `MKN/`."""
    part = "body"
    for line in re.finditer(rb"[^\r\n]+|[\r\n]", data[start:]):
        if found := begins_on(line[0], part):
            return start + line.start() + found[0], start + line.start() + found[1]
        if part == "body" and MARKER.search(line[0]):
            part = "finished"
    return None


def read_stream(file: BinaryIO) -> Iterator[Piece]:
    """Splits a file into its records, as in "Files" of GRAMMAR.md. Needs no more memory than one record."""
    piece, number, part, is_line_start = Piece(1), 1, "", True
    while data := file.readline(RECORD_LIMIT):
        for line in re.findall(rb"[^\r\n]+(?:\r\n?|\n)?|\r\n?|\n", data):
            text = line.rstrip(b"\r\n")
            utf16 = is_line_start and text[:2] in (b"\xff\xfe", b"\xfe\xff")
            found = (0, 0) if utf16 else begins_on(text, part)
            if found:
                piece.add(line[: found[0]])
                if not piece.blank:
                    yield piece
                before = sum(byte & 0xC0 != 0x80 for byte in line[: found[0]])
                piece, part = Piece(number, before), "setup"
            piece.add(line[found[0] if found else 0 :])
            has_ended = line != text
            if has_ended:
                if part == "setup":
                    part = "tags"
                elif part == "tags" and is_line_start and not text:
                    part = "body"
                elif part == "body" and MARKER.search(text):
                    part = "finished"
            is_line_start = has_ended
            number += has_ended
    if not piece.blank:
        yield piece


# ---- The command line ----


def main(arguments: list[str]) -> int:
    if len(arguments) == 2 and arguments[0] == "--vectors":
        import check_vectors  # imported here, because it imports this module

        return check_vectors.main(arguments[1:])
    if not arguments or arguments[0].startswith("-"):
        print("usage: mkn.py FILE..\n       mkn.py --vectors DIRECTORY", file=sys.stderr)
        return 2
    status = 0
    for name in arguments:
        try:
            with open(name, "rb") as file:
                for piece in read_stream(file):
                    try:
                        record = read(piece.data)
                        print(f"{name}:{piece.line}: valid, {len(record.words)} words")
                    except MknError as error:
                        column = error.column + (piece.before if error.line == 1 else 0)
                        print(f"{name}:{piece.line - 1 + error.line}:{column}: refused, {error.code}, {error.rule}")
                        status = max(status, 1)
        except BrokenPipeError:
            raise
        except OSError as error:
            print(f"mkn.py: {name}: {error.strerror}", file=sys.stderr)
            status = 2
    return status


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BrokenPipeError:
        sys.stderr.close()  # the reader closed the pipe and has seen enough
        sys.exit(2)
