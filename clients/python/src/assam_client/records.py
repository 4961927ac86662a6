"""Many records: taken from a file one by one, and sent in batches."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from . import interface
from .problem import Problem

MOST_RECORDS, MOST_BYTES = 200, 1 << 18  # of a batch
LATER = ("busy", "cannot_write", "internal", "request_timeout", "too_many_requests", "unavailable")


def records_in(lines: Iterable[str]) -> Iterator[str]:
    """The records of a file, which may be open: each begins with a line that begins with `MKN/`."""
    record: list[str] = []
    for line in lines:
        if line.startswith("MKN/") and "".join(record).strip("\ufeff \t\r\n"):
            yield "".join(record)
            record = []
        record.append(line if line.endswith("\n") else line + "\n")
    if "".join(record).strip("\ufeff \t\r\n"):
        yield "".join(record)


def in_batches(records: Iterable[str]) -> Iterator[list[bytes]]:
    """Records as lines of JSON, as many as go into one request."""
    batch: list[bytes] = []
    size = 0
    for record in records:
        line = json.dumps({"record": record}).encode() + b"\n"
        if batch and (len(batch) >= MOST_RECORDS or size + len(line) > MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(line)
        size += len(line)
    if batch:
        yield batch


def stopped(last: interface.Stopped) -> Problem:
    """The problem that ended a batch before its end."""
    status = 503 if last["code"] in LATER else 422
    title, kind = "Stopped", f"/v1/problems/{last['code']}"
    return Problem({"type": kind, "title": title, "status": status, "code": last["code"], "detail": last["detail"], "instance": ""})
