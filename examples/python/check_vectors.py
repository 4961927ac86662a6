#!/usr/bin/env python3
"""Compares what mkn.py says with what every vector of notation/vectors wants of a reader without a board.

    python3 check_vectors.py ../../notation/vectors
"""

from __future__ import annotations

import io
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import mkn


def main(arguments: list[str]) -> int:
    """Compares what every vector wants of a reader without a board with what is said here."""
    wrong, counts = 0, Counter()
    for path in sorted(Path(arguments[0]).rglob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                for wanted, said in compare(json.loads(line)):
                    counts[f"{path.parent.name}/{path.name}"] += 1
                    if wanted != said:
                        wrong += 1
                        print(f"{path}:{number}: wanted {wanted!r}, said {said!r}")
    for name, count in counts.items():
        print(f"{name}: {count} verdicts")
    print(f"{counts.total()} verdicts, {wrong} disagreements")
    return 1 if wrong or not counts else 0


def compare(vector: dict) -> Iterator[tuple[object, object]]:
    """Pairs of what is wanted and what is said."""
    if "pieces" in vector:
        pieces = list(mkn.read_stream(io.BytesIO(text_of(vector, "stream"))))
        yield [(piece["line"], piece["bytes"]) for piece in vector["pieces"]], [(piece.line, len(piece.data)) for piece in pieces]
        for wanted, piece in zip(vector["pieces"], pieces):
            yield from verdicts(wanted, mkn.read, piece.data)
    elif "position_line" in vector:
        yield from verdicts(vector, mkn.read_position_line, vector["position_line"])
    else:
        yield from verdicts(vector, mkn.read, text_of(vector, "record"))
    if is_game(vector):
        setup = vector["record"].split("\n")[0].removeprefix("MKN/1 ")
        for ply in vector.get("plies", [vector]):
            yield from verdicts({}, mkn.read_position_line, f"{setup} position={ply['position']}")


def is_game(vector: dict) -> bool:
    """Is it a game, or the masked beginning of one? Their records are valid and canonical."""
    return "plies" in vector or "viewer" in vector


def text_of(vector: dict, key: str) -> bytes:
    if "hex" in vector:
        return bytes.fromhex(vector["hex"])
    return "".join(text * count for text, count in vector.get("parts", [(vector.get(key), 1)])).encode()


def verdicts(vector: dict, reader: Callable, text: mkn.Text) -> Iterator[tuple[object, object]]:
    """Is the text refused, and for the same reason; are its words those of the canonical form?"""
    wanted = vector.get("syntax", "valid")
    wanted = vector["error"] if wanted == "same" else wanted
    canonical = vector.get("record" if is_game(vector) else "canonical")
    try:
        record = reader(text)
    except mkn.MknError as error:
        said = {key: getattr(error, key) for key in ("code", "rule", "line", "column", "word")}
        yield wanted if wanted == "valid" else {key: wanted.get(key) for key in said}, said
    else:
        yield wanted, "valid"
        if canonical:
            yield canonical.split("\n")[2], " ".join([*map(str, record.words), record.marker])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
