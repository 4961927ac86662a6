#!/usr/bin/env python3
"""An engine for Assam that knows no rules. It plays one of the legal decisions that the controller lists.

Try it with `assam match "example=examples/engine.py" random --games 20`.
docs/reference/engine-protocol.md documents the protocol.
"""
import random
import sys

draws = random.Random(0)

for line in sys.stdin:
    command, _, rest = line.strip().partition(" ")
    if command == "assam":
        print("id name Example in Python")
        print("option name Seed type spin default 0 min 0 max 18446744073709551615")
        print("assamok")
    elif command == "setoption" and rest.startswith("name Seed value "):
        draws = random.Random(int(rest.split()[-1]))
    elif command == "isready":
        print("readyok")
    elif command == "go":
        # A better engine would look at the last `position` here.
        legal = rest.partition("legal ")[2].split()
        print("bestmove", draws.choice(legal)) if legal else print("error missing_context go lists no decision")
    elif command == "quit":
        break
    # Engines ignore other lines. Without a flush, the controller would wait for ever.
    sys.stdout.flush()
