"""A client for Assam, the open game-record service for Marrakech and Marrakesh.

    from assam_client import Client, new_secret

    me = Client("http://127.0.0.1:8080", new_secret())
    game = me.create_game("marrakech/1", ["open", "random", "random"], take={"seat": 1})
    game = me.play_to_the_end(game["id"], lambda turn: turn.moves[0])

`assam_client.interface` has the types of all responses.
"""

from . import interface
from .client import Client, Receipt, Turn
from .problem import AssamError, Problem, Unexpected, Unreachable
from .secret import Secret, new_secret, secret_for
from .verify import Wrong

__all__ = [
    "AssamError",
    "Client",
    "Problem",
    "Receipt",
    "Secret",
    "Turn",
    "Unexpected",
    "Unreachable",
    "Wrong",
    "interface",
    "new_secret",
    "secret_for",
]
