"""What a real service does too seldom for a test: it breaks connections, is busy, or is not there at all."""

from __future__ import annotations

import json
import traceback
import unittest
from collections.abc import Callable
from http.client import HTTPConnection
from socket import socketpair
from typing import Any

from assam_client import AssamError, Client, Problem, Unexpected, Unreachable, Wrong, new_secret, secret_for

from service import BREAK, BUSY, CUT, GAME, ID, LATE, Reply, Stream, WithService, free, refused, seated, signed, stream, table

CAUGHT_UP = {"type": "caught-up", "running": 1}


class ClientTest(WithService):
    def test_requests_share_a_connection(self) -> None:
        client, service = self.client(*[(200, {}, {"player": "ab"})] * 3)
        for _ in range(3):
            self.assertEqual(client.player_id(), "ab")
        self.assertEqual(len({port for *_, port in service.asked}), 1)
        self.assertEqual(service.asked[0][1]["Authorization"], f"Bearer {self.secret}")

    def test_where_one_kept_connection_is_dead_the_others_are_not_tried(self) -> None:
        client, service = self.client((200, {}, {"player": "ab"}))
        for _ in range(8):
            connection = HTTPConnection("127.0.0.1")
            connection.sock, dead = socketpair()
            dead.close()
            client._wire._kept.append(connection)
        self.assertEqual(client.player_id(), "ab")
        self.assertEqual((len(service.asked), self.pauses), (1, [0.0]))

    def test_a_request_that_breaks_off_is_sent_again_as_it_was(self) -> None:
        client, service = self.client(BREAK, CUT, LATE, (201, {}, GAME))
        self.assertEqual(client.create_game("marrakech/1", ["open", "open"])["id"], GAME["id"])
        first, *others = service.asked
        self.assertEqual([first[:3]] * 3, [other[:3] for other in others])
        self.assertGreaterEqual(len(first[1]["Idempotency-Key"]), 22)

    def test_a_seat_is_taken_with_entropy_also_where_answers_are_lost(self) -> None:
        entropy, shown = "e5" * 32, table(free(1), free(2))
        note, stated = signed(shown)
        mine = seated(shown, self.own(2, entropy))
        kept = {**mine, "seats_receipt": note}
        client, service = self.client((200, {}, shown), stated, BREAK, (200, {}, mine))
        self.assertEqual(client.take_seat(ID, 2, entropy=entropy), kept)
        self.assertEqual(client.receipt(ID), kept)
        *_, first, second = [json.loads(body or b"null") for _, _, body, _ in service.asked]
        wanted = (entropy, shown["commitment"], shown["seats_digest"])
        self.assertEqual((first["entropy"], first["commitment"], first["seats_digest"]), wanted)
        self.assertEqual(first, second)

        # One that is made at random is missed if the response does not have it.
        client, service = self.client((200, {}, shown), stated, (200, {}, mine))
        with self.assertRaisesRegex(Wrong, "seat 2: entropy: expected [0-9a-f]{64}, found e5"):
            client.take_seat(ID, 2)
        self.assertIsNone(client.receipt(ID))

        # Who holds the seat has given entropy before; or holds it with a secret that was replaced; or the last seat is taken by now.
        held = table(*mine["seats"], revision=1, your_seat=2)
        client, _ = self.client((200, {}, held), signed(held, 1)[1], (200, {}, held))
        self.assertEqual(client.take_seat(ID, 2), held)
        bare = table(free(1), self.own(2, None, player="ab" * 10), revision=1, your_seat=2)
        now = {**seated(bare, self.own(2, entropy, player="ab" * 10, revision=2)), "pin": {"seats_digest": bare["seats_digest"], "held": 1}}
        client, _ = self.client((200, {}, bare), signed(bare, 1)[1], (200, {}, now))
        self.assertEqual(client.take_seat(ID, 2, entropy=entropy)["your_seat"], 2)
        waiting = {**table(self.own(1, None, player="cd" * 10, revision=2), self.own(2, None)), "your_seat": 2, "beacon": {"chain": "drand:00", "round": 7}}
        client, _ = self.client((200, {}, {**waiting, "seats_digest": None}), (200, {"Content-Type": "text/plain"}, "seat 1"), (200, {}, waiting))
        self.assertEqual(client.take_seat(ID, 2), waiting)

    def test_what_the_service_says_of_seats_must_be_what_it_signed_before_the_entropy_was_sent(self) -> None:
        entropy, other = "e5" * 32, self.own(1, "0d" * 32, player="cd" * 10)
        shown = table(other, free(2), revision=1)
        mine = seated(shown, self.own(2, entropy, revision=2))
        others = [[self.own(2, entropy), other], [other, self.own(2, entropy, player="ab" * 10, revision=2)],
                  [other, self.own(2, entropy, revision=2, kind="human a")], [other],
                  [free(1), mine["seats"][1]], [{**other, "revision": 3}, mine["seats"][1]], [{**other, "entropy": "0e" * 32}, mine["seats"][1]]]
        lies: list[dict[str, Any]] = [{"seats": seats} for seats in others]
        for lie in [*lies, {"your_seat": None}, {"head": None}, {"id": "00" * 16}, {"commitment": "00" * 32}, {"pin": None},
                    {"pin": {"seats_digest": "00" * 32, "held": None}}]:
            client, _ = self.client((200, {}, shown), signed(shown, 1)[1], (201, {}, {**mine, **lie}))
            with self.assertRaisesRegex(Wrong, "seat|head|game|commitment"):
                client.take_seat(ID, 2, entropy=entropy)
            self.assertIsNone(client.receipt(ID))
        # Seats are shown that are not those of the digest: the entropy stays here.
        for lie in lies[-3:]:
            client, service = self.client((200, {}, {**shown, **lie}), signed(shown, 1)[1])
            with self.assertRaisesRegex(Wrong, "seats that are shown: digest"):
                client.take_seat(ID, 2, entropy=entropy)
            self.assertEqual(len(service.asked), 2)
        # What an answer says that only the client can know is not kept.
        client, _ = self.client((200, {}, shown), signed(shown, 1)[1], (201, {}, {**mine, "seats_receipt": "a lie"}))
        self.assertEqual(client.take_seat(ID, 2, entropy=entropy), {**mine, "seats_receipt": signed(shown, 1)[0]})
        # The seat that a receipt has is not taken again as if it had never been, nor is a game created that is another one.
        again, _ = self.client((200, {}, shown), signed(shown, 1)[1], (201, {}, shown))
        again._receipts = client._receipts
        with self.assertRaisesRegex(Wrong, "your_seat: expected 2, as in the receipt, found none"):
            again.join(ID)
        with self.assertRaisesRegex(Wrong, "game: expected a new one"):
            again.create_game("marrakech/1", ["open", "open"], take={"seat": 2})

    def test_entropy_that_the_service_may_know_is_sent_with_the_same_seats_alone(self) -> None:
        shown, later = table(free(1)), table(free(1), revision=2)
        digests = [shown["seats_digest"], later["seats_digest"]]
        before, after = [(200, {}, shown), signed(shown)[1]], [(200, {}, later), signed(later, 2)[1]]
        changed, taken = refused("seats_changed", 409), refused("seat_taken", 409)
        # The first answer is lost for good; then the seats are as they were; then they have changed.
        client, service = self.client(*before, refused("bad_request", 400), *before, changed, *after, taken)
        for code in ("bad_request", "seats_changed", "seat_taken"):
            self.assertEqual(self.refusal(lambda: client.take_seat(ID, 1)).code, code)
        sent = [json.loads(body) for _, _, body, _ in service.asked if body]
        self.assertEqual([one["seats_digest"] for one in sent], [digests[0], *digests])
        self.assertEqual(sent[0]["entropy"], sent[1]["entropy"])
        self.assertNotEqual(sent[1]["entropy"], sent[2]["entropy"])
        client, service = self.client(*before, changed, *after)
        self.assertEqual(self.refusal(lambda: client.take_seat(ID, 1, entropy="e5" * 32)).code, "seats_changed")
        with self.assertRaisesRegex(ValueError, "entropy: it was sent with other seats before"):
            client.take_seat(ID, 1, entropy="e5" * 32)

        # A seat that was taken although the answer was lost stays that of the first request, and is asked for again.
        client, service = self.client(*before, refused("bad_request", 400))
        self.refusal(lambda: client.take_seat(ID, 1))
        entropy = json.loads(service.asked[-1][2])["entropy"]
        mine = seated(shown, self.own(1, entropy))
        acts: list[Callable[[Client], object]] = [lambda client: client.take_seat(ID, 1), lambda client: client.join(ID)]
        for act in acts:
            for answer in (mine, {**mine, "pin": {"seats_digest": digests[1], "held": None}}, {**mine, "seats": [self.own(1, entropy, revision=3)]}):
                again, _ = self.client((200, {}, mine), (200, {"Content-Type": "text/plain"}, "ply 0"), (200, {}, answer))
                again._sent = dict(client._sent)
                if answer is mine:
                    self.assertEqual(act(again), {**mine, "seats_receipt": signed(shown)[0]})
                else:
                    with self.assertRaisesRegex(Wrong, "seats_digest"):
                        act(again)
        # The player id of a seat that was open before could have been chosen when the entropy was known.
        other = {**mine, "seats": [self.own(1, entropy, player="ab" * 10)]}
        again, _ = self.client((200, {}, other), (200, {"Content-Type": "text/plain"}, "ply 0"), (200, {}, other))
        again._sent = dict(client._sent)
        with self.assertRaisesRegex(Wrong, "seat 1: player"):
            again.join(ID)
        # It has that entropy, and the one that was chosen.
        stolen = {**mine, "seats": [self.own(1, "0e" * 32)]}
        again, _ = self.client((200, {}, stolen), (200, {"Content-Type": "text/plain"}, "ply 0"))
        again._sent = dict(client._sent)
        with self.assertRaisesRegex(Wrong, "seat 1: entropy"):
            again.join(ID)
        again, _ = self.client((200, {}, stolen), (200, {"Content-Type": "text/plain"}, "ply 0"))
        with self.assertRaisesRegex(Wrong, "seat 1: entropy: expected e5"):
            again.join(ID, entropy="e5" * 32)

    def test_the_commitment_of_a_game_that_cannot_be_seen_is_asked_for_without_entropy(self) -> None:
        shown = table(free(1))
        mine, (note, _) = seated(shown, self.own(1, "e5" * 32)), signed(shown)
        others: list[Reply] = []
        for code, told in (("commitment_mismatch", {"expected": "c0" * 32}), ("seats_changed", {"receipt": note})):
            status, headers, problem = refused(code, 409)
            others.append((status, headers, {**problem, **told}))
        nowhere = refused("game_not_found", 404)
        client, service = self.client(nowhere, *others, (201, {}, mine))
        self.assertEqual(client.join(ID, join_code="tea", entropy="e5" * 32), {**mine, "seats_receipt": note})
        _, asked, again, taken = [json.loads(body or b"null") for _, _, body, _ in service.asked]
        self.assertEqual(asked, {"commitment": "0" * 64, "join_code": "tea"})
        self.assertEqual(again, {"commitment": "c0" * 32, "seats_digest": "0" * 64, "join_code": "tea"})
        self.assertEqual(taken["seats_digest"], shown["seats_digest"])
        self.assertEqual((taken["entropy"], taken["commitment"], taken["join_code"]), ("e5" * 32, "c0" * 32, "tea"))

    def test_the_only_open_seat_is_left_open_until_the_commitment_is_known(self) -> None:
        created = table(free(1))
        taken = seated(created, self.own(1, "e5" * 32))
        before = [(201, {}, created), (200, {}, created), signed(created)[1]]
        client, service = self.client(*before, (201, {}, taken))
        game = client.create_game("marrakech/1", ["open"], take={"seat": 1, "name": "A"}, entropy="e5" * 32)
        self.assertEqual(game["your_seat"], 1)
        first, second = [json.loads(body) for _, _, body, _ in service.asked if body]
        self.assertEqual((first["take"], second["name"], second["entropy"]), (None, "A", "e5" * 32))
        # The game is not left behind if the seat cannot be taken.
        client, service = self.client(*before, refused("bad_request", 400), (204, {}, None))
        self.assertEqual(self.refusal(lambda: client.create_game("marrakech/1", ["open"], take={"seat": 1})).code, "bad_request")
        self.assertEqual(service.asked[-1][0], f"DELETE /v1/games/{ID}")
        # Nor is it said to be taken, with entropy that the service chose.
        client, _ = self.client((201, {}, {**taken, "status": "running"}))
        with self.assertRaisesRegex(Wrong, "game: expected a new one"):
            client.create_game("marrakech/1", ["open"], take={"seat": 1}, entropy="e5" * 32)

    def test_a_busy_service_is_left_alone_as_long_as_it_wants(self) -> None:
        client, service = self.client(BUSY, (201, {}, {"words": ["N+3"]}))
        self.assertEqual(client.play(ID, 1, "N")["words"], ["N+3"])
        self.assertEqual((len(service.asked), self.pauses), (2, [7.0]))
        # .. within the time that a call may take in all.
        client, service = self.client(*[BUSY] * 9)
        self.assertEqual(self.refusal(client.player_id).code, "busy")
        self.assertEqual(len(service.asked), 9)

    def test_who_wants_to_be_left_alone_longer_than_a_call_may_take_is_not_waited_for(self) -> None:
        often: Reply = (429, {"Retry-After": "61"}, refused("too_many_requests", 429)[2])
        client, service = self.client(often)
        problem = self.refusal(client.player_id)
        self.assertEqual((problem.code, problem.retry_after), ("too_many_requests", 61))
        self.assertEqual((len(service.asked), self.pauses), (1, []))
        for timeout in (62, None):
            client, service = self.client(often, (200, {}, {"player": "ab"}), timeout=timeout)
            self.assertEqual(client.player_id(), "ab")
        self.assertEqual(self.pauses, [61.0, 61.0])

    def test_a_call_is_given_up_when_its_time_is_up_and_never_pauses_for_more_than_seconds(self) -> None:
        for timeout in (2, 60, 3000):
            self.pauses.clear()
            dead = Client("http://127.0.0.1:1", self.secret, timeout=timeout)
            self.assertRaises(Unreachable, dead.player_id)
            self.assertTrue(0.98 * timeout - 7 < sum(self.pauses) < timeout, sum(self.pauses))
            self.assertEqual(self.pauses[0], 0)
            self.assertLess(max(self.pauses), 7)
            if timeout > 100:
                self.assertGreater(len(set(self.pauses)), 100)  # not all clients come back at the same time

    def test_while_a_client_is_in_a_stream_its_calls_wait_as_long_as_it_takes(self) -> None:
        away: list[Reply] = [*[BREAK] * 40, *[BUSY] * 20, (429, {"Retry-After": "90"}, BUSY[2]), (502, {}, "<h1>no</h1>")]
        record: Reply = (200, {"Content-Type": "text/plain"}, "MKN/1")
        client, service = self.client(stream(CAUGHT_UP, is_stalled=True), *away, record, *away, timeout=10)
        messages = client.follow_own()
        self.assertEqual(next(messages), CAUGHT_UP)
        self.assertEqual(client.record(ID), "MKN/1")
        self.assertEqual(len(service.asked), len(away) + 2)
        self.assertGreater(sum(self.pauses), 300)
        # Once it has left the stream, the time that a call may take counts again.
        messages.close()  # type: ignore[attr-defined]
        self.assertRaises(Unreachable, client.record, ID)

    def test_while_a_game_is_played_to_its_end_what_is_asked_to_choose_waits_too(self) -> None:
        mine = {**GAME, "status": "running", "seat_on_turn": 1, "state": {"game": "marrakech"}}
        legal = {"seat": 1, "ply": 1, "moves": ["N"], "head": None}
        over = {**GAME, "status": "finished"}
        begin: list[Reply] = [*[BREAK] * 30, (200, {}, mine), (200, {}, legal), *[BREAK] * 30, (200, {}, {"player": "ab"})]
        client, _ = self.client(*begin, (201, {}, {"words": ["N"]}), (200, {}, over), (200, {}, over), timeout=10)
        self.assertEqual(client.play_to_the_end(ID, lambda turn: turn.moves[len(client.player_id()) - 2]), over)

    def test_who_says_nothing_is_not_waited_for_without_end(self) -> None:
        chunked = {"Content-Type": "application/json", "Transfer-Encoding": "chunked"}
        for silent in (LATE, (200, chunked, Stream([{"player": "ab"}], is_stalled=True))):
            client, _ = self.client(*[silent] * 99, timeout=4)
            with self.assertRaisesRegex(Unreachable, r"nothing came for 0\.\d+ s"):
                client.player_id()

    def test_a_page_in_place_of_an_answer_is_none(self) -> None:
        page: Reply = (200, {}, "<h1>Welcome to our network</h1>")
        asks: list[Callable[[Client], object]] = [
            Client.player_id, Client.rulesets, lambda client: client.record(ID), lambda client: client.picture(ID, 1),
            lambda client: client.remove_game(ID), lambda client: client.validate("MKN/1"), lambda client: next(client.follow(ID)),
            lambda client: client.play(ID, 1, "N"), lambda client: next(client.export_games()), lambda client: list(client.states(ID)),
            lambda client: list(client.validate_records(["MKN/1"])), lambda client: client.replace_secret(ID, 1, new_secret()),
        ]
        for ask in asks:
            # Before the service was ever there, its address is wrong.
            client, service = self.client(page)
            with self.assertRaisesRegex(Unexpected, "found text/html with status 200") as raised:
                ask(client)
            self.assertEqual((raised.exception.status, raised.exception.content_type, len(service.asked)), (200, "text/html", 1))
        wrong: list[Reply] = [page, (302, {}, "<h1>Moved</h1>"), (404, {}, "<h1>no</h1>"), (200, {}, {}), (304, {}, None)]
        odd: list[Reply] = [(200, {"Content-Type": "application/json"}, "[1]"), (200, {"Content-Type": "application/json"}, "{")]
        known: Reply = (200, {}, {"player": "ab"})
        # Later, the network between is at fault, which passes.
        client, service = self.client(known, *wrong[:3], *odd, wrong[4], (204, {}, None), known, page, (204, {}, None))
        self.assertEqual([client.player_id(), client.player_id()], ["ab", "ab"])
        client.remove_game(ID)
        self.assertEqual(len(service.asked), 11)

    def test_a_refusal_is_told_once_and_whole(self) -> None:
        client, service = self.client(refused("illegal_move", 422))
        problem = self.refusal(lambda: client.play("5e" * 16, 1, "N"))
        told = (problem.code, problem.status, problem.detail, problem.errors, problem.is_repeated)
        self.assertEqual(told, ("illegal_move", 422, "no", [{"detail": "no"}], False))
        self.assertEqual(len(service.asked), 1)

    def test_what_a_broken_request_did_is_no_problem_of_the_next(self) -> None:
        client, _ = self.client(BREAK, refused("not_your_seat", 403), BREAK, refused("game_not_found", 404))
        client.leave_seat("5e" * 16, 1)
        client.remove_game("5e" * 16)
        client, _ = self.client(refused("game_not_found", 404))
        self.assertEqual(self.refusal(lambda: client.remove_game("5e" * 16)).code, "game_not_found")
        client, service = self.client(BREAK, refused("not_your_seat", 403), (204, {}, None))
        new = new_secret()
        client.replace_secret("5e" * 16, 1, new)
        self.assertEqual(service.asked[-1][1]["Authorization"], f"Bearer {new}")

    def test_lists_go_on_over_their_pages_as_far_as_they_are_read(self) -> None:
        page: Reply = (200, {}, {"games": [GAME, GAME], "next": "0a"})
        client, service = self.client(page, page, (200, {}, {"games": [GAME], "next": None}), page)
        self.assertEqual(len(list(client.games(status=["open", "running"], imported=False))), 5)
        query = "status=open,running&imported=false&limit=100"
        paths = [f"GET /v1/games?{query}", *[f"GET /v1/games?{query}&cursor=0a"] * 2]
        self.assertEqual([path for path, *_ in service.asked], paths)
        self.assertEqual(next(client.own_games(your_turn=True)), GAME)
        self.assertEqual(len(service.asked), 4)

    def test_games_are_found_by_their_tags_and_outcomes_bring_what_is_wanted(self) -> None:
        client, service = self.client((200, {}, {"games": [], "next": None}), *[(200, {}, {"positions": []})] * 2)
        self.assertEqual(list(client.games(event="A & B", round="1", table="2", date="2026.01.02")), [])
        client.outcomes([{"position": "MKN/1"}], include=["state", "score"])
        client.outcomes([{"position": "MKN/1"}])
        paths = ["GET /v1/games?event=A+%26+B&round=1&table=2&date=2026.01.02&limit=100", "POST /v1/outcomes?include=state,score"]
        self.assertEqual([path for path, *_ in service.asked], [*paths, "POST /v1/outcomes"])

    def test_leaders_standings_and_rounds_of_beacons_are_asked_for_and_delivered(self) -> None:
        leader = {"player": "random", "rating": None, "results": None}
        pages: list[Reply] = [(200, {}, {"leaders": [leader] * 2, "next": next}) for next in ("0a", None)]
        client, service = self.client(*pages, (200, {}, {"player": "random"}), (200, {}, GAME))
        self.assertEqual(list(client.leaders("marrakech/1", sort="firsts", seats=3, period="2026-11")), [leader] * 4)
        self.assertEqual(client.standings("random", period="2026")["player"], "random")
        client.deliver_beacon(ID, 1000, "ab" * 48)
        query = "ruleset=marrakech%2F1&sort=firsts&seats=3&period=2026-11&limit=100"
        scores = f"GET /v1/scores?{query}"
        others = ["GET /v1/players/random?period=2026", f"PUT /v1/games/{ID}/beacon"]
        self.assertEqual([path for path, *_ in service.asked], [scores, f"{scores}&cursor=0a", *others])

    def test_dice_and_rolls_of_a_player_or_of_all_are_asked_for_page_by_page(self) -> None:
        pages: list[Reply] = [(200, {}, {"player": None, "rolls": [{"ply": 1}], "next": next}) for next in ("0a", None, None)]
        client, service = self.client(*pages)
        self.assertEqual([roll["ply"] for roll in client.rolls()], [1, 1])
        self.assertEqual(client.dice("merchant-4/1")["next"], None)
        paths = ["GET /v1/dice?limit=20", "GET /v1/dice?limit=20&cursor=0a", "GET /v1/players/merchant-4%2F1/dice"]
        self.assertEqual([path for path, *_ in service.asked], paths)

    def test_each_service_has_a_secret_of_its_own_from_a_master_secret(self) -> None:
        master = "0123456789abcdef" * 4
        # As openssl computes it.
        own = "5ae421fbdf65ed55da0b03bac19ce573a847aab5709d4b8c5889efdc1c52608f"
        for url in ["https://assam.example", "https://ASSAM.example:443/v1/games?limit=1"]:
            self.assertEqual(secret_for(master, url), own)
        others = ["http://assam.example", "https://assam.example:8443", "https://other.example", "http://[::1]:8080"]
        self.assertEqual(len({own, *(secret_for(master, url) for url in others)}), 5)
        for wrong in [(master, "assam.example"), (master, "ftp://assam.example"), ("0", "https://assam.example")]:
            self.assertRaises(ValueError, secret_for, *wrong)

    def test_pictures_are_asked_for_with_their_form(self) -> None:
        picture: Reply = (200, {"Content-Type": "image/svg+xml"}, "<svg>")
        client, service = self.client(picture, picture, picture)
        client.picture(ID, 3)
        client.picture(ID, 3, board_only=True, theme="dark")
        client.picture(ID, 0, theme="light")
        path = f"GET /v1/games/{ID}/states"
        paths = [f"{path}/3.svg", f"{path}/3.svg?board_only=true&theme=dark", f"{path}/0.svg?theme=light"]
        self.assertEqual([path for path, *_ in service.asked], paths)

    def test_a_secret_is_in_nothing_that_is_said(self) -> None:
        client, service = self.client(refused("unauthenticated", 401), *[(502, {}, "<h1>no</h1>")] * 99)
        told = [repr(client), repr(self.secret), repr({"secret": self.secret})]
        dead = Client("http://127.0.0.1:1", self.secret, timeout=5)
        asks: list[Callable[[], object]] = [client.player_id] * 2 + [dead.player_id, lambda: Client(service.url, self.secret + "\n")]
        for ask, expected in zip(asks, (Problem, Unexpected, Unreachable, ValueError)):
            try:
                self.fail(f"{ask()} came back")
            except (AssamError, ValueError) as error:
                self.assertIs(type(error), expected)
                told += [repr(error), *traceback.format_exception(error)]
        self.assertNotIn(str(self.secret), "".join(told))
        self.assertNotIn(self.secret, "".join(path for path, *_ in service.asked))


if __name__ == "__main__":
    unittest.main()
