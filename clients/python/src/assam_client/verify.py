#!/usr/bin/env python3
"""docs/chance.md as a program: the heads and the chance of a game, recomputed with SHA-256 and HMAC alone.

    curl -s http://127.0.0.1:8080/v1/games/$ID/proof | python3 verify.py -

For Python 3.10 or newer. This file needs nothing but the standard library, not even the rest of the package. It reads from the top:
hashes and heads, which anybody can recompute at any time; what follows from the seed, which is told when the game is over; the
chance of each game; the command line.

It knows next to no rules. So it takes for granted that the words are legal and how much each must draw, what the player `random`
chooses, and which numbers `solitaire-ai` uses: `assam verify` knows the rules, and recomputes these too.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .interface import HeadView, Proof, ProvedPart, ProvedWord

Draw = Callable[[int], int]  # a number below the given one, each equally likely


class Wrong(Exception):
    """Something in a proof is not what it must be."""


def same(where: str, expected: object, found: object) -> None:
    if expected != found:
        raise Wrong(f"{where}: expected {expected}, found {found}")


# ---- Hashes ----


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def start(proof: Proof) -> bytes:
    """The head before the first word: it fixes all that the chance depends on."""
    if proof["imported"]:
        lines = ["assam/1", "import", proof["setup"]]
    else:
        lines = ["assam/1", proof["setup"], f"game {proof['game']}", f"commitment {proof['commitment']}"]
        for seat in proof["seats"]:
            lines.append(f"seat {seat['seat']} {seat['kind']} {seat['player'] or '-'} {seat['entropy'] or '-'}")
    return sha256("".join(line + "\n" for line in lines).encode("ascii"))


def is_hidden(token: str) -> bool:
    """Is this a token that whoever asked for the proof may not read, such as `??`? Of it the proof has the hash alone."""
    return "?" in token


def check_part(where: str, part: ProvedPart) -> bytes:
    """The hash of a part. A part that is sealed has a salt of its own, so that nobody finds its token by trying."""
    found = bytes.fromhex(part["hash"])
    if is_hidden(part["token"]):
        same(f"{where}: salt", None, part["salt"])
        return found
    token = part["token"].encode("ascii")
    if part["salt"] is None:
        expected = sha256(b"\x00", token)
    else:
        expected = sha256(b"\x01", bytes.fromhex(part["salt"]), token)
    same(f"{where}: hash", expected.hex(), found.hex())
    return expected


def check_heads(proof: Proof) -> None:
    """Every head follows from the head before it and from the parts of its word."""
    head = start(proof)
    same("start", head.hex(), proof["start"])
    words = proof["words"]
    # Ply 0 is what is drawn before the first decision, where anything is: it has no part 0.
    first = 0 if words and words[0]["parts"][0]["part"] == 1 else 1
    ply = 0
    for ply, word in enumerate(words, first):
        same("number of the ply", ply, word["ply"])
        numbers = list(range(ply == 0, len(word["parts"]) + (ply == 0)))
        same(f"ply {ply}: numbers of the parts", numbers, [part["part"] for part in word["parts"]])
        hashes = [check_part(f"ply {ply}, part {part['part']}", part) for part in word["parts"]]
        leaf = sha256(b"\x02", *hashes)
        head = sha256(b"\x03", head, leaf)
        same(f"ply {ply}: head", head.hex(), word["head"])
    same("head", {"ply": ply, "hash": head.hex()}, proof["head"])


# ---- What follows from the seed ----


def mac(proof: Proof, label: str, rest: str) -> bytes:
    text = f"{label}\n{proof['start']}\n{rest}"
    return hmac.new(bytes.fromhex(proof["seed"] or ""), text.encode("ascii"), hashlib.sha256).digest()


def draws(proof: Proof, label: str, ply: int) -> Draw:
    """The draws of one ply, counted by k. The x at the top that would favour small numbers are refused."""
    k = -1

    def draw(things: int) -> int:
        nonlocal k
        k, counter = k + 1, 0
        if not 0 < things < 2**64:
            raise Wrong(f"ply {ply}: chance: expected a draw out of 1 thing or more, found {things}")
        while True:
            x = int.from_bytes(mac(proof, label, f"{ply} {k} {counter}")[:8], "big")
            if x < 2**64 // things * things:
                return x % things
            counter += 1

    return draw


def check_seed(proof: Proof) -> None:
    """The seed is the one that was committed to, and every salt follows from it."""
    same("commitment", sha256(bytes.fromhex(proof["seed"] or "")).hex(), proof["commitment"])
    for word in proof["words"]:
        for part in word["parts"]:
            where = f"ply {word['ply']}, part {part['part']}"
            if is_hidden(part["token"]):
                raise Wrong(f"{where}: token: expected all to be open, as the seed is, found {part['token']}")
            if part["salt"] is not None:
                same(f"{where}: salt", mac(proof, "salt", f"{word['ply']} {part['part']}").hex(), part["salt"])


# ---- Marrakech: dice and rugs ----


def position_of(setup: str) -> list[str]:
    """The fields of the position in which a game begins; none where it begins at the start."""
    found = re.search(r" position=(\S+)", setup)
    return found[1].split(";") if found else []


def marrakech(proof: Proof) -> Iterator[tuple[str, object, object]]:
    """What the seed gives and what the words say. Each `+` is one draw: a face of the die, or a rug of the own pile."""
    setup, position = proof["setup"], position_of(proof["setup"])
    rugs = re.search(r" rugs_per_player=(\d+)", setup)
    pile: dict[str, int] = {}
    if len(proof["seats"]) == 2 and " two_player=one-colour" not in setup:
        pile = dict.fromkeys("rybg", int(rugs[1]) // 2 if rugs else 12)
    if pile and position:
        pile |= {colour: int(left) for colour, left in re.findall(r"([rybg])(\d+)", position[6])}
        if position[7] in pile:
            pile[position[7]] -= 1  # it is in hand already
    for word in proof["words"]:
        draw = draws(proof, "chance", word["ply"])
        for part in drawn(word):
            found = part["token"]
            if found in pile:
                first, second = "ry" if found in "ry" else "bg"
                expected = first if draw(pile[first] + pile[second]) < pile[first] else second
                pile[found] -= 1
            else:
                expected = "122334"[draw(6)]
            yield f"ply {word['ply']}, part {part['part']}: chance", expected, found


def drawn(word: ProvedWord) -> list[ProvedPart]:
    """The parts of a word that were drawn."""
    return [part for part in word["parts"] if part["part"] > 0]


# ---- Marrakesh: dice and cards ----

FACES = [rank + suit for suit in "shdc" for rank in "65432AQ"]
PACK = [face for face in FACES for _ in range(1 if face[0] == "Q" else 2)]
CARD = re.compile(r"[65432AQ][shdc]")


def throws(draw: Draw) -> str:
    """Blue's six dice, then Red's; where the boards are equal the draws run on."""
    while True:
        blue, red = ("".join(sorted("123456"[draw(6)] for _ in range(6))) for _ in range(2))
        if blue != red:
            return f"{blue}/{red}"


def leads_first(dice: str) -> int:
    """Who has more pieces on the 1-point; if equal, on the 2-point, and so on."""
    blue, red = ([throw.count(point) for point in "123456"] for throw in dice.split("/"))
    return 1 if blue > red else 2


def winner(leader: int, lead: str, reply: str) -> int:
    """In one suit the reply wins; else the higher suit, s h d c, but clubs beat spades."""
    suits = lead[1] + reply[1]
    lead_wins = suits == "cs" or suits != "sc" and "shdc".index(suits[0]) < "shdc".index(suits[1])
    return leader if lead_wins else 3 - leader


def marrakesh(proof: Proof) -> Iterator[tuple[str, object, object]]:
    """What the seed gives and what the words say: dice, hands, bonus cards, and the cards of `solitaire-ai`.

    Only this much of the rules is needed: whose card it is, and when the cards are shuffled.
    """
    kinds = {seat["seat"]: seat["kind"] for seat in proof["seats"]}
    deck, rounds, leader = list(PACK), 0, 0
    lead: str | None = None
    hands: dict[int, list[str]] = {1: [], 2: []}
    if position := position_of(proof["setup"]):
        # Who uses a trick leads to the next one; what lies open somewhere is not in the deck.
        rounds, leader = int(position[0]), int(position[5])
        for card in CARD.findall(";".join(position[field] for field in (3, 4, 7, 11))):
            deck.remove(card)
    for word in proof["words"]:
        ply, draw, after = word["ply"], draws(proof, "chance", word["ply"]), drawn(word)
        # A bonus card, or not; dice and both hands, or neither.
        shape = "".join("d" if "/" in part["token"] else part["token"][0] if ":" in part["token"] else "c" for part in after)
        if not re.fullmatch("c?(dbr)?", shape):
            raise Wrong(f"ply {ply}: chance: expected a bonus card, dice and two hands, or some of these, found {word['parts']}")
        if word["parts"][0]["part"] == 0:
            decision = word["parts"][0]["token"]
            if CARD.fullmatch(decision):
                seat = leader if lead is None else 3 - leader
                if kinds[seat] == "solitaire-ai":
                    choice = hands[seat][draws(proof, "choice", ply)(len(hands[seat]))]
                    yield f"ply {ply}, part 0: choice", choice, decision
                if decision not in hands[seat]:
                    raise Wrong(f"ply {ply}, part 0: token: expected a card in the hand of seat {seat}, found {decision}")
                hands[seat].remove(decision)
                if lead is None:
                    lead = decision
                else:
                    leader, lead = winner(leader, lead, decision), None
        for part in after:
            where, found = f"ply {ply}, part {part['part']}: chance", part["token"]
            if "/" in found:
                rounds += 1
                if rounds % 3 == 1:
                    deck = list(PACK)
                expected = throws(draw)
                leader, hands = leads_first(expected), {1: [], 2: []}
            elif found.startswith("b:"):
                # Dealt alternately, Blue first: one draw a card, out of what is left in the deck.
                for _ in range(6):
                    for seat in (1, 2):
                        hands[seat].append(deck.pop(draw(len(deck))))
                for hand in hands.values():
                    hand.sort(key=FACES.index)
                expected = "b:" + "".join(hands[1])
            elif found.startswith("r:"):
                expected = "r:" + "".join(hands[2])
            else:
                expected = deck.pop(draw(len(deck)))
            yield where, expected, found


def must_be_sealed(proof: Proof) -> Iterator[tuple[str, object, object]]:
    """In Marrakesh hands and leads are sealed, and nothing else is: every other card that is decided on is a lead."""
    cards = 0
    decisions = [word["ply"] for word in proof["words"] if word["parts"][0]["part"] == 0]
    for word in proof["words"]:
        for part in word["parts"]:
            token = part["token"]
            if token == "??" and word["ply"] != decisions[-1]:
                raise Wrong(f"ply {word['ply']}, part 0: token: expected an open one, as the lead was answered, found ??")
            is_card = part["part"] == 0 and (CARD.fullmatch(token) or token == "??")
            sealed = token.startswith(("b:", "r:")) or bool(is_card) and cards % 2 == 0
            cards += bool(is_card)
            is_sealed = part["salt"] is not None or is_hidden(token)
            where = f"ply {word['ply']}, part {part['part']}: is it sealed"
            yield where, sealed and not proof["imported"], is_sealed


# ---- The command line ----

GAMES = {"marrakech/1": marrakech, "marrakesh/1": marrakesh}
LIMIT = 16 * 1024 * 1024


def verify(proof: Proof, game: str | None = None, kept: Iterable[HeadView] = ()) -> list[str]:
    """What was verified, and what was not; or it raises `Wrong`.

    The proof must be of this game, if one is named, and have the heads that were kept.
    """
    if game is not None:
        same("game", game, proof["game"])
    ruleset = proof["setup"].split(" ")[1]
    if ruleset not in GAMES:
        raise Wrong(f"setup: expected one of {', '.join(GAMES)}, found {ruleset!r}")
    if not isinstance(proof["imported"], bool):
        raise Wrong(f"imported: expected true or false, found {proof['imported']}")
    for seat in proof["seats"]:
        if proof["imported"]:
            same(f"seat {seat['seat']}", ("human", None, None), (seat["kind"], seat["player"], seat["entropy"]))
    check_heads(proof)
    told = [f"heads: {len(proof['words'])}, up to ply {proof['head']['ply']}: {proof['head']['hash']}"]
    heads = {0: proof["start"]} | {word["ply"]: word["head"] for word in proof["words"]}
    for number, head in enumerate(kept, 1):
        same(f"head that was kept, ply {head['ply']}", head["hash"], heads.get(head["ply"]))
        told[1:] = [f"heads that were kept: {number}, all in their places"]
    hidden = sum(is_hidden(part["token"]) for word in proof["words"] for part in word["parts"])
    if hidden:
        told.append(f"not verified: tokens that are hidden from the requester of this proof: {hidden}")
    if ruleset == "marrakesh/1":
        for where, expected, found in must_be_sealed(proof):
            same(where, expected, found)
    else:
        for word in proof["words"]:
            for part in word["parts"]:
                same(f"ply {word['ply']}, part {part['part']}: salt", None, part["salt"])
    if proof["imported"]:
        return told + ["not verified: chance, as the game was imported, and nobody committed to a seed"]
    if proof["seed"] is None:
        return told + ["not verified: chance, as the seed is published when the game is over"]
    check_seed(proof)
    told.append("seed: the one that was committed to; all salts follow from it")
    count = 0
    for where, expected, found in GAMES[ruleset](proof):
        same(where, expected, found)
        count += 1
    has_ai = any(seat["kind"] == "solitaire-ai" for seat in proof["seats"])
    told.append(f"chance: {count} outcomes" + (", the cards of solitaire-ai among them" if has_ai else ""))
    for seat in proof["seats"]:
        if seat["kind"] == "random":
            told.append(f"not verified: what seat {seat['seat']}, random, chose: that needs the rules")
        if seat["kind"] == "solitaire-ai":
            told.append(f"not verified: which numbers seat {seat['seat']}, solitaire-ai, used: that needs the rules")
    return told


def main(files: list[str]) -> int:
    if not files:
        print(__doc__)
        return 2
    status = 0
    for file in files:
        try:
            with open(0 if file == "-" else file, "rb") as source:
                text = source.read(LIMIT + 1)
            if len(text) > LIMIT:
                raise Wrong(f"no proof has more than {LIMIT} bytes")
            proof = json.loads(text)
            for line in verify(proof):
                print(f"{file}: {line}")
        except Wrong as wrong:
            print(f"{file}: {wrong}", file=sys.stderr)
            status = 1
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
            print(f"{file}: not a proof: {error!r}", file=sys.stderr)
            status = 1
        except OSError as error:
            print(f"{file}: {error}", file=sys.stderr)
            status = 2
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
