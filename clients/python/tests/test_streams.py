"""Streams: cut at any byte, dead, refused, and taken up again where they were."""

from __future__ import annotations

import json
import unittest
from itertools import islice
from typing import Any
from unittest import mock
from urllib.parse import parse_qs, urlsplit

from assam_client import Client, Turn, Unexpected, Unreachable, streams

from service import BREAK, BUSY, GAME, ID, Reply, WithService, free, refused, seated, signed, stream, table

Message = dict[str, Any]
OVER: Message = {"type": "over", "head": None, "result": {"scores": [1, 2]}, "seed": None}
HEARTBEAT: Message = {"type": "heartbeat", "head": None}
CLOSING: Message = {"type": "closing", "retry": 2500}
NOTHING: Reply = (304, {}, None)
END: Reply = (204, {}, None)


def head(ply: int) -> Message:
    return {"ply": ply, "hash": f"{ply:02x}" * 32}


def place(ply: int) -> str:
    return f"{ply}.{head(ply)['hash']}"


def word(ply: int) -> Message:
    return {"type": "word", "ply": ply, "word": "N+3é", "head": head(ply), "opened": []}


def snapshot(ply: int) -> Message:
    return {"type": "snapshot", "game": {**GAME, "head": head(ply)}, "words": []}


def game_of(paths: str) -> list[Message]:
    """What the service sends of a game of 4 plies, whoever begins at ply 1."""
    since = parse_qs(urlsplit(paths).query).get("since")
    begin = [] if since else [snapshot(1)]
    last = int(since[0].split(".")[0]) if since else 1
    seats: Message = {"type": "seats", "seats": []}
    return [*begin, seats, *[word(ply) for ply in range(last + 1, 5)], HEARTBEAT, OVER]


def turn(ply: int) -> Message:
    legal = {"seat": 1, "ply": ply, "moves": ["N", "E"], "head": head(ply - 1)}
    game = {**GAME, "status": "running", "seat_on_turn": 1}
    return {"type": "turn", "game": game, "ply": ply, "state": {"game": "marrakech"}, "legal_moves": legal}


class StreamTest(WithService):
    def paths(self, asked: list[tuple[str, dict[str, str], bytes, int]]) -> list[str]:
        return [path.removeprefix("GET /v1/") for path, *_ in asked]

    def test_each_word_is_told_once_wherever_the_connection_is_cut(self) -> None:
        for is_chunked in (True, False):
            cuts: list[int | None] = []

            def answer(path: str) -> Reply:
                return stream(*game_of(path), cut=cuts.pop(), is_chunked=is_chunked)

            whole = stream(*game_of(""), is_chunked=is_chunked)[2].content()
            client, _ = self.client(*[answer] * 2 * len(whole))
            for cut in range(len(whole)):
                cuts[:] = [None, cut]
                told = list(client.follow(ID))
                kinds = [message["type"] for message in told]
                self.assertEqual([message["ply"] for message in told if message["type"] == "word"], [2, 3, 4], cut)
                self.assertEqual((kinds.count("snapshot"), kinds.count("heartbeat"), told[-1]), (1, 0, OVER), cut)
        # Nobody waits before the first attempt to connect again.
        self.assertEqual(set(self.pauses), {0.0})

    def test_a_stream_that_closes_is_resumed_when_it_says_and_one_that_is_over_is_not(self) -> None:
        client, service = self.client(stream(snapshot(1), word(2), HEARTBEAT, CLOSING), END)
        self.assertEqual([message["type"] for message in client.follow(ID, include=["state"], presence=True)], ["snapshot", "word"])
        self.assertEqual(self.pauses, [2.5])
        events = f"games/{ID}/events?include=state&presence=true"
        self.assertEqual(self.paths(service.asked), [events, f"{events}&since={place(2)}"])
        client, service = self.client(stream({"type": "gone", "code": "game_removed", "detail": "no"}))
        self.assertEqual([message["type"] for message in client.follow(ID, since={"ply": 7, "hash": "07" * 32})], ["gone"])
        self.assertEqual(self.paths(service.asked), [f"games/{ID}/events?since={place(7)}"])
        _, headers, *_ = service.asked[0]
        self.assertEqual((headers["Accept"], headers["Authorization"]), ("application/x-ndjson", f"Bearer {self.secret}"))

    def test_after_a_reset_a_snapshot_is_asked_for(self) -> None:
        reset: Message = {"type": "reset", "head": head(9)}
        client, service = self.client(stream(snapshot(1), reset), stream(snapshot(9), OVER))
        self.assertEqual([message["type"] for message in client.follow(ID)], ["snapshot", "reset", "snapshot", "over"])
        self.assertEqual(self.paths(service.asked), [f"games/{ID}/events"] * 2)

    def test_a_connection_on_which_nothing_comes_is_dead(self) -> None:
        client, service = self.client(stream(snapshot(1), is_stalled=True), stream(word(2), OVER))
        self.assertEqual([message["type"] for message in client.follow(ID)], ["snapshot", "word", "over"])
        self.assertEqual(self.paths(service.asked)[1], f"games/{ID}/events?since={place(1)}")

    def test_it_is_left_alone_longer_and_longer_until_a_connection_holds(self) -> None:
        bounds = [0, 0.5, 1, 2, 4, 5, 5, 5]
        client, service = self.client(stream(snapshot(1)), *[BREAK] * 6, (502, {}, "<h1>no</h1>"), stream(OVER))
        list(client.follow(ID))
        self.assertEqual(len(self.pauses), len(bounds))
        for pause, bound in zip(self.pauses, bounds):
            self.assertTrue(0.75 * bound <= pause <= 1.25 * bound, self.pauses)
        self.assertEqual(len(set(self.pauses)), len(bounds))
        self.pauses.clear()
        with mock.patch.object(streams, "HELD", 0.0):
            client, _ = self.client(*[stream(snapshot(1))] * 9, stream(OVER))
            list(client.follow(ID))
        self.assertEqual(self.pauses, [0.0] * 9)

    def test_what_is_refused_is_told_and_who_is_busy_is_left_alone(self) -> None:
        client, service = self.client(refused("game_not_found", 404))
        self.assertEqual(self.refusal(lambda: list(client.follow(ID))).code, "game_not_found")
        self.assertEqual(len(service.asked), 1)
        # Also where it was followed before.
        client, service = self.client(stream(snapshot(1)), BUSY, refused("game_removed", 410))
        self.assertEqual(self.refusal(lambda: list(client.follow(ID))).code, "game_removed")
        self.assertEqual(self.pauses, [0.0, 7.0])
        # .. and who wants that for longer than a call may take, only once it was there.
        often: Reply = (429, {"Retry-After": "61"}, refused("too_many_requests", 429)[2])
        client, _ = self.client(often)
        self.assertEqual(self.refusal(lambda: list(client.follow_own())).code, "too_many_requests")
        client, _ = self.client(stream(snapshot(1)), often, stream(OVER))
        self.assertEqual(len(list(client.follow(ID))), 2)
        # A page in its place is no stream, whether it was there before or not.
        client, service = self.client((200, {}, "<h1>a proxy</h1>"))
        with self.assertRaises(Unexpected):
            list(client.follow(ID))
        self.assertEqual(len(service.asked), 1)
        client, service = self.client(stream(snapshot(1)), *[(200, {}, "<h1>a proxy</h1>")] * 9, stream(OVER))
        self.assertEqual(len(list(client.follow(ID))), 2)

    def test_a_service_that_was_never_there_is_tried_as_long_as_by_any_request(self) -> None:
        dead = Client("http://127.0.0.1:1", self.secret, timeout=30)
        for followed in (dead.follow(ID), dead.turns()):
            self.pauses.clear()
            with self.assertRaises(Unreachable) as raised:
                next(followed)
            self.assertNotIn(self.secret, repr(raised.exception))
            self.assertTrue(23 < sum(self.pauses) < 30)

    def test_the_stream_of_all_games_goes_on_at_its_last_cursor_and_tells_resets(self) -> None:
        def at(position: int, kind: str) -> Message:
            return {"type": kind, "position": position, "cursor": f"{position}.ab"}

        first = stream(at(3, "caught-up"), at(4, "game"), at(6, "heartbeat"))
        client, service = self.client(first, stream(at(2, "reset"), at(2, "caught-up")), stream(at(3, "removed")))
        told = list(islice(client.follow_all(ruleset="marrakech/1"), 5))
        self.assertEqual([message["type"] for message in told], ["caught-up", "game", "reset", "caught-up", "removed"])
        query = "events?ruleset=marrakech%2F1"
        self.assertEqual(self.paths(service.asked), [query, f"{query}&since=6.ab", f"{query}&since=2.ab"])

    def test_turns_of_all_games_are_played_while_they_are_followed(self) -> None:
        caught_up: Message = {"type": "caught-up", "running": 1}
        taken: Reply = (201, {}, {"words": ["N+3"]})
        answers = [taken, refused("ply_taken", 409), stream(turn(5), is_stalled=True), refused("not_your_seat", 403)]
        client, service = self.client(stream(turn(1), caught_up, HEARTBEAT, turn(3)), *answers)
        turns = client.turns()
        first = next(turns)
        expected = Turn(ID, 1, 1, ["N", "E"], {"game": "marrakech"}, head(0))  # type: ignore[arg-type]
        self.assertEqual(first, expected)
        self.assertEqual(client.play_turn(first, "N"), {"words": ["N+3"]})
        # The game has gone on without this seat, the stream breaks, and its secret is lost.
        self.assertIsNone(client.play_turn(next(turns), "N"))
        lost = next(turns)
        self.assertEqual(self.refusal(lambda: client.play_turn(lost, "N")).code, "not_your_seat")
        turns.close()  # type: ignore[attr-defined]
        own = "GET /v1/me/events?include=state,legal-moves"
        put = f"PUT /v1/games/{ID}/moves/%d?include=state,legal-moves"
        self.assertEqual([path for path, *_ in service.asked], [own, put % 1, put % 3, own, put % 5])
        streamed, played = [{port for path, *_, port in service.asked if path.startswith(kind)} for kind in ("GET", "PUT")]
        self.assertEqual((len(streamed), len(played)), (2, 1))

    def test_a_turn_is_played_once_the_service_is_back_however_long_that_takes(self) -> None:
        away: list[Reply] = [*[BREAK] * 6, *[BUSY] * 6, (502, {}, "<h1>no</h1>"), *[BREAK] * 5]
        client, service = self.client(*away, (201, {}, {"words": ["N+3"]}), refused("illegal_move", 422))
        its = Turn(ID, 1, 1, ["N"], {"game": "marrakech"}, head(0))  # type: ignore[arg-type]
        self.assertEqual(client.play_turn(its, "N"), {"words": ["N+3"]})
        self.assertEqual(len(service.asked), len(away) + 1)
        self.assertEqual(self.refusal(lambda: client.play_turn(its, "N")).code, "illegal_move")

    def test_waiting_takes_a_request_for_each_word_and_none_where_nothing_happens(self) -> None:
        running = {**GAME, "status": "running", "seat_on_turn": 2, "head": head(1)}
        replies: list[Reply] = [(200, {"ETag": '"a.b"'}, view) for view in (GAME, running, {**running, "head": head(2)})]
        client, service = self.client(*replies, NOTHING, (200, {}, {**GAME, "status": "aborted"}))
        self.assertIsNone(client.wait(ID))
        game = f"games/{ID}"
        since = [f"{game}?wait=30&since={place(ply)}" for ply in (1, 2, 2)]
        self.assertEqual(self.paths(service.asked), [game, f"{game}?wait=30", *since])
        self.assertEqual([headers.get("If-None-Match") for _, headers, *_ in service.asked], [None] + ['"a.b"'] * 4)
        # A service that does not wait, as it stops, is not asked all the time.
        self.assertEqual(self.pauses, [1.0])
        client, service = self.client((200, {}, GAME), *[BREAK] * 7, (200, {}, {**GAME, "status": "finished"}))
        self.assertIsNone(client.wait(ID))
        self.assertEqual(len(service.asked), 9)
        client, _ = self.client((200, {}, GAME))
        with self.assertRaises(TimeoutError):
            client.wait(ID, timeout=0.0)

    def test_a_game_is_played_to_its_end_with_what_the_answers_to_moves_tell(self) -> None:
        def legal(ply: int, seat: int) -> Message:
            return {"seat": seat, "ply": ply, "moves": ["N"], "head": head(ply - 1)}

        def written(following: Message | None) -> Reply:
            return 201, {}, {"words": ["N"], "legal_moves": following, "state": following and {"game": "marrakech"}}

        mine = {**GAME, "status": "running", "seat_on_turn": 1, "state": {"game": "marrakech"}}
        over = {**GAME, "status": "finished"}
        client, service = self.client(
            *[(200, {}, {**mine, "head": head(0)}), (200, {}, legal(1, 1)), written(legal(2, 1)), written(legal(3, 2))],
            *[(200, {}, {**mine, "head": head(3)}), (200, {}, legal(4, 1)), written(None), (200, {}, over), (200, {}, over)],
        )
        self.assertEqual(client.play_to_the_end(ID, lambda turn: turn.moves[0]), over)
        game = f"/v1/games/{ID}"
        put = f"PUT {game}/moves/%d?include=state,legal-moves"
        begin = [f"GET {game}", f"GET {game}/legal-moves", put % 1, put % 2]
        later = [f"GET {game}?wait=30&since={place(2)}", f"GET {game}/legal-moves", put % 4, f"GET {game}", f"GET {game}"]
        self.assertEqual([path for path, *_ in service.asked], begin + later)

    def test_a_rematch_is_asked_for_and_the_seat_that_is_kept_is_taken(self) -> None:
        kept = [free(seat, reserved_for=f"{seat:020}") for seat in (1, 2)]
        again = table(*kept, id="2a" * 16)
        mine, (note, stated) = seated(again, self.own(2, "e5" * 32)), signed(again)
        client, service = self.client((201, {}, again), (200, {}, again), stated, refused("seat_taken", 409), (201, {}, mine))
        self.assertEqual(client.rematch(ID, name="Aisha", entropy="e5" * 32), {**mine, "seats_receipt": note})
        game = f"/v1/games/{again['id']}"
        seats = [f"PUT {game}/seats/{seat}" for seat in (1, 2)]
        self.assertEqual([path for path, *_ in service.asked], [f"POST /v1/games/{ID}/rematch", f"GET {game}", f"GET {game}/receipt", *seats])
        self.assertEqual(json.loads(service.asked[-1][2])["name"], "Aisha")


if __name__ == "__main__":
    unittest.main()
