"""Secrets: whoever has one plays the seats that it took."""

from __future__ import annotations

import re
import secrets


class Secret(str):
    """A secret, which stays out of what is shown for debugging. To keep it, write it as the string that it is."""

    __slots__ = ()

    def __new__(cls, text: str) -> Secret:
        if not re.fullmatch("[0-9a-f]{64}", text):
            # Without the text: it may be a secret with a slip.
            raise ValueError("a secret is 64 lower-case hex digits")
        return super().__new__(cls, text)

    def __repr__(self) -> str:
        return "Secret(..)"


def new_secret() -> Secret:
    """Makes a secret. Keep it: there is no other way back to your seats."""
    return Secret(secrets.token_hex(32))
