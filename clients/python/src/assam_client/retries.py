"""The retry policy of a client."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Generator
from contextlib import contextmanager

from .problem import AssamError, Problem, Unexpected, Unreachable

LONGEST_PAUSE = 5.0  # seconds between two attempts, unless the service asks for more
AGAIN = (408, 429)  # statuses below 500 that a retry may avoid


class Retries:
    """The policy: a request has `timeout` seconds in all, and an attempt ends after `silence` seconds without data."""

    def __init__(self, timeout: float | None, silence: float):
        self.timeout, self.silence = timeout, silence
        self.is_known = False
        """Whether the service has ever answered. Before that, a wrong answer means a wrong address."""
        self._enduring: set[object] = set()

    @contextmanager
    def enduring(self) -> Generator[None, None, None]:
        """Suspends the timeout of all requests of the client in a `with` block."""
        this = object()
        self._enduring.add(this)
        try:
            yield
        finally:
            self._enduring.discard(this)

    @property
    def is_enduring(self) -> bool:
        return self.timeout is None or bool(self._enduring)


class Attempts:
    """The attempts of one request. It may take `longer` if the service was asked to wait, or have its own `timeout`."""

    def __init__(self, retries: Retries, longer: float = 0.0, timeout: float | None = None):
        self._retries = retries
        self._allowed = ((retries.timeout if timeout is None else timeout) or 0.0) + longer
        self.failures = 0
        self.restart()

    def restart(self) -> None:
        """Resets failures and timeout after progress."""
        self.failures, self._end = 0, time.monotonic() + self._allowed

    def time_left(self) -> float:
        return math.inf if self._retries.is_enduring else self._end - time.monotonic()

    def failed(self, failure: AssamError) -> None:
        """Pauses before the next attempt. Raises the failure if a retry would not help or be too late."""
        pause = pause_after(self.failures if isinstance(failure, Unreachable) else self.failures + 1)
        pause = max(pause, failure.retry_after or 0.0)
        self.failures += 1
        if self._is_final(failure) or pause >= self.time_left():
            raise failure
        time.sleep(pause)

    def _is_final(self, failure: AssamError) -> bool:
        if isinstance(failure, Problem):
            return failure.status < 500 and failure.status not in AGAIN
        if isinstance(failure, Unexpected):
            return not self._retries.is_known and failure.status < 500 and failure.status not in AGAIN
        return isinstance(failure, Unreachable) and failure.is_untrusted and not self._retries.is_known


def pause_after(failures: int) -> float:
    """Returns the pause in seconds after so many earlier failures, with jitter so that clients do not return all at once."""
    return 0.0 if failures == 0 else min(2.0 ** (min(failures, 9) - 2), LONGEST_PAUSE) * random.uniform(0.75, 1.25)
