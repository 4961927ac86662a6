"""Secrets: whoever has one plays the seats that it took."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from urllib.parse import urlsplit


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

    @property
    def player(self) -> str:
        """The public id of its holder. The chance of a game depends on the ids of all players."""
        return hashlib.sha256(f"assam/player\n{self}".encode()).hexdigest()[:20]


def new_secret() -> Secret:
    """Makes a secret. Keep it: there is no other way back to your seats."""
    return Secret(secrets.token_hex(32))


def secret_for(master: str, url: str) -> Secret:
    """Returns the secret that a master secret has for one service: HMAC-SHA256 with the master's digits as the key, of the bytes
    `assam/secret`, line feed, the origin of the service, such as `https://assam.example`.

    Who runs a service learns the secret that is used there, and could play with it wherever else it is used. So have one
    secret for each service; from a master secret, which no service sees, they can all be made again.

    Raises `ValueError` where the master is no secret, or the address has no origin of its own.
    """
    message = f"assam/secret\n{_origin(url)}"
    return Secret(hmac.new(Secret(master).encode(), message.encode(), hashlib.sha256).hexdigest())


def _origin(url: str) -> str:
    """Returns the origin of an address as browsers write it (RFC 6454): in small letters, without a port that is the default."""
    parts = urlsplit(url)
    default = {"http": 80, "https": 443}.get(parts.scheme)
    if default is None or not parts.hostname:
        raise ValueError("the address of a service begins with http:// or https://, and names a host")
    host = parts.hostname if ":" not in parts.hostname else f"[{parts.hostname}]"
    host = host.encode("idna").decode() if not host.isascii() else host
    port = "" if parts.port in (None, default) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"
