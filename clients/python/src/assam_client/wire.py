"""Requests over persistent connections, and answers that are read as they arrive.

Broken requests are sent again. That is safe for everything this package sends: moves name their ply, creations carry a key, and
imports are identified by their content.
"""

from __future__ import annotations

import http.client
import json
import ssl
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

from . import interface
from .problem import AssamError, Problem, Unexpected, Unreachable
from .retries import Attempts, Retries
from .secret import Secret

JSON, TEXT, PICTURE = "application/json", "text/plain", "image/svg+xml"
LINES = "application/x-ndjson"
PROBLEM = "application/problem+json"


@dataclass(frozen=True)
class Answer:
    """A successful answer. Its content is the value of JSON, a list of values for lines of JSON, or else the text."""

    status: int
    etag: str | None
    content: Any


class Wire:
    """The connections to one service: one for each active thread, reused afterwards."""

    def __init__(self, url: str, retries: Retries):
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment or parts.username:
            raise ValueError("the address of a service must look like http://127.0.0.1:8080")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._kind, self._host, self._port = kind, parts.hostname, parts.port
        self._prefix = parts.path.rstrip("/")
        self.retries = retries
        self._kept: list[http.client.HTTPConnection] = []

    def close(self) -> None:
        kept, self._kept = self._kept, []
        for connection in kept:
            connection.close()

    @contextmanager
    def listen(
        self, path: str, secret: Secret | None, attempts: Attempts
    ) -> Generator[http.client.HTTPResponse | None, None, None]:
        """Opens a stream of lines once, on a separate connection. Yields None if nothing is left."""
        limit = min(self.retries.silence, attempts.time_left())
        connection = self._kind(self._host, self._port, timeout=limit)
        with closing(connection), failing(limit):
            response = self._begin(connection, "GET", path, secret, {"Accept": LINES}, None)
            with response:
                if response.status == 204:
                    yield None
                else:
                    self._check(response, {"Accept": LINES}, attempts)
                    if connection.sock is not None:
                        connection.sock.settimeout(self.retries.silence)
                    yield response

    def ask(
        self,
        method: str,
        path: str,
        secret: Secret | None,
        *,
        headers: Mapping[str, str],
        body: bytes | None = None,
        wait: int = 0,
        timeout: float | None = None,
    ) -> Answer:
        """Sends a request until it is answered or times out. The service may `wait` so many seconds before it answers. Without `Accept`
        in the headers, an answer has no content."""
        attempts = Attempts(self.retries, wait, timeout)
        while True:
            try:
                return self._exchange(method, path, secret, headers, body, wait, attempts)
            except AssamError as failure:
                attempts.failed(failure)

    def _exchange(
        self,
        method: str,
        path: str,
        secret: Secret | None,
        headers: Mapping[str, str],
        body: bytes | None,
        wait: int,
        attempts: Attempts,
    ) -> Answer:
        limit = min(self.retries.silence + wait, attempts.time_left())
        try:
            connection = self._kept.pop()
        except IndexError:
            connection = self._kind(self._host, self._port)
        connection.timeout = limit
        if connection.sock is not None:
            connection.sock.settimeout(limit)
        try:
            with failing(limit):
                response = self._begin(connection, method, path, secret, headers, body)
                kind = self._check(response, headers, attempts)
                content = response.read()
                answer = Answer(response.status, response.headers.get("ETag"), read(content, kind, response.status))
        except Problem:
            self._kept.append(connection)
            raise
        except BaseException:
            connection.close()  # the rest of this answer must not be read as the next one
            self.close()  # if one is dead, the others are too
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
        """Sends a request and reads the answer up to its body."""
        connection.putrequest(method, self._prefix + path)
        for name, value in {"User-Agent": "assam-client", **headers}.items():
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        if secret is not None:
            connection.putheader("Authorization", "Bearer " + secret)
        connection.endheaders(body)
        return connection.getresponse()

    def _check(self, response: http.client.HTTPResponse, headers: Mapping[str, str], attempts: Attempts) -> str | None:
        """Returns the content type of an answer. Raises if it does not answer a request with these headers."""
        status, wanted = response.status, headers.get("Accept")
        kind = response.headers.get_content_type() if "Content-Type" in response.headers else None
        if status >= 400 and kind == PROBLEM:
            told = read(response.read(), JSON, status)
            if {"code", "detail"} <= told.keys():
                self.retries.is_known = True
                problem = Problem(cast(interface.Problem, told), is_repeated=attempts.failures > 0)
                problem.retry_after = retry_after(response.headers)
                raise problem
        is_empty = status == 204 and wanted is None or status == 304 and "If-None-Match" in headers
        if not is_empty and not (200 <= status < 300 and wanted is not None and kind == wanted):
            unexpected = Unexpected(status, kind, wanted)
            unexpected.retry_after = retry_after(response.headers)
            raise unexpected
        self.retries.is_known = True
        return None if is_empty else kind


@contextmanager
def failing(limit: float) -> Generator[None, None, None]:
    """Turns connection errors into errors of this package."""
    try:
        yield
    except ssl.SSLCertVerificationError as error:
        raise Unreachable(f"the certificate is invalid: {error.verify_message}", is_untrusted=True) from None
    except TimeoutError:
        raise Unreachable(f"no answer: nothing came for {limit:.3g} s") from None
    except (OSError, http.client.HTTPException) as error:
        raise Unreachable(f"no answer: {type(error).__name__}") from error


def read(content: bytes, kind: str | None, status: int) -> Any:
    """Parses a body. Raises if it does not match its type, because then it is not from the service."""
    try:
        if kind == LINES:
            return [json.loads(line) for line in content.splitlines()]
        value = content.decode() if kind != JSON else json.loads(content)
    except ValueError:
        raise Unexpected(status, kind, kind) from None
    if kind == JSON and not isinstance(value, dict):
        raise Unexpected(status, kind, kind)
    return value


def retry_after(headers: http.client.HTTPMessage) -> float | None:
    """Returns the pause that the service asks for, in seconds."""
    told = headers.get("Retry-After", "")
    return float(told) if told.isdecimal() else None
