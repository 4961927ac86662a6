"""Many records: taken from a file one by one, and sent in batches."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from . import interface
from .problem import Problem

MOST_RECORDS, MOST_BYTES = 200, 1 << 18  # of a batch
LATER = ("busy", "cannot_write", "internal", "request_timeout", "too_many_requests", "unavailable")


# The rules of notation/GRAMMAR.md, "Files".
STRAYS = r"[ \t>`\"'|#\u0080-\U0010ffff]*"
SHOWN = re.compile("(MKN/)|seats=", re.IGNORECASE)
MARKER = re.compile(r"(?<![^ \t\f])[*=][0-9 \t-]*")


def records_in(lines: Iterable[str]) -> Iterator[str]:
    """The records of a file, which may be open: as the service takes it apart."""
    record, part = "", ""
    for line in lines:
        line = line if line.endswith("\n") else line + "\n"
        text = line.rstrip("\r\n")
        at = beginning(text, part)
        record += line[:at]
        if at is not None:
            if record.strip("\ufeff \t\r\n"):
                yield record
                record = ""
            # Blank lines before the first record belong to none.
            record, part = record.lstrip(" \t\r\n") + line[at:], "setup"
        if part == "setup":
            part = "tags"
        elif part == "tags" and not text:
            part = "body"
        elif part == "body" and MARKER.search(text):
            part = "finished"
    if record.strip("\ufeff \t\r\n"):
        yield record


def beginning(line: str, part: str) -> int | None:
    """Where a record begins on a line, which is of this part of the record before."""
    head, is_mark = line.partition("/")[0], False
    if "/" not in line or not looks_like_mkn(head):
        is_behind_head = part in ("body", "finished")
        for shown in SHOWN.finditer(line):
            head, is_mark = line[: shown.start()], bool(shown[1])
            if is_behind_head if is_mark else part != "tags" or ":" not in head:
                break
        else:
            return None
    start = len(head) - len(re.split(r"[\0-\x08\x0a-\x1f\x7f]", head)[-1])
    if part == "body" and (markers := [*MARKER.finditer(head)]):
        return max(start, markers[-1].end())
    return len(re.sub(f"{STRAYS}$", "", head)) if part == "body" and is_mark else start


def looks_like_mkn(head: str) -> bool:
    letters = re.split(r"[ \t>`\"'|#\0-\x1f\x7f]", head)[-1]
    ascii_letters = re.sub(r"[^\0-\x7f]", "", letters)
    before = re.sub(r"[\0-\x1f\x7f]", "", head[: len(head) - len(letters)])
    return len(letters) >= 3 and bool(re.fullmatch("M?K?N?", ascii_letters, re.IGNORECASE) and re.fullmatch(STRAYS, before))


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
