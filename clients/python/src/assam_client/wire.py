"""Requests over one kept connection.

What breaks off is sent again. That is safe for all that this package sends: moves name their ply, creations carry a key, and imports
are known by their content.
"""

from __future__ import annotations

import http.client
import json
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

from . import interface
from .problem import Problem, Unexpected, Unreachable
from .secret import Secret

LONGEST_PAUSE = 60.0  # seconds
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
    """A connection to one service."""

    def __init__(self, url: str, timeout: float, attempts: int):
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment or parts.username:
            raise ValueError("the address of a service looks like http://127.0.0.1:8080")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname, parts.port, timeout=timeout)
        self._prefix = parts.path.rstrip("/")
        self._attempts = attempts
        self._one_at_a_time = threading.Lock()

    def close(self) -> None:
        self._connection.close()

    def ask(
        self,
        method: str,
        path: str,
        secret: Secret | None,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> Answer:
        """Sends a request until it is answered, by any status but 429, 502, 503 and 504, or was sent often enough."""
        problem: Problem | Unexpected | Unreachable | None = None
        for attempt in range(self._attempts):
            pause = 0.0 if attempt < 2 else 2.0 ** (attempt - 3)  # a kept connection may have been closed meanwhile
            try:
                with self._one_at_a_time:
                    status, found, content = self._exchange(method, path, secret, headers or {}, body)
            except ssl.SSLCertVerificationError as error:
                raise Unreachable(f"the certificate is not valid: {error.verify_message}") from None
            except (OSError, http.client.HTTPException) as error:
                problem = Unreachable(f"no answer: {type(error).__name__}")
            else:
                if status < 300 or status == 304:
                    return Answer(status, found.get("ETag"), content)
                problem = refusal(status, found, content, is_repeated=attempt > 0)
                pause = retry_after(found, max(pause, 0.5))
                if status not in LATER or pause > LONGEST_PAUSE:
                    raise problem
            if attempt + 1 < self._attempts:
                time.sleep(pause)
        raise problem or ValueError("a request needs an attempt")

    def _exchange(
        self, method: str, path: str, secret: Secret | None, headers: Mapping[str, str], body: bytes | None
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        connection = self._connection
        try:
            connection.putrequest(method, self._prefix + path)
            for name, value in headers.items():
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            if secret is not None:
                connection.putheader("Authorization", "Bearer " + secret)
            connection.endheaders(body)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        except BaseException:
            connection.close()  # what is left of an answer must not be taken for the next one
            raise


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
