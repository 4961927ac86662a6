"""Streams of messages that reconnect and resume after a break."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from .interface import HeadView
from .paths import Query, query_string
from .problem import AssamError, Unexpected
from .retries import Attempts, pause_after
from .secret import Secret
from .wire import LINES, Wire

HELD = 1.0  # seconds after which a connection counts as successful

# Returns the place to resume from after a message, given the place before it.
PlaceOf = Callable[[Any, str | None], str | None]


@dataclass(frozen=True)
class Source:
    """A stream to follow."""

    path: str
    query: Query
    place_of: PlaceOf
    last: Collection[str] = ()
    """The types of messages that end the stream."""


def place_at(head: HeadView | None) -> str | None:
    """Returns a head as a place in its game, or None before the start."""
    return None if head is None else f"{head['ply']}.{head['hash']}"


def place_in_game(message: Any, before: str | None) -> str | None:
    if message["type"] == "snapshot":
        return place_at(message["game"]["head"])
    if message["type"] == "word":
        return place_at(message["head"])
    # A reset invalidates the place. Without one, the service sends a snapshot.
    return None if message["type"] == "reset" else before


def place_in_feed(message: Any, before: str | None) -> str | None:
    cursor: str | None = message.get("cursor", before)
    return cursor


def messages(wire: Wire, secret: Secret | None, source: Source, place: str | None = None) -> Iterator[Any]:
    """Yields the messages of a stream, each once, without a time limit.

    Reconnects at once after a break, then after increasing pauses, or after the pause in `closing`. The first connection has the
    timeout of any request. From then on, no request of the client times out.
    """
    attempts, is_new = Attempts(wire.retries), True
    with ExitStack() as following:
        while True:
            since: dict[str, str] = {} if place is None else {"since": place}
            began: float | None = None
            pause: float | None = None
            failure: AssamError | None = None
            try:
                with wire.listen(source.path + query_string({**source.query, **since}), secret, attempts) as response:
                    if response is None:
                        return
                    began = time.monotonic()
                    if is_new:
                        is_new = False
                        following.enter_context(wire.retries.enduring())
                    for message in told(response):
                        if message["type"] == "closing":
                            pause = message["retry"] / 1000
                            break
                        place = source.place_of(message, place)
                        if message["type"] != "heartbeat":
                            yield message
                        if message["type"] in source.last:
                            return
            except AssamError as error:
                failure = error
            if began is not None and time.monotonic() - began >= HELD:
                attempts.restart()
            if failure:
                attempts.failed(failure)
            else:
                time.sleep(pause_after(attempts.failures) if pause is None else pause)
                attempts.failures += 1


def told(response: http.client.HTTPResponse) -> Iterator[Any]:
    """Yields the messages of one connection as they arrive. Ignores an incomplete line."""
    rest = b""
    for piece in pieces(response):
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            try:
                yield json.loads(line)
            except ValueError:
                raise Unexpected(response.status, LINES, LINES) from None


def pieces(response: http.client.HTTPResponse) -> Iterator[bytes]:
    """Yields a body as it arrives. Raises if it is cut off, which reading by lines would not detect."""
    if not response.chunked:
        yield from response
        if response.length:
            raise http.client.IncompleteRead(b"")
        return
    while piece := response.read1():
        yield piece



def exported(wire: Wire, secret: Secret | None, query: Query) -> Iterator[Any]:
    """Yields the lines of an export, each once. Resumes after the last line if the connection breaks. Only a lack of progress times out."""
    attempts, left = Attempts(wire.retries), query["limit"]
    while left != 0:
        is_progress = False
        try:
            with wire.listen("/v1/export" + query_string({**query, "limit": left}), secret, attempts) as response:
                for line in told(response) if response else ():
                    is_progress = True
                    query = {**query, "after": line["proof"]["game"] if "proof" in line else line["id"]}
                    left = left - 1 if isinstance(left, int) else left
                    yield line
                return
        except AssamError as error:
            failure = error
        if is_progress:
            attempts.restart()
        attempts.failed(failure)
