"""The client, with a method for each task."""

from __future__ import annotations

import json
import math
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, cast
from urllib.parse import quote

from . import interface
from . import verify as verifier
from .interface import GameView, HeadView, LegalMoves, MovesAnswer, TakeSeat
from .paths import Query, of_game, query_string
from .problem import Problem
from .records import in_batches, lines_in, stopped
from .retries import Attempts, Retries
from .secret import Secret
from .streams import Source, exported, messages, place_at, place_in_feed, place_in_game
from .wire import JSON, LINES, PICTURE, TEXT, Answer, Wire

Include: TypeAlias = Literal["state", "legal-moves"]
Part: TypeAlias = Literal["position", "state", "score", "legal-moves"]
Exported: TypeAlias = Literal["running", "finished", "aborted"]
Theme: TypeAlias = Literal["auto", "light", "dark"]
Kept = TypeVar("Kept")

MOST_SEATS = 4
MOST_RECEIPTS = 1000
LONGEST_WAIT = 30  # seconds of a long poll
GONE_ON = ("ply_taken", "not_your_turn", "game_over", "game_removed")


@dataclass(frozen=True)
class Turn:
    """A decision for your seat to make."""

    game: str
    """The id of the game."""

    seat: int
    """Your seat."""

    ply: int
    """The ply of your decision."""

    moves: Sequence[str]
    """Every legal decision, in notation."""

    state: interface.State
    """The position, as far as you may see it."""

    head: HeadView
    """The head that your decision follows. Keep some heads, so that `Client.verify` can check the game against them."""


class Receipt(GameView, total=False):
    """The answer to taking a seat, with the seats signed before."""

    seats_receipt: str
    """The seats as the service signed them before your entropy was sent. It cannot deny them later."""


class Pinned(NamedTuple):
    """What the chance of a game depends on, as shown before any entropy is sent."""

    commitment: str | None
    receipt: str
    """The signed receipt of the seats, or another receipt if the game has started."""
    shown: GameView | None

    @property
    def seats_digest(self) -> str | None:
        digest = re.search("^seats ([0-9a-f]{64})$", self.receipt, re.MULTILINE)
        return digest and digest[1]


class Sent(NamedTuple):
    """Entropy that was sent, with what the service showed before."""

    entropy: str
    pinned: Pinned


class Client:
    """A player, or a spectator if there is no secret. Safe to use from several threads.

    Retries requests for `timeout` seconds in all if the connection breaks, the service is busy or down, or something else answers in
    its place. Nothing happens twice. With None, and while the client is in a stream or in `play_to_the_end`, it retries without a
    limit. A refused request raises `Problem`, one without an answer in time `Unreachable` or `Unexpected`. A connection without data
    for `silence` seconds is dead.
    """

    def __init__(self, url: str, secret: str | None = None, *, timeout: float | None = 60.0, silence: float = 30.0):
        self._url = url
        self._secret = None if secret is None else Secret(secret)
        self._retries = Retries(timeout, silence)
        self._wire = Wire(url, self._retries)
        self._receipts: dict[str, Receipt] = {}
        self._sent: dict[str, Sent] = {}

    def __repr__(self) -> str:
        return f"Client({self._url!r}{'' if self._secret is None else ', Secret(..)'})"

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes idle connections. The next request opens a new one."""
        self._wire.close()

    # ---- Secrets ----

    def player_id(self) -> str:
        """Your public id, derived from your secret."""
        me: interface.Me = self._get("/v1/me")
        return me["player"]

    def replace_secret(self, game: str, seat: int, new: str) -> None:
        """Gives your seat to a new secret, for example after a leak. Continue with a `Client` that has the new one."""
        new, path = Secret(new), of_game(game, "seats", seat, "secret")
        try:
            self._send("PUT", path, {"secret": new}, accept=None)
        except Problem as problem:
            if not problem.is_repeated:
                raise
            # If the first request took effect, the new secret holds the seat.
            self._send("PUT", path, {"secret": new}, secret=new, accept=None)

    # ---- The lobby ----

    def create_game(
        self,
        ruleset: str,
        seats: Sequence[interface.SeatChoice],
        *,
        take: interface.TakeOwnSeat | None = None,
        options: Mapping[str, str | int] | None = None,
        position: str | None = None,
        visibility: interface.Visibility = "public",
        join_code: str | None = None,
        patience_hours: int | None = None,
        clock: interface.ClockWanted | None = None,
        rated: bool | None = None,
        beacon: str | None = None,
        key: str | None = None,
        entropy: str | None = None,
    ) -> GameView:
        """Creates a game that you own, and optionally takes a seat. The game starts once no seat is open. With an outside `beacon`,
        such as `drand:<hash of a chain>`, it starts once anyone delivers the round that is fixed then.

        Your `entropy` for the seat, random by default, is sent only after the commitment of the game is known. If the seat is the
        only open one, a second request takes it, because the game would otherwise start without your entropy.

        The `key` makes the request safe to repeat. To repeat it from another program, pass your own random key of 22 characters or
        more.
        """
        is_last = take is not None and [n for n, kind in enumerate(seats, 1) if kind == "open"] == [take["seat"]]
        # Without a secret, the service refuses the seat.
        is_left = is_last and self._secret is not None
        wanted = {
            "ruleset": ruleset,
            "seats": list(seats),
            "options": options or {},
            "visibility": visibility,
            "take": None if is_left else take,
            "position": position,
            "join_code": join_code,
            "patience_hours": patience_hours,
            "clock": clock,
            "rated": rated,
            "beacon": beacon,
        }
        headers = {"Idempotency-Key": key or secrets.token_hex(16)}
        game: GameView = self._send("POST", "/v1/games", wanted, headers=headers).content
        if take is None:
            return game
        is_held = game["your_seat"] is not None
        if key is None and (game["id"] in self._receipts or (is_left and is_held)):
            raise verifier.Wrong(f"game: expected a new one, found {game['id']}")
        if is_held and game["status"] != "open":
            # Others have filled the game since, or the key was used before.
            if key is None or entropy is not None:
                verifier.same(f"seat {take['seat']}: entropy", entropy, entropy_of(game, take["seat"]))
            return self._keep_receipt(game["id"], game)
        how = TakeSeat(name=take.get("name"), forced=take.get("forced") or "ask", entropy=entropy)
        try:
            return self._take(game["id"], take["seat"], self._pinned(game["id"], None), how, game["commitment"])
        except Problem as problem:
            if is_left and problem.code == "bad_request":
                self.remove_game(game["id"])
            raise

    def deliver_beacon(self, game: str, round: int, signature: str) -> GameView:
        """Delivers the beacon round that a game waits for, which starts it. Anyone can, once the round is published."""
        view: GameView = self._send("PUT", of_game(game) + "/beacon", {"round": round, "signature": signature}).content
        return view

    def game(self, game: str) -> GameView:
        """Returns the current game, as far as you may see it."""
        view: GameView = self._get(of_game(game))
        return view

    def games(
        self,
        *,
        status: Sequence[interface.Status] = (),
        ruleset: str | None = None,
        player: str | None = None,
        event: str | None = None,
        round: str | None = None,
        table: str | None = None,
        date: str | None = None,
        open_seats: Sequence[int] = (),
        imported: bool | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        sort: Literal["created", "finished"] | None = None,
    ) -> Iterator[interface.GameSummary]:
        """Yields public games, newest first. Fetches pages as you iterate. Tags must match exactly: `event`, `event` and `round`, all
        three with `table`, or `date`."""
        tags = {"event": event, "round": round, "table": table, "date": date}
        query = {"status": status, "ruleset": ruleset, "player": player, **tags, "open_seats": open_seats, "imported": imported}
        return self._pages("/v1/games", {**query, "since": since, "until": until, "sort": sort})

    def own_games(
        self,
        *,
        your_turn: bool | None = None,
        status: Sequence[interface.Status] = (),
        ruleset: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        sort: Literal["created", "finished", "moved"] | None = None,
    ) -> Iterator[interface.OwnGame]:
        """Yields games in which you hold a seat, newest first. With `your_turn=True`, only those that wait for you."""
        query = {"your_turn": your_turn, "status": status, "ruleset": ruleset, "since": since, "until": until, "sort": sort}
        return self._pages("/v1/me/games", query)

    def standings(self, player: str, *, period: str | None = None) -> interface.PlayerStandings:
        """Returns the ratings and results of a player, or of a built-in player by name. The period is a UTC year, month or day, or all time."""
        path = f"/v1/players/{quote(player, safe='')}"
        standings: interface.PlayerStandings = self._get(path + query_string({"period": period}))
        return standings

    def leaders(
        self,
        ruleset: str,
        *,
        sort: Literal["rating", "best_score", "firsts"] | None = None,
        seats: int | None = None,
        period: str | None = None,
    ) -> Iterator[interface.LeaderView]:
        """Yields the leaders of a rule set, best first. Fetches pages as you iterate. Any order except `rating` needs `seats`."""
        query = {"ruleset": ruleset, "sort": sort, "seats": seats, "period": period}
        return self._pages("/v1/scores", query, "leaders")

    def dice(self, player: str | None = None) -> interface.DicePage:
        """Returns how often each face came for a player, or for all players, whether that is usual, and the rolls of the last games."""
        page: interface.DicePage = self._get(_dice_path(player))
        return page

    def rolls(self, player: str | None = None) -> Iterator[interface.RollView]:
        """Yields the rolls of a player, or of all players, from the games that ended last on. Fetches pages as you iterate."""
        return self._pages(_dice_path(player), {}, "rolls", limit=20)

    def take_seat(
        self,
        game: str,
        seat: int,
        *,
        name: str | None = None,
        join_code: str | None = None,
        forced: interface.Forced = "ask",
        entropy: str | None = None,
        commitment: str | None = None,
    ) -> GameView:
        """Takes a seat. The last one starts the game. With `forced="play"`, the service makes decisions that have no choice.

        Your `entropy`, random by default, is added to the chance of the game. Pass the `commitment` that you were shown, or the
        client asks for it first. Raises `Wrong` if the answer has a different commitment, or the seat without the entropy. If you
        already hold the seat without entropy, adds it, before the start.
        """
        how = TakeSeat(name=name, join_code=join_code, forced=forced, entropy=entropy)
        return self._take(game, seat, self._pinned(game, join_code), how, commitment)

    def join(
        self,
        game: str,
        *,
        name: str | None = None,
        join_code: str | None = None,
        forced: interface.Forced = "ask",
        entropy: str | None = None,
    ) -> GameView:
        """Takes the first open seat, or in a rematch the one reserved for you. Keeps a seat that you already hold. A private game needs
        its join code."""
        seats = list(range(1, MOST_SEATS + 1))
        pinned = self._pinned(game, join_code)
        if shown := pinned.shown:
            if (held := shown["your_seat"]) is not None:
                return self._held(shown, held, pinned, TakeSeat(name=name, forced=forced, entropy=entropy))
            receipt = self._receipts.get(game)
            if receipt is not None and receipt["your_seat"] is not None:
                raise verifier.Wrong(f"your_seat: expected {receipt['your_seat']}, as in the receipt, found none. Call leave_seat to drop the receipt")
            # If none is open, the service refuses seat 1 with the reason.
            seats = [seat["seat"] for seat in shown["seats"] if seat["kind"] == "open"] or [1]
        refused = None
        for seat in seats:
            try:
                how = TakeSeat(name=name, join_code=join_code, forced=forced, entropy=entropy)
                return self._take(game, seat, pinned, how)
            except Problem as problem:
                # The open seats of a private game are not visible, and a seat of a rematch may be reserved for another player.
                if problem.code != "seat_taken" and not (refused and problem.code == "seat_not_found"):
                    raise
                refused = refused or problem
        assert refused is not None
        raise refused

    def _held(self, shown: GameView, seat: int, pinned: Pinned, how: TakeSeat) -> GameView:
        """Returns the game of a seat that you already hold. If the answer to taking it was lost, asks again and compares."""
        game, found = shown["id"], entropy_of(shown, seat)
        sent = None if game in self._receipts else self._sent.get(game)
        chosen = how.get("entropy") if sent is None else sent.entropy
        if chosen is not None and (sent is None or found is not None):
            verifier.same(f"seat {seat}: entropy", chosen, found)
        return shown if sent is None else self._take(game, seat, pinned, how)

    def rematch(
        self, game: str, *, name: str | None = None, forced: interface.Forced = "ask", entropy: str | None = None
    ) -> GameView:
        """Takes your seat in the rematch of a finished game, which starts when all its players have taken theirs. The first request
        creates it."""
        again: GameView = self._send("POST", of_game(game, "rematch")).content
        return self.join(again["id"], name=name, forced=forced, entropy=entropy)

    def _shown(self, game: str, join_code: str | None) -> GameView | None:
        """Returns the game, or None for a private game in which you have no seat yet."""
        try:
            return self.game(game)
        except Problem as problem:
            if problem.code != "game_not_found" or join_code is None:
                raise
            return None

    def _pinned(self, game: str, join_code: str | None) -> Pinned:
        """Returns commitment and seats of a game, before any entropy is sent."""
        for _ in range(MOST_SEATS):
            if (shown := self._shown(game, join_code)) is None:
                break
            receipt = "" if shown["commitment"] is None else self._send("GET", of_game(game, "receipt"), accept=TEXT).content
            pinned = Pinned(shown["commitment"], receipt, shown)
            # The seats may have changed between the two requests.
            if pinned.seats_digest in (None, shown["seats_digest"]):
                return pinned
        else:
            return pinned
        commitment = self._hidden(game, {"commitment": "0" * 64, "join_code": join_code}, "commitment_mismatch")["expected"]
        wanted: TakeSeat = {"commitment": commitment, "seats_digest": "0" * 64, "join_code": join_code}
        return Pinned(commitment, self._hidden(game, wanted, "seats_changed")["receipt"], None)

    def _hidden(self, game: str, wanted: TakeSeat, code: str) -> Mapping[str, Any]:
        """Learns a value of a game that is not visible yet: a request with zeros is refused with the right value, and takes no seat."""
        try:
            self._send("PUT", of_game(game, "seats", 1), wanted)
        except Problem as problem:
            if problem.code != code:
                raise
            return problem.body
        raise verifier.Wrong(f"{code}: expected a value other than zeros")

    def _take(self, game: str, seat: int, pinned: Pinned, how: TakeSeat, commitment: str | None = None) -> Receipt:
        """Takes a seat with entropy, and with the commitment and the seats shown, which proves that the entropy came after them."""
        sent = self._entropy(game, seat, pinned, how.get("entropy"))
        digest = sent.pinned.seats_digest
        wanted: TakeSeat = {**how, "commitment": commitment or pinned.commitment, "entropy": sent.entropy, "seats_digest": digest}
        if digest is None:  # imported or started: the service refuses, because no seat is open
            wanted["entropy"] = None
        # If the seats have changed, the service knows this entropy. An automatic retry would let it choose among several.
        if digest is not None and pinned.shown is not None and sent.pinned.receipt == pinned.receipt:
            verifier.check_shown(pinned.shown, pinned.receipt)
        view: GameView = self._send("PUT", of_game(game, "seats", seat), wanted).content
        verifier.same("game", game, view["id"])
        verifier.same("commitment", wanted["commitment"], view["commitment"])
        verifier.same("your_seat", seat, view["your_seat"])
        verifier.check_seats(view["setup"], view["seats"])
        verifier.check_fixed(view)
        found, shown = entropy_of(view, seat), pinned.shown
        is_held = shown is not None and shown["your_seat"] == seat
        pin = view["pin"]
        if self._secret is not None:
            # A seat that was held before this entropy was sent may have been taken with another secret.
            is_older = is_held and (found != sent.entropy or (pin is not None and pin["held"] is not None))
            own = player_of(shown, seat) if shown is not None and is_older else self._secret.player
            verifier.same(f"seat {seat}: player", own, player_of(view, seat))
        # A player who holds the seat may have sent entropy before, or be too late to send any.
        is_late = found is not None or view["status"] != "open" or waits_for_beacon(view)
        is_as_shown = is_held and shown is not None and entropy_of(shown, seat) == found
        if found != sent.entropy and how.get("entropy") is None and is_as_shown and is_late:
            return cast(Receipt, view) if game in self._receipts else self._keep_receipt(game, view)
        verifier.same(f"seat {seat}: entropy", sent.entropy, found)
        verifier.same("seats_digest", digest, pin and pin["seats_digest"])
        if game not in self._receipts:
            verifier.check_taken(view, seat)
        return self._keep_receipt(game, view, sent.pinned.receipt)

    def _entropy(self, game: str, seat: int, pinned: Pinned, chosen: str | None) -> Sent:
        """Returns the entropy for a seat, stored before it is sent, because the answer may be lost. It is sent again only with the same seats,
        because a service that knows it could choose different ones."""
        last = self._sent.get(game)
        if last is not None and chosen in (None, last.entropy):
            is_held = pinned.shown is not None and entropy_of(pinned.shown, seat) == last.entropy
            if is_held or last.pinned.receipt == pinned.receipt:
                return last
            if chosen is not None:
                raise ValueError("entropy: it was sent with other seats before, so the service knows it. Choose another")
        return self._keep(self._sent, game, Sent(chosen or secrets.token_hex(32), pinned))

    def _keep_receipt(self, game: str, view: GameView, seats_receipt: str | None = None) -> Receipt:
        receipt = cast(Receipt, dict(view))
        receipt.pop("seats_receipt", None)  # in an answer of the service, it proves nothing
        if seats_receipt is not None:
            receipt["seats_receipt"] = seats_receipt
        return self._keep(self._receipts, game, receipt)

    @staticmethod
    def _keep(kept: dict[str, Kept], game: str, new: Kept) -> Kept:
        """Stores a value for a game, and drops the oldest values above the limit."""
        kept[game] = new
        while len(kept) > MOST_RECEIPTS:
            kept.pop(next(iter(kept)), None)
        return new

    def rename_seat(self, game: str, seat: int, name: str | None) -> GameView:
        """Changes or erases the name of your seat."""
        view: GameView = self._send("PATCH", of_game(game, "seats", seat), {"name": name}).content
        return view

    def leave_seat(self, game: str, seat: int) -> None:
        """Leaves your seat, before the game has started."""
        self._delete(of_game(game, "seats", seat))
        self._receipts.pop(game, None)

    def remove_game(self, game: str) -> None:
        """Removes a game that you own, before it has started."""
        self._delete(of_game(game))

    # ---- Play ----

    def legal_moves(self, game: str) -> LegalMoves:
        """Returns the legal decisions of the seat on turn. `moves` is None if they depend on a hand that you cannot see."""
        legal: LegalMoves = self._get(of_game(game, "legal-moves"))
        return legal

    def hints(self, game: str) -> list[interface.MoveEquity]:
        """Returns the best decisions for you, best first, in an unrated game against built-in players. Empty if it is not your turn."""
        legal: LegalMoves = self._get(of_game(game, "legal-moves") + "?include=hints")
        return legal["hints"]

    def play(
        self,
        game: str,
        ply: int,
        move: str | Sequence[str],
        *,
        include: Sequence[Include] = ("state", "legal-moves"),
        head: HeadView | None = None,
    ) -> MovesAnswer:
        """Writes a decision, or several in a row, from this ply on. A repeat returns the same words.

        The answer contains the parts in `include`. With `head`, the service refuses the decision if the game has another head.
        """
        wanted = {"move": move} if isinstance(move, str) else {"moves": list(move)}
        headers = {"If-Match": f'"{head["hash"]}"'} if head else {}
        path = of_game(game, "moves", ply) + query_string({"include": include})
        written: MovesAnswer = self._send("PUT", path, wanted, headers=headers).content
        return written

    def play_turn(self, turn: Turn, move: str | Sequence[str]) -> MovesAnswer | None:
        """Plays your turn. Returns None if the game continued without you, because another seat resigned or your time ran out. If the
        service is down, retries until it is back."""
        try:
            with self._retries.enduring():
                return self.play(turn.game, turn.ply, move)
        except Problem as problem:
            if problem.code not in GONE_ON:
                raise
            return None

    def resign(self, game: str) -> MovesAnswer:
        """Resigns your seat, on turn or not."""
        return self._leave(game, "!resign")

    def time_out(self, game: str, seat: int) -> MovesAnswer:
        """Claims the timeout of a seat that has exceeded the game's patience or clock."""
        return self._leave(game, f"!timeout{seat}")

    def abort(self, game: str) -> MovesAnswer:
        """Aborts a game that you own, after its start and before ply 1."""
        return self.play(game, 1, "!abort", include=())

    def _leave(self, game: str, word: str) -> MovesAnswer:
        """Writes a word at the next ply, whatever its number is by then."""
        while True:
            ply = self.legal_moves(game)["ply"]
            try:
                return self.play(game, ply, word, include=())
            except Problem as problem:
                if problem.code != "ply_taken":
                    raise

    # ---- Wait ----

    def wait(self, game: str, *, timeout: float | None = None) -> Turn | None:
        """Waits until it is your turn. Returns None when the game is over. Raises `TimeoutError` after `timeout` seconds.

        Sends a request for each new word, and every 30 seconds if there is none. Without a timeout, also waits for a service that is
        down.
        """
        with self._retries.enduring() if timeout is None else nullcontext():
            return self._wait(game, None, timeout)

    def play_to_the_end(
        self, game: str, choose: Callable[[Turn], str | Sequence[str]], *, timeout: float | None = None
    ) -> GameView:
        """Plays your seat until the game is over, and returns the game. `choose` decides each turn.

        Needs one request per decision, and waits for other players for at most `timeout` seconds. Without a timeout, no request times
        out, not even in `choose`.
        """
        with self._retries.enduring() if timeout is None else nullcontext():
            turn = self.wait(game, timeout=timeout)
            while turn:
                told = self.play_turn(turn, choose(turn))
                legal = told.get("legal_moves") if told else None
                following = turn_of(game, turn.seat, legal, told.get("state") if told else None)
                turn = following or self._wait(game, legal["head"] if legal else None, timeout)
            return self.game(game)

    def _wait(self, game: str, seen: HeadView | None, timeout: float | None) -> Turn | None:
        """Waits as `wait` does, for changes after the given head."""
        end = math.inf if timeout is None else time.monotonic() + timeout
        etag: str | None = None
        wait = 0 if seen is None else LONGEST_WAIT
        while True:
            began, before = time.monotonic(), seen
            wait = min(wait, max(1, math.ceil(min(end - began, LONGEST_WAIT))))
            query = query_string({"wait": wait, "since": place_at(seen)}) if wait else ""
            # Without a timeout, the time left does not count.
            left = None if timeout is None else max(1.0, end - began)
            headers = {"If-None-Match": etag} if etag else {}
            answer = self._send("GET", of_game(game) + query, headers=headers, wait=wait, timeout=left)
            if answer.status != 304:
                view: GameView = answer.content
                seen, etag = view["head"], answer.etag
                if view["status"] in ("finished", "aborted"):
                    return None
                if view["your_seat"] is not None and view["your_seat"] == view["seat_on_turn"]:
                    turn = turn_of(game, view["your_seat"], self.legal_moves(game), view["state"])
                    if turn and turn.head == seen:
                        return turn
                    # The game changed between the two requests, so there is no need to wait.
            if time.monotonic() >= end:
                raise TimeoutError(f"it was not your turn within {timeout:g} s")
            if wait and seen == before and time.monotonic() - began < 1:
                time.sleep(1.0)  # a service that is shutting down answers at once
            wait = LONGEST_WAIT

    # ---- Follow ----

    def follow(
        self,
        game: str,
        *,
        since: HeadView | None = None,
        include: Sequence[Literal["state"]] = (),
        presence: bool = False,
    ) -> Iterator[interface.GameMessage]:
        """Follows a game: yields a `snapshot` first, or everything `since` a head that you have, then each `word` once. Ends after `over` or
        `gone`. With `include=["state"]`, words contain the position after them. With `presence`, the other seats see that you are connected.

        Reconnects without a limit. A refusal of the service raises `Problem`. The same applies to the other streams.
        """
        source = Source(of_game(game, "events"), {"include": include, "presence": presence or None}, place_in_game, last=("over", "gone"))
        return messages(self._wire, self._secret, source, place_at(since))

    def follow_all(self, *, ruleset: str | None = None, since: str | None = None) -> Iterator[interface.FeedMessage]:
        """Follows all public games, except for their moves, from now on or `since` the `cursor` of a message. After `reset`, list the games
        again."""
        source = Source("/v1/events", {"ruleset": ruleset}, place_in_feed)
        return messages(self._wire, self._secret, source, since)

    def follow_own(
        self, *, include: Sequence[Include] = ("state", "legal-moves")
    ) -> Iterator[interface.OwnMessage]:
        """Follows your games: yields `turn` whenever a game waits for you, and `over` or `gone` when one ends. Each connection starts with the
        games that wait for you then."""
        source = Source("/v1/me/events", {"include": include}, lambda _, before: before)
        return messages(self._wire, self._secret, source)

    def turns(self) -> Iterator[Turn]:
        """Yields your turns in all your games, present and future. Never ends: `for turn in client.turns()` is a bot.

        Play each turn with `play_turn` before you ask for the next.
        """
        for message in self.follow_own():
            if message["type"] == "turn":
                game = message["game"]
                turn = turn_of(game["id"], game["your_seat"], message["legal_moves"], message["state"])
                if turn:
                    yield turn

    # ---- Replay ----

    def record(self, game: str) -> str:
        """Returns the record as text in MKN."""
        return str(self._send("GET", of_game(game, "log"), accept=TEXT).content)

    def log(self, game: str) -> interface.LogView:
        """Returns the parts of the record: setup, words with their times, and marker."""
        log: interface.LogView = self._get(of_game(game, "log"))
        return log

    def move(self, game: str, ply: int) -> interface.MoveView:
        """Returns a word, its time, and its consequences."""
        move: interface.MoveView = self._get(of_game(game, "moves", ply))
        return move

    def state(self, game: str, ply: int) -> interface.StateAtPly:
        """Returns the position after a ply. Ply 0 is before the first decision."""
        state: interface.StateAtPly = self._get(of_game(game, "states", ply))
        return state

    def states(self, game: str) -> Iterator[interface.StateAtPly]:
        """Yields every position of a game from the start, in one request."""
        states: interface.GameStates = self._get(of_game(game, "states"))
        yield from states["states"]

    def picture(self, game: str, ply: int, *, board_only: bool | None = None, theme: Theme | None = None) -> str:
        """Returns the position after a ply as SVG. It follows the viewer's light or dark preference unless you set a `theme`. `board_only`
        omits the panel next to the board."""
        query = query_string({"board_only": board_only, "theme": theme})
        return str(self._send("GET", of_game(game, "states", ply) + ".svg" + query, accept=PICTURE).content)

    def score(self, game: str, ply: int | None = None) -> interface.ScoreAtPly:
        """Returns scores and ranking, now or after a ply."""
        score: interface.ScoreAtPly = self._get(of_game(game, "score") + query_string({"ply": ply}))
        return score

    def analysis(self, game: str) -> interface.Analysis:
        """Returns what chance and the players did in a game that is over, and what would have been better. Waits while it is made."""
        path = of_game(game, "analysis")
        while (answer := self._send("GET", path)).status == 202:
            time.sleep(answer.content["retry_after"])
        analysis: interface.Analysis = answer.content
        return analysis

    # ---- Records ----

    def validate(self, record: str) -> interface.Verdict:
        """Replays a record, finished or not, or checks a position line. An invalid one does not raise `Problem`. See `valid` and `error`."""
        verdict: interface.Verdict = self._send("POST", "/v1/validate", record).content
        return verdict

    def analyse(self, record: str, *, judge: str | None = None) -> interface.Analysis:
        """Analyses a record, finished or not, as `analysis` does a game. For a position line, `next` has the best decisions there. The
        `judge` is a merchant, such as `merchant-8`."""
        analysis: interface.Analysis = self._send("POST", "/v1/analysis" + query_string({"judge": judge}), record).content
        return analysis

    def outcomes(
        self, positions: Sequence[interface.PositionInput], *, include: Sequence[Part] = ()
    ) -> list[interface.PositionOutcomes]:
        """Returns the possible results of moves in up to 256 positions: every outcome of chance with its probability, or the `error` of a
        position. Each outcome has its position, score and legal moves, or the parts in `include`."""
        path = "/v1/outcomes" + query_string({"include": include})
        answer: interface.OutcomesAnswer = self._send("POST", path, {"positions": list(positions)}).content
        return answer["positions"]

    def import_record(self, record: str) -> GameView:
        """Stores the record of a finished game, visible to anyone. The same record is stored once."""
        view: GameView = self._send("POST", "/v1/imports", record).content
        return view

    def validate_records(
        self, records: Iterable[str] | Iterable[bytes], *, include: Sequence[Part] = ()
    ) -> Iterator[interface.RecordRow]:
        """Yields a verdict on each of any number of records, in order. Pass strings with one record each, or a file that the service splits:
        `client.validate_records(open("games.mkn", "rb"))`. Batches are sent as you read, with retries. An invalid record never stops the
        rest. Verdicts contain the parts in `include` of the position after the valid words."""
        return self._bulk("/v1/validate/bulk" + query_string({"include": include}), records)

    def analyse_records(
        self, records: Iterable[str] | Iterable[bytes], *, judge: str | None = None
    ) -> Iterator[interface.AnalysedRecord]:
        """Yields the analysis of each of any number of records in the same way."""
        return self._bulk("/v1/analysis/bulk" + query_string({"judge": judge}), records)

    def import_records(self, records: Iterable[str] | Iterable[bytes]) -> Iterator[interface.ImportRow]:
        """Stores any number of records of finished games in the same way, and yields the result of each. Stores nothing until you
        iterate."""
        return self._bulk("/v1/imports/bulk", records)

    def export_games(
        self,
        *,
        status: Sequence[Exported] = (),
        ruleset: str | None = None,
        player: str | None = None,
        imported: bool | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        sort: Literal["created", "finished"] | None = None,
        after: str | None = None,
        limit: int | None = None,
        states: bool = False,
    ) -> Iterator[interface.ExportedGame]:
        """Yields finished public games, or those with another `status`, oldest first, each with its record and with `states` also every
        position. Reads them as they arrive, and resumes after the last one if the connection breaks."""
        query = {"status": status, "ruleset": ruleset, "player": player, "imported": imported, "since": since, "until": until}
        place = {"after": after, "limit": limit}
        return exported(self._wire, self._secret, {**query, "sort": sort, "states": states or None, **place})

    def export_proofs(
        self,
        *,
        status: Sequence[Exported] = (),
        ruleset: str | None = None,
        player: str | None = None,
        imported: bool | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        sort: Literal["created", "finished"] | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> Iterator[interface.ExportedProof]:
        """Yields the proofs of the same games."""
        query = {"status": status, "ruleset": ruleset, "player": player, "imported": imported, "since": since, "until": until}
        return exported(self._wire, self._secret, {**query, "sort": sort, "proofs": True, "after": after, "limit": limit})

    def rulesets(self) -> list[interface.RulesetView]:
        """Returns every rule set with its options, players and rules."""
        rulesets: interface.RulesetList = self._get("/v1/rulesets")
        return rulesets["rulesets"]

    # ---- Proofs ----

    def proof(self, game: str) -> interface.Proof:
        """Returns the proof of a game, as far as you may see it."""
        proof: interface.Proof = self._get(of_game(game, "proof"))
        return proof

    def receipt(self, game: str) -> Receipt | None:
        """Returns the answer to taking your seat with this object, with the seats signed before, for the last 1,000 games. Keep it to verify the
        game later."""
        return self._receipts.get(game)

    def verify(
        self, game: str, kept: Iterable[HeadView] = (), *, commitment: str | None = None, receipt: Receipt | None = None
    ) -> list[str]:
        """Recomputes heads and chance of a game locally from its proof, and looks for the heads that you kept.

        The proof must match the commitment, if you pass the one that you were shown, and the receipt, by default the one of this
        object. Returns what was verified and what could not be. Raises `Wrong` if something does not match. Also works while the game is
        running.
        """
        return verifier.verify(self.proof(game), game, kept, commitment, receipt or self.receipt(game))

    # ---- Requests ----

    def _send(
        self,
        method: str,
        path: str,
        body: str | bytes | Mapping[str, object] | None = None,
        *,
        accept: str | None = JSON,
        headers: Mapping[str, str] | None = None,
        secret: Secret | None = None,
        wait: int = 0,
        timeout: float | None = None,
    ) -> Answer:
        """Sends any request. A string is sent as text, bytes as in the headers, anything else as JSON."""
        headers = {**(headers or {}), **({"Accept": accept} if accept else {})}
        if body is not None and not isinstance(body, bytes):
            headers["Content-Type"] = TEXT if isinstance(body, str) else JSON
            body = (body if isinstance(body, str) else json.dumps(body)).encode()
        secret = secret or self._secret
        return self._wire.ask(method, path, secret, headers=headers, body=body, wait=wait, timeout=timeout)

    def _get(self, path: str) -> Any:
        return self._send("GET", path).content

    def _delete(self, path: str) -> None:
        try:
            self._send("DELETE", path, accept=None)
        except Problem as problem:
            # If the first request removed it, the second does not find it.
            if not problem.is_repeated or problem.code not in ("not_your_seat", "game_not_found"):
                raise

    def _bulk(self, path: str, records: Iterable[str] | Iterable[bytes]) -> Iterator[Any]:
        number = line = 0  # of earlier batches
        attempts = Attempts(self._retries)
        for kind, body in in_batches(records):
            told, is_done = 0, False
            while not is_done:
                *rows, last = self._send("POST", path, body, accept=LINES, headers={"Content-Type": kind}).content
                for row in rows[told:]:
                    if row.get("error") and kind == TEXT:  # in JSON, the lines of each record count from 1
                        row["error"]["line"] += line
                    yield {**row, "number": number + row["number"], "line": line + row["line"]}
                is_done = last["kind"] != "stopped"
                if is_done or len(rows) > told:
                    attempts.restart()
                if not is_done:
                    attempts.failed(stopped(last))
                told = max(told, len(rows))
            number, line = number + told, line + lines_in(body)

    def _pages(self, path: str, query: Query, things: str = "games", limit: int = 100) -> Iterator[Any]:
        cursor: str | None = None
        while True:
            page = self._get(path + query_string({**query, "limit": limit, "cursor": cursor}))
            yield from page[things]
            cursor = page["next"]
            if cursor is None:
                return


def turn_of(game: str, seat: int | None, legal: LegalMoves | None, state: interface.State | None) -> Turn | None:
    """Returns the turn of this seat, if it is on turn."""
    if seat is None or legal is None or state is None or legal["seat"] != seat or legal["moves"] is None:
        return None
    return Turn(game, seat, legal["ply"], legal["moves"], state, legal["head"])


def _dice_path(player: str | None) -> str:
    return "/v1/dice" if player is None else f"/v1/players/{quote(player, safe='')}/dice"


def player_of(game: GameView, seat: int) -> str | None:
    """Returns the public id of a seat's player."""
    return next((one["player"] for one in game["seats"] if one["seat"] == seat), None)


def waits_for_beacon(game: GameView) -> bool:
    """Returns whether a game has all its seats and waits for its beacon round."""
    return game["status"] == "open" and game["beacon"] is not None and game["beacon"]["round"] is not None


def entropy_of(game: GameView, seat: int) -> str | None:
    """Returns the entropy of a seat."""
    return next((one["entropy"] for one in game["seats"] if one["seat"] == seat), None)
