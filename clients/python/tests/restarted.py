"""Bots play a match and its rematch, and others follow it, while the service is killed and started again: `restarted.py URL`.

Says `restart` when it wants that, and reads a line when that was done.
"""

from __future__ import annotations

import os
import random
import sys
import threading
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from assam_client import Client, Turn, new_secret
from assam_client.interface import GameMessage
from assam_client.wire import Wire

URL = sys.argv[1]
CUT_AT = 20
# How long the answer to a move may take that others have seen, in seconds.
PATIENCE = 60

# What each client was asked to send, but for streams.
asked: dict[Wire, list[str]] = {}
send = Wire.ask
# A bot has been answered.
answered = threading.Condition()


def ask(self: Wire, method: str, path: str, *arguments: object, **more: object) -> object:
    asked.setdefault(self, []).append(f"{method} {path}")
    return send(self, method, path, *arguments, **more)  # type: ignore[arg-type]


def choose(turn: Turn) -> str:
    return random.choice(turn.moves)


def live(bot: Client, played: list[Turn], is_cut: bool) -> None:
    """Plays wherever the bot is on turn, and has the service killed in the middle of a game."""
    try:
        for turn in bot.turns():
            if is_cut and turn.ply >= CUT_AT:
                is_cut = False
                print("restart", flush=True)
                sys.stdin.readline()
            assert bot.play_turn(turn, choose(turn)) is not None, turn
            with answered:
                played.append(turn)
                answered.notify_all()
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def words_of(messages: Iterator[GameMessage]) -> dict[int, str]:
    """The log that a stream tells, of which nothing is missing, and nothing comes twice."""
    words: dict[int, str] = {}
    last = -1
    for message in messages:
        if message["type"] == "snapshot":
            words = {word["ply"]: word["word"] for word in message["words"]}
            last = max(words, default=-1)
        elif message["type"] == "word":
            assert message["ply"] == last + 1, message
            last = message["ply"]
            if message["word"] is not None:
                words[last] = message["word"]
            words.update({opened["ply"]: opened["word"] for opened in message["opened"]})
    return words


def check(client: Client, game: str, words: dict[int, str]) -> None:
    assert words == {word["ply"]: word["word"] for word in client.log(game)["words"]}, words


Wire.ask = ask  # type: ignore[method-assign, assignment]
aisha, omar, watcher = Client(URL, new_secret()), Client(URL, new_secret()), Client(URL)
played: dict[Client, list[Turn]] = {aisha: [], omar: []}
for bot in played:
    threading.Thread(target=live, args=(bot, played[bot], bot is aisha), daemon=True).start()
before = next(watcher.follow_all())
assert before["type"] == "caught-up"

game = aisha.create_game("marrakesh/1", ["open", "open"], take={"seat": 1, "name": "Aisha"})["id"]
with ThreadPoolExecutor() as following:
    followers = [(client, following.submit(words_of, client.follow(game))) for client in (aisha, watcher)]
    omar.join(game, name="Omar")
    for client, follower in followers:
        check(client, game, follower.result())
told = []
for message in watcher.follow_all(since=before["cursor"]):
    if message["type"] == "game" and message["game"]["id"] == game:
        told.append(message["happened"])
        if message["happened"] == "finished":
            break
assert told[0] == "created" and "started" in told, told

# The same once more, without a break: a decision is a request, and nothing else is asked.
for turns in played.values():
    turns.clear()
asked.clear()
again = aisha.rematch(game, name="Aisha")["id"]
assert omar.rematch(game)["id"] == again
check(watcher, again, words_of(watcher.follow(again)))
for bot, turns in played.items():
    moves = [path for path in asked[bot._wire] if "/moves/" in path]
    # Whoever watches may see the last word before the bot that played it.
    with answered:
        while len(turns) < len(moves) and answered.wait(PATIENCE):
            pass
    assert len(moves) == len(turns) > CUT_AT and len(asked[bot._wire]) <= len(moves) + 5, asked[bot._wire]

# Without a stream: a request for each decision, one for each word that is waited for, and one for the legal moves then.
pair = Client(URL, new_secret()), Client(URL, new_secret())
short = {"rounds": 6}
alone = pair[0].create_game("marrakesh/1", ["open", "open"], options=short, take={"seat": 1})["id"]
pair[1].join(alone)
asked.clear()
with ThreadPoolExecutor() as both:
    ends = list(both.map(lambda player: player.play_to_the_end(alone, choose, timeout=60), pair))
last = ends[0]["head"]
assert last is not None and ends[0]["status"] == "finished"
for player in pair:
    assert len(asked[player._wire]) <= 2 * last["ply"] + 4, (last, asked[player._wire])
print("everything holds")
