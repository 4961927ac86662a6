"""Every function of the client, called in a stream while the service is away: `every_function.py URL`.

Says `kill` and `start` when it wants that, and reads a line when that was done.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from assam_client import Client, Problem, new_secret
from assam_client.interface import GameView
from assam_client.wire import Wire

URL = sys.argv[1]
TIMEOUT = 3.0  # outside of a stream, a call would be given up then
LONGEST = 120.0
NOT_SENDING = {"close", "receipt"}
RECORD = "MKN/1 marrakech/1 seats=2 two_player=one-colour\n\n!resign2\n= 30 0\n"
QUICK: dict[str, str | int] = {"rugs_per_player": 1, "two_player": "one-colour"}

# When each function was last sent in vain.
tried: dict[str, float] = {}
something_happened = threading.Condition()
begin = Wire._begin


def trying(self: Wire, *arguments: object) -> object:
    try:
        return begin(self, *arguments)  # type: ignore[arg-type]
    except OSError:
        with something_happened:
            tried[threading.current_thread().name] = time.monotonic()
            something_happened.notify_all()
        raise


Wire._begin = trying  # type: ignore[method-assign, assignment]
secret, new = new_secret(), new_secret()
mine, others = Client(URL, secret), Client(URL, new_secret())


def opened(owner: Client = mine) -> str:
    return owner.create_game("marrakech/1", ["open", "open"], options=QUICK, take={"seat": 1})["id"]


def running() -> str:
    game = opened()
    others.join(game)
    return game


def finished() -> str:
    game = running()
    others.resign(game)
    return game


def refused(ask: Callable[[], object]) -> Callable[[], object]:
    """What the service refuses, when it is back."""

    def asking() -> object:
        with suppress(Problem):
            return f"no problem, but {ask()}"
        return True

    return asking


def calls(me: Client) -> dict[str, Callable[[], object]]:
    """A call of each function, which gives something that is true."""
    game, over, turn = running(), finished(), mine.wait(running())
    assert turn is not None
    move = mine.legal_moves(other := running())["moves"]
    assert move
    alone = mine.create_game("marrakech/1", ["open", "random"], options=QUICK, take={"seat": 1})["id"]

    def done(ask: Callable[..., object], *arguments: object) -> Callable[[], bool]:
        return lambda: ask(*arguments) is None

    def is_over(view: GameView) -> bool:
        return view["status"] == "finished"

    return {
        "abort": partial(me.abort, running()),
        "analyse": lambda: me.analyse(RECORD, judge="merchant-7")["seats"],
        "analyse_records": lambda: [row["error"] for row in me.analyse_records([RECORD])] == [None],
        "analysis": lambda: me.analysis(over)["seats"],
        "close": done(me.close),
        "create_game": partial(me.create_game, "marrakech/1", ["open", "random"], take={"seat": 1}),
        "deliver_beacon": refused(partial(me.deliver_beacon, opened(), 1, "ab" * 48)),
        "export_games": lambda: over in [line["id"] for line in me.export_games()],
        "export_proofs": lambda: over in [line["proof"]["game"] for line in me.export_proofs()],
        "follow": lambda: next(me.follow(game)),
        "follow_all": lambda: next(me.follow_all()),
        "follow_own": lambda: next(me.follow_own()),
        "game": partial(me.game, game),
        "games": lambda: game in [one["id"] for one in me.games()],
        "import_record": partial(me.import_record, RECORD),
        "import_records": lambda: [row["outcome"] for row in me.import_records([RECORD])] in (["new"], ["known"]),
        "hints": refused(partial(me.hints, game)),
        "join": partial(me.join, opened(others)),
        "dice": partial(me.dice, "random"),
        "leaders": lambda: list(me.leaders("marrakech/1")) is not None,
        "leave_seat": done(me.leave_seat, opened(), 1),
        "legal_moves": partial(me.legal_moves, game),
        "log": partial(me.log, game),
        "move": partial(me.move, over, 1),
        "outcomes": partial(me.outcomes, [{"position": "MKN/1 marrakech/1 seats=2"}]),
        "own_games": lambda: game in [one["id"] for one in me.own_games()],
        "picture": partial(me.picture, game, 0),
        "play": partial(me.play, other, 1, move[0]),
        "play_to_the_end": lambda: is_over(me.play_to_the_end(alone, lambda turn: turn.moves[0])),
        "play_turn": partial(me.play_turn, turn, turn.moves[0]),
        "player_id": me.player_id,
        "proof": partial(me.proof, game),
        "receipt": lambda: me.receipt(game) is None,
        "record": partial(me.record, game),
        "rematch": partial(me.rematch, over),
        "remove_game": done(me.remove_game, opened()),
        "rename_seat": partial(me.rename_seat, game, 1, "Aisha"),
        "replace_secret": done(me.replace_secret, running(), 1, new),
        "resign": partial(me.resign, running()),
        "rulesets": me.rulesets,
        "score": partial(me.score, game),
        "rolls": lambda: list(me.rolls("random")) is not None,
        "standings": partial(me.standings, "random"),
        "state": partial(me.state, game, 0),
        "states": lambda: list(me.states(game)),
        "take_seat": partial(me.take_seat, opened(others), 2),
        "time_out": refused(partial(me.time_out, game, 2)),
        "turns": lambda: next(me.turns()),
        "validate": lambda: me.validate(RECORD)["valid"],
        "validate_records": lambda: [row["valid"] for row in me.validate_records([RECORD])] == [True],
        "verify": partial(me.verify, game),
        "wait": partial(me.wait, running()),
    }


def wanted(event: str) -> None:
    print(event, flush=True)
    sys.stdin.readline()


me = Client(URL, secret, timeout=TIMEOUT)
called = calls(me)
functions = {name for name, value in vars(Client).items() if callable(value) and not name.startswith("_")}
assert set(called) == functions, f"call these here, too: {set(called) ^ functions}"
came: dict[str, object] = {}


def call(name: str) -> None:
    try:
        what = called[name]()
    except BaseException as error:
        what = error
    with something_happened:
        came[name] = what
        something_happened.notify_all()


turns = me.turns()
next(turns)
wanted("kill")
killed = time.monotonic()
threads = [threading.Thread(target=call, args=(name,), name=name, daemon=True) for name in functions]
for thread in threads:
    thread.start()


def is_away_for_long() -> bool:
    """Whether all functions were called in vain for longer than a call may take, or something went wrong."""
    is_wrong = any(isinstance(what, BaseException) for what in came.values())
    return is_wrong or all(tried.get(name, 0) > killed + TIMEOUT for name in functions - NOT_SENDING)


with something_happened:
    assert something_happened.wait_for(is_away_for_long, LONGEST), functions - tried.keys()
    assert set(came) <= NOT_SENDING, {name: came[name] for name in came.keys() - NOT_SENDING}
wanted("start")
with something_happened:
    something_happened.wait_for(lambda: came.keys() == functions, LONGEST)
assert came.keys() == functions, functions - came.keys()
wrong = {name: what for name, what in came.items() if not what or isinstance(what, BaseException)}
assert not wrong, wrong
next(turns)
print("everything holds", flush=True)
