"""Paths and queries of requests."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TypeAlias
from urllib.parse import quote, urlencode

Query: TypeAlias = Mapping[str, object]


def of_game(game: str, *parts: str | int) -> str:
    """Returns the path of a game or of a part of it."""
    return "/v1/games/" + "/".join(quote(str(part), safe="") for part in (game, *parts))


def query_string(query: Query) -> str:
    """Returns the query string, without values that are None or empty."""
    written = {name: in_query(value) for name, value in query.items() if value is not None and value != () and value != []}
    return "?" + urlencode(written, safe=",") if written else ""


def in_query(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value)
