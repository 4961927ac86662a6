"""A service that answers as a test tells it."""

from __future__ import annotations

import json
import threading
import time
import unittest
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast
from unittest import mock

from assam_client import Client, Problem, new_secret
from assam_client import verify as verifier
from assam_client import Secret as secret_of

Reply = tuple[int, dict[str, str], Any]
# An answer, or what makes it of the path that is asked for.
Answer = Reply | Callable[[str], Reply]
BREAK: Reply = (0, {}, None)  # the connection breaks once the request was read
CUT: Reply = (201, {"Content-Length": "1000"}, {"id": "5e"})  # .. and here in the middle of the answer
LATE: Reply = (-1, {}, None)  # comes when nobody waits for it any more
BUSY: Reply = (503, {"Retry-After": "7"}, {"code": "busy", "status": 503, "detail": "try again"})
ID = "5e" * 16
GAME = {"id": ID, "status": "open", "your_seat": 1, "seat_on_turn": None, "head": None}


def free(seat: int, **others: Any) -> dict[str, Any]:
    """An open seat."""
    return {"seat": seat, "kind": "open", "player": None, "entropy": None, "revision": None, **others}


def table(*seats: dict[str, Any], revision: int = 0, **others: Any) -> dict[str, Any]:
    """A game with these seats, at this revision of them."""
    told = {"setup": f"MKN/1 marrakech/1 seats={len(seats)}", "commitment": "c0" * 32, "beacon": None, "pin": None}
    game: dict[str, Any] = {**GAME, **told, "your_seat": None, "seats": list(seats), **others}
    holders = [verifier.holder(cast(Any, seat)) for seat in seats]
    return {**game, "seats_digest": verifier.digest_of_seats(cast(Any, game), holders, revision)}


def seated(shown: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """The response to taking a seat of a game that was shown."""
    seats = [own if seat["seat"] == own["seat"] else seat for seat in shown["seats"]]
    started = {"head": {"ply": 0, "hash": "ab" * 32}, "seats_digest": None}
    is_full = all(seat["kind"] != "open" for seat in seats)
    pin = {"seats_digest": shown["seats_digest"], "held": None}
    return {**shown, "seats": seats, "your_seat": own["seat"], "pin": pin, **(started if is_full else {})}


def signed(shown: dict[str, Any], revision: int = 0) -> tuple[str, Reply]:
    """The receipt of the seats that are shown, and the answer that has it."""
    lines = ["assam receipt 1", f"game {shown['id']}", f"commitment {shown['commitment']}", f"seats {shown['seats_digest']}", f"revision {revision}"]
    note = "\n".join([*lines, "", "— assam AAAA", ""])
    return note, (200, {"Content-Type": "text/plain"}, note)


def refused(code: str, status: int) -> Reply:
    return status, {}, {"code": code, "status": status, "detail": "no", "errors": [{"detail": "no"}]}


@dataclass(frozen=True)
class Stream:
    """Messages that are sent as they would be by the service, until the connection is cut, or nothing comes any more."""

    messages: list[dict[str, Any]]
    cut: int | None = None
    is_stalled: bool = False
    is_chunked: bool = True

    def content(self) -> bytes:
        lines = [json.dumps(message).encode() + b"\n" for message in self.messages]
        if not self.is_chunked:
            return b"".join(lines)
        return b"".join(b"%x\r\n%s\r\n" % (len(line), line) for line in lines) + (b"" if self.is_stalled else b"0\r\n\r\n")


def stream(
    *messages: dict[str, Any], cut: int | None = None, is_stalled: bool = False, is_chunked: bool = True
) -> Reply:
    headers = {"Content-Type": "application/x-ndjson", **({"Transfer-Encoding": "chunked"} if is_chunked else {})}
    return 200, headers, Stream(list(messages), cut, is_stalled, is_chunked)


class Service:
    """Answers as it is told, and keeps what it was asked."""

    def __init__(self, *replies: Answer):
        asked: list[tuple[str, dict[str, str], bytes, int]] = []
        left = list(replies)
        resumed = threading.Event()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                asked.append((f"{self.command} {self.path}", dict(self.headers), body, self.client_address[1]))
                reply = left.pop(0)
                if self.path.find("/events") > 0 and len(asked) > 1:
                    resumed.set()
                status, headers, told = reply(self.path) if callable(reply) else reply
                self.close_connection = status <= 0 or "Content-Length" in headers or isinstance(told, Stream)
                if status <= 0:
                    threading.Event().wait(-status)
                    return
                if isinstance(told, Stream):
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(told.content()[: told.cut])
                    if told.is_stalled and not resumed.wait(10):
                        asked.append(("nobody gave up waiting", {}, b"", 0))
                    return
                content = told.encode() if isinstance(told, str) else json.dumps(told).encode() if told else b""
                kind = "text/html" if isinstance(told, str) else "application/problem+json" if status >= 400 else "application/json"
                self.send_response(status)
                for name, value in {"Content-Type": kind, "Content-Length": str(len(content)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        self.asked = asked
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"


class WithService(unittest.TestCase):
    """Has clients of such services, and keeps how long they pause, which takes no time."""

    def own(self, seat: int, entropy: str | None, **others: Any) -> dict[str, Any]:
        """A seat that is held with the secret of these tests."""
        player = secret_of(self.secret).player
        return {"seat": seat, "kind": "human", "player": player, "entropy": entropy, "revision": 1, **others}

    def setUp(self) -> None:
        self.secret = new_secret()
        self.pauses: list[float] = []
        monotonic = time.monotonic
        for name, instead in {"sleep": self.pauses.append, "monotonic": lambda: monotonic() + sum(self.pauses)}.items():
            patch = mock.patch(f"time.{name}", instead)
            patch.start()
            self.addCleanup(patch.stop)

    def client(self, *replies: Answer, timeout: float | None = 60.0) -> tuple[Client, Service]:
        service = Service(*replies)
        client = Client(service.url, self.secret, timeout=timeout, silence=0.5)
        self.addCleanup(service.server.server_close)
        self.addCleanup(service.server.shutdown)
        self.addCleanup(client.close)
        return client, service

    def refusal(self, ask: Callable[[], object]) -> Problem:
        with self.assertRaises(Problem) as raised:
            ask()
        return raised.exception
