"""Sends many records in batches."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from io import TextIOBase
from itertools import chain
from typing import Any

from . import interface
from .problem import Problem
from .wire import LINES, TEXT

MOST_RECORDS, MOST_BYTES = 200, 1 << 18  # in a batch
LATER = ("busy", "cannot_write", "internal", "request_timeout", "too_many_requests", "unavailable")


def in_batches(records: Iterable[str] | Iterable[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yields request bodies with their types: records as lines of JSON, a file unchanged."""
    if isinstance(records, (str, bytes, TextIOBase)):
        raise TypeError('pass a list of records, a file opened with "rb", or its bytes in a list')
    rest: Iterator[Any] = iter(records)
    for first in rest:
        if isinstance(first, str):
            yield from ((LINES, lines) for lines in of_records(chain([first], rest)))
        else:
            yield from ((TEXT, part) for part in of_file(chain([first], rest)))


def of_records(records: Iterable[str]) -> Iterator[bytes]:
    """Yields lines of JSON, as many as fit into one request."""
    batch: list[bytes] = []
    size = 0
    for record in records:
        line = json.dumps({"record": record}).encode() + b"\n"
        if batch and (len(batch) >= MOST_RECORDS or size + len(line) > MOST_BYTES):
            yield b"".join(batch)
            batch, size = [], 0
        batch.append(line)
        size += len(line)
    yield b"".join(batch)


def of_file(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yields parts of a file. All but the first begin at a line with `MKN/`, where a record always begins. The service finds the other
    records, so it splits the parts exactly like the whole file."""
    held, enough = bytearray(), MOST_BYTES
    for chunk in chunks:
        for start in range(0, len(chunk), MOST_BYTES):
            held += chunk[start : start + MOST_BYTES]
            if len(held) >= enough:
                cut = max(held.rfind(b"\nMKN/"), held.rfind(b"\rMKN/")) + 1
                if held[:cut].strip():  # blank lines alone would count as a record
                    yield bytes(held[:cut])
                    del held[:cut]
                enough = max(MOST_BYTES, 2 * len(held))
    if held:
        yield bytes(held)


def lines_in(body: bytes) -> int:
    """Counts the line ends in a body."""
    return len(re.findall(rb"\r\n|\r|\n", body))


def stopped(last: interface.Stopped) -> Problem:
    """Returns the problem that stopped a batch early."""
    status = 503 if last["code"] in LATER else 422
    title, kind = "Stopped", f"/v1/problems/{last['code']}"
    return Problem({"type": kind, "title": title, "status": status, "code": last["code"], "detail": last["detail"], "instance": ""})
