#!/usr/bin/env python3
"""Plays both games to the end, replays and validates their records, and verifies their proofs.

    python3 play.py http://127.0.0.1:8080
"""

import random
import sys
from concurrent.futures import ThreadPoolExecutor

from assam_client import Client, Turn, new_secret
from assam_client.interface import GameView, HeadView, SeatChoice, State, StateAtPly

URL = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
OTHERS: dict[str, list[SeatChoice]] = {"marrakech/1": ["random", "random"], "marrakesh/1": ["solitaire-ai"]}


def play(player: Client, game: GameView) -> list[HeadView]:
    """Plays a seat with random moves, and keeps the heads before them."""
    kept: list[HeadView] = []

    def choose(turn: Turn) -> str:
        kept.append(turn.head)
        return random.choice(turn.moves)

    player.play_to_the_end(game["id"], choose, timeout=30)
    return kept


def look_back(player: Client, game: GameView, kept: list[HeadView]) -> list[StateAtPly]:
    """Replays the game, validates its record, verifies its proof, and prints its scores."""
    states = list(player.states(game["id"]))
    assert player.picture(game["id"], states[-1]["ply"]).startswith("<svg")
    verdict = player.validate(player.record(game["id"]))
    assert verdict["valid"] and verdict["position"] == states[-1]["position"], verdict["error"]
    for line in player.verify(game["id"], kept):
        print(f"    {line}")
    print(f"{game['id']}: {game['ruleset']}, scores", *player.score(game["id"])["scores"])
    return states


def hides_nothing(state: State) -> bool:
    return state["game"] == "marrakech" or not any(seat["cards"] for seat in state["seats"])


with Client(URL, new_secret()) as aisha, Client(URL, new_secret()) as omar:
    for ruleset, others in OTHERS.items():
        # A game against built-in players.
        game = aisha.create_game(ruleset, ["open", *others], take={"seat": 1, "name": "Aisha"})
        states = look_back(aisha, game, play(aisha, game))

        # The end once more, with Omar in place of one of them, from the last position that hides nothing, or from the start if
        # all positions hide something. The two players wait for each other.
        may_be_known = (state["position"] for state in reversed(states[:-16]) if hides_nothing(state["state"]))
        start = next(may_be_known, None)
        seats: list[SeatChoice] = ["open", "open", *others[1:]]
        game = aisha.create_game(ruleset, seats, position=start, take={"seat": 1, "name": "Aisha"})
        omar.join(game["id"], name="Omar")
        with ThreadPoolExecutor() as both:
            heads = both.map(play, (aisha, omar), (game, game))
        look_back(omar, game, [head for kept in heads for head in kept])
