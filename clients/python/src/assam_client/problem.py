"""What can go wrong."""

from __future__ import annotations

from . import interface


class AssamError(Exception):
    """Whatever goes wrong with a request."""

    retry_after: float | None = None
    """How long the service wants to be left alone, in seconds, if it said so."""


class Problem(AssamError):
    """The service refused a request, or could not answer it. A 4xx changed nothing."""

    code: interface.Code
    """The kind of the problem, to match on. A newer service may have others: treat them by their status."""

    status: int
    """The HTTP status."""

    detail: str
    """What is wrong, for people."""

    errors: list[interface.FlawView]
    """Everything that is wrong with a body or a query."""

    body: interface.Problem
    """All that the service told: `rule`, `ply`, `line`, `column`, `expected` .., where they apply."""

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
    """No answer came, however often the request was sent. It may have taken effect: ask, or send it again."""

    is_untrusted: bool
    """Whether something answered that has no valid certificate."""

    def __init__(self, told: str, is_untrusted: bool = False):
        super().__init__(told)
        self.is_untrusted = is_untrusted


class Unexpected(AssamError):
    """What answered is not the service: a proxy, the login page of a network, or a wrong address."""

    status: int
    """The HTTP status."""

    content_type: str | None
    """The type of what came."""

    def __init__(self, status: int, content_type: str | None, wanted: str | None):
        told = content_type or "no content type"
        super().__init__(f"expected {wanted or 'an answer without content'} of Assam, found {told} with status {status}")
        self.status, self.content_type = status, content_type
