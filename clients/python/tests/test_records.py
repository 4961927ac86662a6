"""Many records: in batches, and as exports that go on where they broke."""

from __future__ import annotations

import json
import unittest
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

from assam_client import Problem, Unreachable
from assam_client.records import in_batches

from service import BREAK, ID, Reply, WithService, stream

LINES = {"Content-Type": "application/x-ndjson"}
SUMMARY = {"kind": "summary"}
STOPPED = {"kind": "stopped", "code": "unavailable", "detail": "no database"}


def lines(*values: dict[str, Any]) -> Reply:
    return 200, LINES, "".join(json.dumps(value) + "\n" for value in values)


def rows(count: int) -> list[dict[str, Any]]:
    return [{"kind": "record", "number": n, "line": n, "valid": True} for n in range(1, count + 1)]


class RecordsTest(WithService):
    def test_a_file_is_sent_as_it_is_in_parts_that_begin_where_a_line_begins_a_record(self) -> None:
        joined = b"MKN/1 marrakech/1 seats=3\r\n\xff *MKN/1 \n"
        for file in (joined * 20_000, joined.replace(b"\n", b"") * 20_000, b"x MKN/" * 100_000, b"\n" * 300_000 + joined, joined):
            for length in (7, 1 << 13, len(file)):
                chunks = [file[at : at + length] for at in range(0, len(file), length)]
                batches = list(in_batches(chunks))
                self.assertEqual(b"".join(body for _, body in batches), file)
                self.assertEqual({kind for kind, _ in batches}, {"text/plain"})
                self.assertTrue(all(body.startswith(b"MKN/") for _, body in batches[1:]))
                self.assertEqual(len(batches) > 1, file.count(b"\nMKN/") + file.count(b"\rMKN/") > 1)
                self.assertLess(max(len(body) for _, body in batches[1:] or [("", b"")]), 1 << 19)
        self.assertEqual(list(in_batches([])), [])

    def test_rows_count_records_and_lines_of_the_whole_file(self) -> None:
        file = b"MKN/1 marrakech/1 seats=3\r\n\rN\n\n" * 10_000
        row = {"number": 2, "line": 5, "error": {"line": 6}}
        whole = lines(*rows(1), row, SUMMARY)
        client, service = self.client(whole, lines(STOPPED), lines(*rows(1), STOPPED), lines(STOPPED), whole)
        verdicts = list(client.validate_records([file], include=["state", "legal-moves"]))
        sent = [body for _, _, body, _ in service.asked]
        self.assertEqual((sent[0] + sent[1], sent[1:]), (file, [sent[1]] * 4))
        before = 4 * sent[0].count(b"MKN/")
        self.assertEqual([verdict["number"] for verdict in verdicts], [1, 2, 3, 4])
        self.assertEqual([verdict["line"] for verdict in verdicts], [1, 5, before + 1, before + 5])
        self.assertEqual([verdict["error"]["line"] for verdict in verdicts[1::2] if verdict["error"]], [6, before + 6])
        self.assertEqual({path for path, *_ in service.asked}, {"POST /v1/validate/bulk?include=state,legal-moves"})
        self.assertEqual({headers["Content-Type"] for _, headers, *_ in service.asked}, {"text/plain"})
        with self.assertRaisesRegex(TypeError, '"rb"'), open(__file__) as text:
            next(client.validate_records(text))

    def test_any_number_of_records_is_sent_in_batches_as_they_are_read(self) -> None:
        read: list[int] = []

        def records() -> Iterator[str]:
            for number in range(450):
                read.append(number)
                yield f"MKN/1 {number}"

        answers = [lines(*rows(count), SUMMARY) for count in (200, 200, 50)]
        client, service = self.client(answers[0], BREAK, *answers[1:])
        verdicts = client.validate_records(records())
        self.assertEqual((next(verdicts)["number"], len(read)), (1, 201))
        self.assertEqual([verdict["number"] for verdict in verdicts], list(range(2, 451)))
        self.assertEqual([path for path, *_ in service.asked], ["POST /v1/validate/bulk"] * 4)
        # What was not answered is sent again, and nothing else.
        sent = [json.loads(line)["record"] for _, _, body, _ in service.asked for line in body.splitlines()]
        expected = [*range(400), *range(200, 400), *range(400, 450)]
        self.assertEqual(sorted(sent), sorted(f"MKN/1 {number}" for number in expected))
        self.assertEqual(list(client.import_records([])), [])

    def test_what_a_batch_left_is_sent_again_while_that_can_help(self) -> None:
        client, service = self.client(lines(*rows(2), STOPPED), lines(STOPPED), lines(*rows(3), SUMMARY))
        self.assertEqual([row["number"] for row in client.import_records(["a", "b", "c"])], [1, 2, 3])
        self.assertEqual([len(body.splitlines()) for _, _, body, _ in service.asked], [3, 3, 3])
        client, _ = self.client(*[lines(STOPPED)] * 99)
        self.assertEqual(self.refusal(lambda: list(client.import_records(["a"]))).code, "unavailable")
        client, service = self.client(lines({**STOPPED, "code": "payload_too_large"}))
        with self.assertRaises(Problem):
            list(client.validate_records(["a"]))
        self.assertEqual(len(service.asked), 1)

    def test_an_export_has_each_game_once_wherever_it_is_cut(self) -> None:
        ids = [f"{number:032x}" for number in range(1, 5)]
        cuts: list[int | None] = []

        def answer(path: str) -> Reply:
            query = parse_qs(urlsplit(path).query)
            first = int(query["after"][0], 16) if "after" in query else 0
            games: list[dict[str, Any]] = [{"id": id} for id in ids[first : first + int(query.get("limit", ["9"])[0])]]
            if "proofs" in query:
                games = [{"proof": {"game": game["id"]}, "log": []} for game in games]
            return stream(*games, cut=cuts.pop())

        whole = stream(*({"id": id} for id in ids))[2].content()
        client, service = self.client(*[answer] * 9 * len(whole))
        for cut in range(len(whole)):
            for limit in (None, 3):
                cuts[:] = [None, min(cut, 60)]
                exported = [game["id"] for game in client.export_games(limit=limit)]
                self.assertEqual(exported, ids[:limit], cut)
        cuts[:] = [None, 80]
        self.assertEqual([line["proof"]["game"] for line in client.export_proofs(status=["running"])], ids)
        self.assertTrue(service.asked[-1][0].endswith(f"?status=running&proofs=true&after={ids[0]}"), service.asked[-1])
        client, _ = self.client(*[stream({"id": ID}, cut=3)] * 99)
        self.assertRaises(Unreachable, lambda: list(client.export_games()))

    def test_the_positions_of_a_game_are_one_request(self) -> None:
        client, service = self.client((200, {}, {"states": [{"ply": ply} for ply in range(92)]}))
        self.assertEqual([state["ply"] for state in client.states(ID)], list(range(92)))
        self.assertEqual([path for path, *_ in service.asked], [f"GET /v1/games/{ID}/states"])


if __name__ == "__main__":
    unittest.main()
