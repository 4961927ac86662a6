#!/usr/bin/env python3
"""Recomputes the heads and the chance of a game with SHA-256 and HMAC alone, as docs/reference/proof-format.md describes.

    curl -s http://127.0.0.1:8080/v1/games/$ID/proof | python3 verify.py -
    python3 verify.py --commitment HASH --receipt FILE proof.json

HASH is the commitment that you were shown before the game started, FILE the response to taking a seat. The proof must match both.

For Python 3.10 or newer. This file needs only the standard library, not even the rest of the package. It reads from the top: hashes
and heads, which anyone can recompute at any time, then the keys of the plies, which determine all open draws even while the game
is running, then the seed, which is published when the game is over, then the chance of each game, and the command line.

It knows hardly any rules. It trusts that the words are legal and draw as much as they must, what the player `random` chooses, which
numbers `solitaire-ai` uses, and all decisions of other built-in players, such as merchants, which it only counts. `assam verify`
knows the rules and the players, and checks these too.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .client import Receipt
    from .interface import GameView, HeadView, Proof, ProvedPart, ProvedSeat, ProvedWord, BeaconRound, SeatView

Draw = Callable[[int], int]  # returns a number below the given one, each equally likely


class Wrong(Exception):
    """A proof, or something kept from the game, is wrong."""


def same(where: str, expected: object, found: object) -> None:
    # As written, because 1 is not True.
    if repr(expected) != repr(found):
        raise Wrong(f"{where}: expected {expected}, found {found}")


# ---- Hashes ----


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def holder(seat: ProvedSeat | SeatView) -> str:
    """Returns the holder of a seat, with entropy, in the form of the start."""
    revision = "-" if seat["revision"] is None else seat["revision"]
    return f"{seat['kind']} {seat['player'] or '-'} {seat['entropy'] or '-'} {revision}"


def randomness(beacon: BeaconRound) -> bytes:
    """Returns what a beacon round adds to the chance: the hash of its signature, which is not checked here."""
    if not isinstance(beacon, dict) or type(beacon.get("round")) is not int:
        raise Wrong(f"beacon: expected chain, round and signature, found {beacon}")
    if re.fullmatch("[0-9a-f]{96}", beacon["signature"]) is None:
        raise Wrong(f"beacon: expected a signature of 96 lower-case hex digits, found {beacon['signature']}")
    return sha256(bytes.fromhex(beacon["signature"]))


def start(proof: Proof) -> bytes:
    """Returns the head before the first word, which fixes all that the chance depends on."""
    if proof["imported"]:
        lines = ["assam/1", "import", proof["setup"]]
    else:
        holders = [holder(seat) for seat in proof["seats"]]
        lines = ["assam/1", *fixed(proof["setup"], proof["game"], proof["commitment"], holders)]
        if (beacon := proof.get("beacon")) is not None:
            lines.append(f"beacon {beacon['chain']} {beacon['round']} {randomness(beacon).hex()}")
    return of_lines(lines)


def fixed(setup: str, game: str, commitment: str | None, holders: list[str]) -> list[str]:
    """Returns the lines that the chance depends on, with these holders of the seats."""
    seats = [f"seat {number} {holder}" for number, holder in enumerate(holders, 1)]
    return [setup, f"game {game}", f"commitment {commitment}", *seats]


def of_lines(lines: list[str]) -> bytes:
    if any("\n" in line for line in lines):
        raise Wrong("start: expected texts of one line each, found a longer one")
    return sha256("".join(line + "\n" for line in lines).encode("ascii"))


def digest_of_seats(view: GameView, holders: list[str], revision: int) -> str:
    """Returns the digest of a game's seats with these holders, at this revision."""
    beacon = [f"beacon {shown['chain']}"] if (shown := view.get("beacon")) else []
    lines = fixed(view["setup"], view["id"], view["commitment"], holders)
    return of_lines(["assam/seats", *lines, *beacon, f"revision {revision}"]).hex()


def seats_before(view: GameView, seats: Sequence[ProvedSeat | SeatView], number: int, held: int | None) -> str:
    """Returns the digest of the seats before the player of a seat sent entropy, without the players who came later. `held` is the revision
    at which that player already had the seat without entropy."""
    own = seats[number - 1]
    since = own["revision"] or 0
    holders = []
    for seat in seats:
        if (seat["revision"] or 0) > since or (seat is own and held is None):
            holders.append("open - - -")
        elif seat is own:
            holders.append(f"{own['kind']} {own['player']} - {held}")
        else:
            holders.append(holder(seat))
    # The next seat taken gets the next revision.
    return digest_of_seats(view, holders, since - 1)


def is_open(seat: ProvedSeat | SeatView) -> bool:
    return seat["kind"] == "open"


def check_seats(setup: str, seats: Sequence[ProvedSeat | SeatView]) -> None:
    """Checks that each seat is in its place and has a holder in the form of the start, and that no two share a player or a revision."""
    same("number of seats", int(setup.split(" seats=")[1][0]), len(seats))
    for number, seat in enumerate(seats, 1):
        same(f"seat {number}", number, seat["seat"])
        texts = [seat["kind"], seat["player"], seat["entropy"]]
        is_typed = all(text is None or isinstance(text, str) and text != "-" for text in texts)
        people = "human ([0-9a-f]{20}|-) ([0-9a-f]{64}|-) (0|[1-9][0-9]{0,14}|-)"
        # Other kinds are built-in players, known here or not. A kind may have a version.
        is_holder = re.fullmatch(f"{people}|(?!human )[a-z0-9-]{{1,20}}(/[1-9][0-9]{{0,3}})? - - -", holder(seat))
        if not is_typed or not is_holder or type(seat["revision"]) not in (int, type(None)):
            raise Wrong(f"seat {number}: expected a holder, found {holder(seat)}")
    held: dict[str, list[str | int | None]] = {"player": [seat["player"] for seat in seats], "revision": [seat["revision"] for seat in seats]}
    for what, found in held.items():
        values = [value for value in found if value is not None]
        if len(set(values)) < len(values):
            raise Wrong(f"seats: expected another {what} in each, found {', '.join(map(str, values))}")


def check_shown(view: GameView, seats_receipt: str) -> None:
    """Checks that the service signed the digest of the seats that it shows."""
    stated = dict(line.split(" ", 1) for line in seats_receipt.split("\n\n")[0].splitlines() if " " in line)
    check_seats(view["setup"], view["seats"])
    shown = digest_of_seats(view, [holder(seat) for seat in view["seats"]], int(stated["revision"]))
    same("seats that are shown: digest", stated["seats"], shown)


def check_taken(view: GameView, seat: int) -> None:
    """Checks the seats in the response to taking a seat against its digest."""
    if (pin := view["pin"]) is not None:
        same("seats_digest", pin["seats_digest"], seats_before(view, view["seats"], seat, pin["held"]))


def check_fixed(view: GameView) -> None:
    """Checks that a game without open seats has started or waits for a fixed round."""
    beacon = view.get("beacon")
    if not any(map(is_open, view["seats"])) and view["head"] is None and not (beacon and beacon["round"] is not None):
        raise Wrong("head: expected the start, as no seat is open, found none")


def is_hidden(token: str) -> bool:
    """Returns whether the requester of the proof may not read a token, such as `??`. The proof has only its hash."""
    return re.fullmatch(r"\?\?|[br]:\?{12}", token) is not None


def check_part(where: str, part: ProvedPart) -> bytes:
    """Checks the hash of a part and returns it. A sealed part has its own salt, so that its token cannot be guessed."""
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
    """Checks that every head follows from the previous head and the parts of its word."""
    head = start(proof)
    same("start", head.hex(), proof["start"])
    words = proof["words"]
    # Ply 0 has only what is drawn before the first decision, so no part 0.
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
    same("head", f"ply {ply} with {head.hex()}", f"ply {proof['head']['ply']} with {proof['head']['hash']}")


# ---- What follows from the keys, and from the seed ----


def check_commitment(proof: Proof) -> None:
    """Checks that the commitment binds the keys of all plies, through the hash of the first one, and the seed, through its hash."""
    anchor, seed_hash = bytes.fromhex(proof["anchor"] or ""), bytes.fromhex(proof["seed_hash"] or "")
    same("commitment", sha256(b"\x04", anchor, seed_hash).hex(), proof["commitment"])


def check_keys(proof: Proof) -> None:
    """Checks that each key hashes to the key of the previous ply, and the key of ply 0 to the anchor."""
    before, ply = proof["anchor"], -1
    for word in proof["words"]:
        if word["key"] is None:
            raise Wrong(f"ply {word['ply']}: key: expected one, found none")
        reached = bytes.fromhex(word["key"])
        # Ply 0 has no word if nothing was drawn before the first decision.
        for _ in range(word["ply"] - ply):
            reached = sha256(reached)
        same(f"ply {word['ply']}: key: what SHA-256 makes of it", before, reached.hex())
        before, ply = word["key"], word["ply"]


def mac(proof: Proof, key: str | None, label: str, rest: str) -> bytes:
    text = f"{label}\n{proof['start']}\n{rest}"
    return hmac.new(bytes.fromhex(key or ""), text.encode("ascii"), hashlib.sha256).digest()


def draws(proof: Proof, key: str | None, label: str, ply: int) -> Draw:
    """Returns the draws of one ply with one key, counted by k. Rejects the highest x, which would favour small numbers."""
    k = -1

    def draw(things: int) -> int:
        nonlocal k
        k, counter = k + 1, 0
        if not 0 < things < 2**64:
            raise Wrong(f"ply {ply}: chance: expected a draw out of 1 thing or more, found {things}")
        while True:
            x = int.from_bytes(mac(proof, key, label, f"{ply} {k} {counter}")[:8], "big")
            if x < 2**64 // things * things:
                return x % things
            counter += 1

    return draw


def check_seed(proof: Proof) -> None:
    """Checks the seed against its hash, and every salt against the seed."""
    same("seed: its SHA-256", proof["seed_hash"], sha256(bytes.fromhex(proof["seed"] or "")).hex())
    for word in proof["words"]:
        for part in word["parts"]:
            where = f"ply {word['ply']}, part {part['part']}"
            if is_hidden(part["token"]):
                raise Wrong(f"{where}: token: expected all to be open, as the seed is, found {part['token']}")
            if part["salt"] is not None:
                salt = mac(proof, proof["seed"], "salt", f"{word['ply']} {part['part']}")
                same(f"{where}: salt", salt.hex(), part["salt"])


# ---- Marrakech: dice and rugs ----


def position_of(setup: str) -> list[str]:
    """Returns the fields of the position in which a game begins, if any."""
    found = re.search(r" position=(\S+)", setup)
    return found[1].split(";") if found else []


def colours_of(proof: Proof) -> list[str]:
    """Returns the colours of each seat of Marrakech."""
    is_for_two = len(proof["seats"]) == 2 and " two_player=one-colour" not in proof["setup"]
    return ["ry", "bg"] if is_for_two else list("rbyg"[: len(proof["seats"])])


def rugs_left(proof: Proof) -> dict[str, int]:
    """Returns the rugs of each colour that are left at the beginning."""
    colours = colours_of(proof)
    if position := position_of(proof["setup"]):
        left = {colour: int(count) for colour, count in re.findall(r"([rybg])(\d+)", position[6])}
    else:
        rugs = re.search(r" rugs_per_player=(\d+)", proof["setup"])
        each = int(rugs[1]) if rugs else {"ry": 24, "r": 12 if len(colours) == 4 else 15}[colours[0]]
        left = {colour: each // len(own) for own in colours for colour in own}
    return {colour: left.get(colour, 0) for own in colours for colour in own}


def seats_of_marrakech(proof: Proof) -> dict[int, int]:
    """Returns the seat of each decision by ply. A turn is a direction and a rug. The words show which players are out: a direction
    without its rug, or a die after another."""
    position, left = position_of(proof["setup"]), rugs_left(proof)
    rugs = [sum(left[colour] for colour in own) for own in colours_of(proof)]
    turns_last = " orientation=end" in proof["setup"]
    seat = int(position[3]) - 1 if position else 0
    is_rolled = bool(position) and position[4] == "lay"
    found: dict[int, int] = {}

    def leave(out: int) -> None:
        rugs[out] = 0
        if out == seat:
            pass_on()

    def pass_on() -> None:
        nonlocal seat, is_rolled
        is_rolled = False
        others = [(seat + step) % len(rugs) for step in range(1, len(rugs) + 1)]
        seat = next((other for other in others if rugs[other] > 0), seat)

    for word in proof["words"]:
        token = word["parts"][0]["token"]
        if gone := re.match(r"!(?:resign|timeout)(\d)", token):
            leave(int(gone[1]) - 1)
        if word["parts"][0]["part"] == 0 and not token.startswith("!"):
            is_turn = token in set("NESW")
            if is_turn and is_rolled and not turns_last:
                leave(seat)
            found[word["ply"]] = seat + 1
            rugs[seat] -= not is_turn
            if is_turn == turns_last:
                pass_on()
        for part in drawn(word):
            if part["token"].isdecimal():
                if is_rolled:
                    leave(seat)
                is_rolled = True
    return found


def marrakech(proof: Proof) -> Iterator[tuple[str, object, object]]:
    """Yields each outcome as computed and as recorded. Each `+` is one draw: a face of the die, or a rug of the player's pile."""
    position = position_of(proof["setup"])
    pile = rugs_left(proof) if len(colours_of(proof)[0]) == 2 else {}
    if position and position[7] in pile:
        pile[position[7]] -= 1  # already in hand
    for word in proof["words"]:
        draw = draws(proof, word["key"], "chance", word["ply"])
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
    """Returns the drawn parts of a word."""
    return [part for part in word["parts"] if part["part"] > 0]


# ---- Marrakesh: dice and cards ----

FACES = [rank + suit for suit in "shdc" for rank in "65432AQ"]
PACK = [face for face in FACES for _ in range(1 if face[0] == "Q" else 2)]
CARD = re.compile(r"[65432AQ][shdc]")


def throws(draw: Draw) -> str:
    """Throws Blue's six dice, then Red's, again if the boards are equal."""
    while True:
        blue, red = ("".join(sorted("123456"[draw(6)] for _ in range(6))) for _ in range(2))
        if blue != red:
            return f"{blue}/{red}"


def leads_first(dice: str) -> int:
    """Returns the seat with more pieces on the 1-point, or if equal on the 2-point, and so on."""
    blue, red = ([throw.count(point) for point in "123456"] for throw in dice.split("/"))
    return 1 if blue > red else 2


def winner(leader: int, lead: str, reply: str) -> int:
    """Returns the winner of a trick. In one suit the reply wins, else the higher suit, s h d c, but clubs beat spades."""
    suits = lead[1] + reply[1]
    lead_wins = suits == "cs" or suits != "sc" and "shdc".index(suits[0]) < "shdc".index(suits[1])
    return leader if lead_wins else 3 - leader


def seats_of_marrakesh(proof: Proof) -> dict[int, int]:
    """Returns the seat of each decision by ply. The winner of a trick uses its numbers, and leads to the next one."""
    position = position_of(proof["setup"])
    leader = int(position[5]) if position else 0
    lead: str | None = None
    found: dict[int, int] = {}
    for word in proof["words"]:
        token = word["parts"][0]["token"]
        is_card = CARD.fullmatch(token) is not None or token == "??"
        if word["parts"][0]["part"] == 0 and not token.startswith("!"):
            found[word["ply"]] = 3 - leader if is_card and lead is not None else leader
        if is_card:
            leader, lead = (leader, token) if lead is None else (winner(leader, lead, token), None)
        for part in drawn(word):
            if "/" in part["token"]:
                leader = leads_first(part["token"])
    return found


def marrakesh(proof: Proof) -> Iterator[tuple[str, object, object]]:
    """Yields each outcome as computed and as recorded: dice, hands, bonus cards, and the cards of `solitaire-ai`.

    Dice follow from the key of their ply, cards from the seed. Without the seed, only dice are checked. This needs only two rules:
    whose card it is, and when the cards are shuffled.
    """
    kinds = {seat["seat"]: seat["kind"] for seat in proof["seats"]}
    seats = seats_of_marrakesh(proof)
    deck, rounds = list(PACK), 0
    hands: dict[int, list[str]] = {1: [], 2: []}
    if position := position_of(proof["setup"]):
        # Visible cards are not in the deck.
        rounds = int(position[0])
        for card in CARD.findall(";".join(position[field] for field in (3, 4, 7, 11))):
            deck.remove(card)
    for word in proof["words"]:
        ply, after = word["ply"], drawn(word)
        throw, draw = (draws(proof, key, "chance", ply) for key in (word["key"], proof["seed"]))
        # An optional bonus card, then optionally dice and both hands.
        shape = "".join("d" if "/" in part["token"] else part["token"][0] if ":" in part["token"] else "c" for part in after)
        if not re.fullmatch("c?(dbr)?", shape):
            raise Wrong(f"ply {ply}: chance: expected a bonus card, dice and two hands, or some of these, found {word['parts']}")
        if proof["seed"] is None:
            for part in after:
                if "/" in part["token"]:
                    yield f"ply {ply}, part {part['part']}: chance", throws(throw), part["token"]
            continue
        if word["parts"][0]["part"] == 0:
            decision = word["parts"][0]["token"]
            if CARD.fullmatch(decision):
                seat = seats[ply]
                if kinds[seat] == "solitaire-ai":
                    choice = hands[seat][draws(proof, proof["seed"], "choice", ply)(len(hands[seat]))]
                    yield f"ply {ply}, part 0: choice", choice, decision
                if decision not in hands[seat]:
                    raise Wrong(f"ply {ply}, part 0: token: expected a card in the hand of seat {seat}, found {decision}")
                hands[seat].remove(decision)
        for part in after:
            where, found = f"ply {ply}, part {part['part']}: chance", part["token"]
            if "/" in found:
                rounds += 1
                if rounds % 3 == 1:
                    deck = list(PACK)
                expected = throws(throw)
                hands = {1: [], 2: []}
            elif found.startswith("b:"):
                # Dealt alternately, Blue first, with one draw per card from the rest of the deck.
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
    """Yields whether each part should be sealed and is. In Marrakesh only hands and leads are, and every other card played is a lead."""
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


def check_receipt(proof: Proof, receipt: Receipt) -> None:
    """Checks the game against the response to taking a seat: the commitment, that seat, and the seats taken before it."""
    same("receipt: game", receipt["id"], proof["game"])
    same("receipt: setup", receipt["setup"], proof["setup"])
    same("receipt: commitment", receipt["commitment"], proof["commitment"])
    shown_beacon, beacon = receipt.get("beacon"), proof.get("beacon")
    same("receipt: beacon", shown_beacon and shown_beacon["chain"], beacon and beacon["chain"])
    if shown_beacon and beacon and shown_beacon["round"] is not None:
        same("receipt: round of the beacon", shown_beacon["round"], beacon["round"])
    number = receipt["your_seat"]
    check_seats(proof["setup"], receipt["seats"])
    check_fixed(receipt)
    shown = {seat["seat"]: seat for seat in receipt["seats"]}
    found = {seat["seat"]: seat for seat in proof["seats"]}
    if number not in shown or number not in found:
        raise Wrong(f"receipt: your_seat: expected a seat, found {number}")
    since = found[number]["revision"]
    is_full = not any(map(is_open, receipt["seats"]))
    for seat in found:
        # While a seat is open, others can be left and taken again, with a later revision. All other seats must be unchanged.
        revision = found[seat]["revision"]
        if is_full or seat == number or since is None or revision is None or revision <= since:
            same(f"receipt: seat {seat}", holder(shown[seat]), holder(found[seat]))
    if head := receipt["head"]:
        # The head covers all that the chance depends on, including all seats.
        heads = {0: proof["start"]} | {word["ply"]: word["head"] for word in proof["words"]}
        same("receipt: head", head["hash"], heads.get(head["ply"]))


def seats_seen(proof: Proof, receipt: Receipt) -> tuple[str | None, bool]:
    """Returns a sentence about the seats that the player saw before sending entropy, and whether no one could choose the chance.

    Does not check the signature of `seats_receipt`, because the player fetched it.
    """
    number = receipt["your_seat"] or 0
    own = proof["seats"][number - 1]
    if own["entropy"] is None:
        return None, False
    is_last = all((seat["revision"] or 0) <= (own["revision"] or 0) for seat in proof["seats"])
    missing = f"not verified: that no other seat was changed after the entropy of seat {number} was known: "
    pin = receipt.get("pin")
    if pin is None:
        return missing + "the receipt has no seats_digest", False
    if all((seat["revision"] or 0) <= (receipt["seats"][number - 1]["revision"] or 0) for seat in receipt["seats"]):
        same("receipt: seats_digest", pin["seats_digest"], seats_before(receipt, receipt["seats"], number, pin["held"]))
    before = seats_before(receipt, proof["seats"], number, pin["held"])
    if is_last:
        same("receipt: seats_digest", pin["seats_digest"], before)
    if pin["seats_digest"] != before:
        return missing + "others were taken again later", False
    stated = receipt.get("seats_receipt", "").split("\n")
    lines = [f"game {proof['game']}", f"commitment {proof['commitment']}", f"seats {before}"]
    if not all(line in stated for line in lines):
        return missing + "keep the signed receipt of the seats before you send it", False
    seen = f"seats: the ones that the player of seat {number} saw before sending entropy"
    is_unchosen = is_last and not proof.get("beacon")
    return seen + ", and no player came later, so no one could choose the chance" * is_unchosen, is_unchosen


def could_choose(came: list[ProvedSeat]) -> str:
    """Returns what stays open, given the players in order. The last one could try many ids or much entropy."""
    if not any(seat["entropy"] for seat in came):
        return "not verified: that the chance was not chosen: no seat added entropy"
    last = came[-1]
    how = "with entropy: if it is yours, its receipt shows that no one could" if last["entropy"] else "without entropy, so its id could be chosen"
    return f"not verified: that no one chose the chance: seat {last['seat']} came last, {how}"


def choices(seat: ProvedSeat, count: int, recomputed: int) -> list[str]:
    """Returns a sentence about the decisions of a built-in player that were not recomputed, if any."""
    kind, left = seat["kind"], count - recomputed
    if kind == "human" or left == 0:
        return []
    is_known = kind in ("random", "solitaire-ai")
    why = "that needs the rules" if is_known else "this verifier does not know that player, but `assam verify` may"
    return [f"not verified: seat {seat['seat']}, {kind}: {left} of {count} decisions were not recomputed: {why}"]


# ---- The command line ----

GAMES = {"marrakech/1": (marrakech, seats_of_marrakech), "marrakesh/1": (marrakesh, seats_of_marrakesh)}
LIMIT = 16 * 1024 * 1024


def verify(
    proof: Proof,
    game: str | None = None,
    kept: Iterable[HeadView] = (),
    commitment: str | None = None,
    receipt: Receipt | None = None,
) -> list[str]:
    """Returns what was verified and what could not be, or raises `Wrong`.

    The proof must be of `game`, if given, and match the commitment that was shown, the heads that were kept, and the receipt, which
    is the response to taking a seat.
    """
    if game is not None:
        same("game", game, proof["game"])
    if commitment is not None:
        same("commitment that was shown", commitment, proof["commitment"])
    ruleset = proof["setup"].split(" ")[1]
    if ruleset not in GAMES:
        raise Wrong(f"setup: expected one of {', '.join(GAMES)}, found {ruleset!r}")
    if not isinstance(proof["imported"], bool):
        raise Wrong(f"imported: expected true or false, found {proof['imported']}")
    for seat in proof["seats"]:
        if proof["imported"]:
            same(f"seat {seat['seat']}", "human - - -", holder(seat))
    check_seats(proof["setup"], proof["seats"])
    for seat in filter(is_open, proof["seats"]):
        raise Wrong(f"seat {seat['seat']}: expected a holder, found an open seat")
    check_heads(proof)
    told = [f"heads: {len(proof['words'])}, up to ply {proof['head']['ply']}: {proof['head']['hash']}"]
    heads = {0: proof["start"]} | {word["ply"]: word["head"] for word in proof["words"]}
    for number, head in enumerate(kept, 1):
        same(f"head that was kept, ply {head['ply']}", head["hash"], heads.get(head["ply"]))
        told[1:] = [f"heads that were kept: {number}, all in their places"]
    if receipt is not None:
        check_receipt(proof, receipt)
        told.append(f"receipt: seat {receipt['your_seat']} and those taken before are unchanged")
    hidden = sum(is_hidden(part["token"]) for word in proof["words"] for part in word["parts"])
    if hidden:
        told.append(f"not verified: tokens that are hidden from the requester of this proof: {hidden}")
    if ruleset == "marrakesh/1":
        for where, expected, found in must_be_sealed(proof):
            same(where, expected, found)
    else:
        for word in proof["words"]:
            for part in word["parts"]:
                is_sealed = part["salt"] is not None or is_hidden(part["token"])
                same(f"ply {word['ply']}, part {part['part']}: is it sealed", False, is_sealed)
    if proof["imported"]:
        same("commitment", None, proof["commitment"])
        same("beacon", None, proof.get("beacon"))
        return told + ["not verified: chance, as the game was imported and has no commitment"]
    check_commitment(proof)
    check_keys(proof)
    told.append(f"keys: {len(proof['words'])}, which the commitment binds")
    if proof["seed"] is not None:
        check_seed(proof)
        told.append("seed: it matches its commitment, and all salts follow from it")
    people = [seat for seat in proof["seats"] if seat["revision"] is not None]
    seen, is_unchosen = seats_seen(proof, receipt) if receipt is not None else (None, False)
    if seen is not None:
        told.append(seen)
    if proof.get("beacon"):
        told.append("not verified: that the beacon was signed, and came after the last seat")
    elif not is_unchosen:
        told.append(could_choose(sorted(people, key=lambda seat: seat["revision"] or 0)))
    outcomes_of, seats_of = GAMES[ruleset]
    places = []
    for where, expected, found in outcomes_of(proof):
        same(where, expected, found)
        places.append(where)
    has_ai = any(seat["kind"] == "solitaire-ai" for seat in proof["seats"]) and proof["seed"] is not None
    told.append(f"chance: {len(places)} outcomes" + (", the cards of solitaire-ai among them" if has_ai else ""))
    if proof["seed"] is None and ruleset == "marrakesh/1":
        told.append("not verified: cards and salts, as the seed is published when the game is over")
    deciders = seats_of(proof)
    recomputed = [deciders[int(where.split()[1].rstrip(","))] for where in places if where.endswith("choice")]
    for seat in proof["seats"]:
        told += choices(seat, list(deciders.values()).count(seat["seat"]), recomputed.count(seat["seat"]))
    return told


def read(file: str) -> Any:
    with open(0 if file == "-" else file, "rb") as source:
        text = source.read(LIMIT + 1)
    if len(text) > LIMIT:
        raise Wrong(f"no proof has more than {LIMIT} bytes")
    return json.loads(text)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="verify.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE", help="a proof, or - for standard input")
    parser.add_argument("--commitment", metavar="HASH", help="the commitment that you were shown before the game started")
    parser.add_argument("--receipt", metavar="FILE", help="the response to taking a seat")
    asked = parser.parse_args(arguments)
    if not asked.files:
        print(__doc__)
        return 2
    status = 0
    for file in asked.files:
        try:
            receipt = None if asked.receipt is None else read(asked.receipt)
            for line in verify(read(file), commitment=asked.commitment, receipt=receipt):
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
