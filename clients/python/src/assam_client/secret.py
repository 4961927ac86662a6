"""Secrets. Anyone who has a secret can play the seats taken with it."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from urllib.parse import urlsplit


class Secret(str):
    """A secret. Its `repr` hides it, so that it stays out of logs. Store it as the string that it is."""

    __slots__ = ()

    def __new__(cls, text: str) -> Secret:
        if not re.fullmatch("[0-9a-f]{64}", text):
            # The message omits the text, because it may be a mistyped secret.
            raise ValueError("a secret is 64 lower-case hex digits")
        return super().__new__(cls, text)

    def __repr__(self) -> str:
        return "Secret(..)"

    @property
    def player(self) -> str:
        """The public id of the holder. The chance of a game depends on the ids of all players."""
        return hashlib.sha256(f"assam/player\n{self}".encode()).hexdigest()[:20]


def new_secret() -> Secret:
    """Creates a secret. Keep it, because there is no other way back to your seats."""
    return Secret(secrets.token_hex(32))


def secret_for(master: str, url: str) -> Secret:
    """Derives the secret for one service from a master secret: HMAC-SHA256 with the master's digits as the key, of the bytes
    `assam/secret`, line feed, and the origin of the service, such as `https://assam.example`.

    The operator of a service learns the secret that you use there, and could play with it wherever else you use it. Derive one
    secret for each service from a master secret that no service sees.

    Raises `ValueError` if the master is not a secret, or the address has no origin.
    """
    message = f"assam/secret\n{_origin(url)}"
    return Secret(hmac.new(Secret(master).encode(), message.encode(), hashlib.sha256).hexdigest())


def _origin(url: str) -> str:
    """Returns the origin of an address as browsers write it (RFC 6454): in lower case, without a default port."""
    parts = urlsplit(url)
    default = {"http": 80, "https": 443}.get(parts.scheme)
    if default is None or not parts.hostname:
        raise ValueError("the address of a service starts with http:// or https:// and names a host")
    host = parts.hostname if ":" not in parts.hostname else f"[{parts.hostname}]"
    host = host.encode("idna").decode() if not host.isascii() else host
    port = "" if parts.port in (None, default) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"
