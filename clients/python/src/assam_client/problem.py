"""Errors of the client."""

from __future__ import annotations

from . import interface


class AssamError(Exception):
    """The base of all errors of requests."""

    retry_after: float | None = None
    """The pause that the service asks for, in seconds."""


class Problem(AssamError):
    """The service refused a request or could not answer it. A 4xx changed nothing."""

    code: interface.Code
    """The kind of problem, to match on. A newer service may have other codes. Handle those by their status."""

    status: int
    """The HTTP status."""

    detail: str
    """A description for people."""

    errors: list[interface.FlawView]
    """All faults of a body or a query."""

    body: interface.Problem
    """The whole problem, with `rule`, `ply`, `line`, `column`, `expected` .. if they apply."""

    is_repeated: bool
    """Whether the request was sent more than once, so that an earlier one may have taken effect."""

    def __init__(self, body: interface.Problem, is_repeated: bool = False):
        super().__init__(body["code"], body["detail"])
        self.body, self.is_repeated = body, is_repeated
        self.code, self.status, self.detail = body["code"], body["status"], body["detail"]
        self.errors = body.get("errors") or []

    def __str__(self) -> str:
        return f"{self.code} ({self.status}): {self.detail}"


class Unreachable(AssamError):
    """No answer arrived in any attempt. The request may have taken effect: ask, or send it again."""

    is_untrusted: bool
    """Whether the answer came from a server without a valid certificate."""

    def __init__(self, told: str, is_untrusted: bool = False):
        super().__init__(told)
        self.is_untrusted = is_untrusted


class Unexpected(AssamError):
    """Something other than the service answered: a proxy, the login page of a network, or a wrong address."""

    status: int
    """The HTTP status."""

    content_type: str | None
    """The content type of the answer."""

    def __init__(self, status: int, content_type: str | None, wanted: str | None):
        told = content_type or "no content type"
        super().__init__(f"expected {wanted or 'an answer without content'} of Assam, found {told} with status {status}")
        self.status, self.content_type = status, content_type
