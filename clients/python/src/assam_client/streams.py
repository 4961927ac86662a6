"""Streams of messages, which connect again where they break, and go on where they were."""

from __future__ import annotations

import http.client
import json
import random
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from .interface import HeadView
from .paths import Query, query_string
from .problem import AssamError, Unexpected, Unreachable
from .secret import Secret
from .wire import LONGEST_PAUSE, Wire, refusal, retry_after

LINES = "application/x-ndjson"
LONGEST_BREAK = 30.0  # seconds between two connections
HELD = 1.0  # seconds that a connection lasts that was no failure

Answered = TypeVar("Answered")

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

    It connects again at once where the connection breaks, then after 1, 2, 4 .. seconds; after `closing`, when that says. Where the first
    connection does not come about, it is tried as often as any request.
    """
    is_new, breaks = True, 0
    while True:
        since: dict[str, str] = {} if place is None else {"since": place}
        began: float | None = None
        pause: float | None = None
        failure: AssamError | None = None
        try:
            with wire.listen(source.path + query_string({**source.query, **since}), secret, LINES) as response:
                if response.status == 204:
                    return
                if response.status != 200 or response.headers.get_content_type() != LINES:
                    failure = refusal(response.status, response.headers, response.read(), is_repeated=False)
                    pause = retry_after(response.headers, 0.0) or None
                else:
                    is_new, began = False, time.monotonic()
                    for message in told(response):
                        if message["type"] == "closing":
                            pause = message["retry"] / 1000
                            break
                        place = source.place_of(message, place)
                        if message["type"] != "heartbeat":
                            yield message
                        if message["type"] in source.last:
                            return
        except (OSError, http.client.HTTPException) as error:
            failure = Unreachable(f"no answer: {type(error).__name__}")
        if began is not None and time.monotonic() - began >= HELD:
            breaks = 0
        if pause is None:
            pause = pause_after(breaks)
        breaks += 1
        if failure and (is_final(failure) or pause > LONGEST_PAUSE or is_new and breaks >= wire.attempts):
            raise failure
        time.sleep(pause)


def insist(ask: Callable[[], Answered]) -> Answered:
    """Asks until the service answers, however long that takes. What it refuses is raised."""
    breaks = 1
    while True:
        try:
            return ask()
        except AssamError as failure:
            if is_final(failure):
                raise
        time.sleep(pause_after(breaks))
        breaks += 1


def told(response: http.client.HTTPResponse) -> Iterator[Any]:
    """The messages of one connection, as they come. A line that breaks off is none."""
    for line in response:
        if line.endswith(b"\n"):
            try:
                yield json.loads(line)
            except ValueError:
                raise Unexpected(response.status) from None


def is_final(failure: AssamError) -> bool:
    """Whether asking again would not help."""
    status: int = getattr(failure, "status", 503)
    return status < 500 and status != 429


def pause_after(breaks: int) -> float:
    """How long to wait, in seconds, after so many breaks before this one. Not all who lost their service come back at the same time."""
    return 0.0 if breaks == 0 else min(2.0 ** (breaks - 1), LONGEST_BREAK) * random.uniform(0.75, 1.25)
