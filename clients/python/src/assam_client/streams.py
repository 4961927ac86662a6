"""Streams of messages, which connect again where they break, and go on where they were."""

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

HELD = 1.0  # seconds that a connection lasts that was no failure

# Where to resume after a message, given where one would have resumed before it.
PlaceOf = Callable[[Any, str | None], str | None]


@dataclass(frozen=True)
class Source:
    """What is followed."""

    path: str
    query: Query
    place_of: PlaceOf
    last: Collection[str] = ()
    """The types of messages after which nothing comes."""


def place_at(head: HeadView | None) -> str | None:
    """The place in a game that a head is; before the start there is none."""
    return None if head is None else f"{head['ply']}.{head['hash']}"


def place_in_game(message: Any, before: str | None) -> str | None:
    if message["type"] == "snapshot":
        return place_at(message["game"]["head"])
    if message["type"] == "word":
        return place_at(message["head"])
    # What came before a reset is of no use any more: without a place, a snapshot comes.
    return None if message["type"] == "reset" else before


def place_in_feed(message: Any, before: str | None) -> str | None:
    cursor: str | None = message.get("cursor", before)
    return cursor


def messages(wire: Wire, secret: Secret | None, source: Source, place: str | None = None) -> Iterator[Any]:
    """The messages of a stream, each once, for as long as it takes.

    It connects again at once where the connection breaks, then after longer and longer; after `closing`, when that says. The first
    connection is tried as any request. From then on, nothing that the client does is given up because it takes long.
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
    """The messages of one connection, as they come. A line that breaks off is none."""
    rest = b""
    for piece in pieces(response):
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            try:
                yield json.loads(line)
            except ValueError:
                raise Unexpected(response.status, LINES, LINES) from None


def pieces(response: http.client.HTTPResponse) -> Iterator[bytes]:
    """A body as it comes. One that breaks off is an error, which reading it by lines does not tell."""
    if not response.chunked:
        yield from response
        if response.length:
            raise http.client.IncompleteRead(b"")
        return
    while piece := response.read1():
        yield piece



def exported(wire: Wire, secret: Secret | None, query: Query) -> Iterator[Any]:
    """The lines of an export, each once. Where the connection breaks, it goes on after the last one; time is up only without progress."""
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
