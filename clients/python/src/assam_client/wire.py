"""Requests over kept connections, and answers that are read as they come.

What breaks off is sent again. That is safe for all that this package sends: moves name their ply, creations carry a key, and imports
are known by their content.
"""

from __future__ import annotations

import http.client
import json
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

from . import interface
from .problem import Problem, Unexpected, Unreachable
from .secret import Secret

LONGEST_PAUSE = 60.0  # seconds
STANDARD = {"User-Agent": "assam-client", "Accept": "*/*"}
LATER = (429, 502, 503, 504)  # nobody answered, or nobody had time to, or it was asked too often


@dataclass(frozen=True)
class Answer:
    """What came back, if it went well."""

    status: int
    etag: str | None
    body: bytes

    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError:
            raise Unexpected(self.status) from None

    def text(self) -> str:
        return self.body.decode()


class Wire:
    """The way to one service: a connection for each thread that asks, kept for the next one."""

    def __init__(self, url: str, timeout: float, attempts: int, silence: float):
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment or parts.username:
            raise ValueError("the address of a service looks like http://127.0.0.1:8080")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._kind, self._host, self._port = kind, parts.hostname, parts.port
        self._prefix = parts.path.rstrip("/")
        self._timeout, self._silence = timeout, silence
        self.attempts = attempts
        self._kept: list[http.client.HTTPConnection] = []

    def close(self) -> None:
        kept, self._kept = self._kept, []
        for connection in kept:
            connection.close()

    @contextmanager
    def listen(self, path: str, secret: Secret | None, accept: str) -> Iterator[http.client.HTTPResponse]:
        """Asks once, on a connection of its own, for something that is read as it comes. Too long a silence is an error."""
        with closing(self._connect(self._silence)) as connection:
            with self._begin(connection, "GET", path, secret, {**STANDARD, "Accept": accept}, None) as response:
                yield response

    def ask(
        self,
        method: str,
        path: str,
        secret: Secret | None,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        wait: int = 0,
    ) -> Answer:
        """Sends a request until it is answered, by any status but 429, 502, 503 and 504, or was sent often enough. The service may `wait`
        so many seconds before it answers."""
        problem: Problem | Unexpected | Unreachable | None = None
        for attempt in range(self.attempts):
            pause = 0.0 if attempt < 2 else 2.0 ** (attempt - 3)  # a kept connection may have been closed meanwhile
            try:
                status, found, content = self._exchange(method, path, secret, {**STANDARD, **(headers or {})}, body, wait)
            except (OSError, http.client.HTTPException) as error:
                problem = Unreachable(f"no answer: {type(error).__name__}")
            else:
                if status < 300 or status == 304:
                    return Answer(status, found.get("ETag"), content)
                problem = refusal(status, found, content, is_repeated=attempt > 0)
                pause = retry_after(found, max(pause, 0.5))
                if status not in LATER or pause > LONGEST_PAUSE:
                    raise problem
            if attempt + 1 < self.attempts:
                time.sleep(pause)
        raise problem or ValueError("a request needs an attempt")

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        """A new connection, which opens with its first request."""
        return self._kind(self._host, self._port, timeout=timeout)

    def _exchange(
        self, method: str, path: str, secret: Secret | None, headers: Mapping[str, str], body: bytes | None, wait: int
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        try:
            connection = self._kept.pop()
        except IndexError:
            connection = self._connect(self._timeout)
        connection.timeout = self._timeout + wait
        if connection.sock is not None:
            connection.sock.settimeout(connection.timeout)
        try:
            response = self._begin(connection, method, path, secret, headers, body)
            answer = response.status, response.headers, response.read()
        except BaseException:
            connection.close()  # what is left of an answer must not be taken for the next one
            self.close()  # where one is dead, the others are, too
            raise
        self._kept.append(connection)
        return answer

    def _begin(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        secret: Secret | None,
        headers: Mapping[str, str],
        body: bytes | None,
    ) -> http.client.HTTPResponse:
        """Sends a request, and reads the answer up to its body."""
        try:
            connection.putrequest(method, self._prefix + path)
            for name, value in headers.items():
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            if secret is not None:
                connection.putheader("Authorization", "Bearer " + secret)
            connection.endheaders(body)
            return connection.getresponse()
        except ssl.SSLCertVerificationError as error:
            raise Unreachable(f"the certificate is not valid: {error.verify_message}") from None


def refusal(status: int, headers: http.client.HTTPMessage, body: bytes, is_repeated: bool) -> Problem | Unexpected:
    """The problem that an answer tells of."""
    if headers.get_content_type() != "application/problem+json":
        return Unexpected(status)
    told = Answer(status, None, body).json()
    if not isinstance(told, dict) or not {"code", "detail"} <= told.keys():
        return Unexpected(status)
    return Problem(cast(interface.Problem, told), is_repeated)


def retry_after(headers: http.client.HTTPMessage, otherwise: float) -> float:
    """How long the service wants to be left alone, in seconds."""
    told = headers.get("Retry-After", "")
    return float(told) if told.isdecimal() else otherwise
