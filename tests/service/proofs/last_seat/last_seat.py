"""Takes the last seat of a game at an address, plays to the end by resigning, and verifies the proof; says where something was noticed."""

import sys

from assam_client import Client, Wrong, new_secret

address, game, *_ = sys.argv[1:]
me = Client(address, new_secret())
try:
    view = me.join(game)
except Wrong as wrong:
    print(f"as the seat is taken: {wrong}")
    sys.exit()
me.play(game, 1, "!resign")
try:
    print("\n".join(me.verify(game)))
except Wrong as wrong:
    print(f"as the game is verified: {wrong}")
