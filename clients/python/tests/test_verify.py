"""Proofs with built-in players that the verifier knows or does not know."""

from __future__ import annotations

import json
import unittest
from copy import deepcopy
from pathlib import Path
from typing import Any

from assam_client import verify as verifier
from assam_client.verify import Wrong, verify

SEED = "5e" * 32
KINDS = ["human", "merchant-5/1", "tea-seller/12"]
UNKNOWN = "this verifier does not know that player, but `assam verify` may"


def proved(kinds: list[str]) -> Any:
    """Returns the proof of three turns of each player. Seat 3 is out in its second turn. Words are not legal, which the verifier cannot know."""
    people = {"player": "0a" * 10, "entropy": "5f" * 32, "revision": 1}
    nobody = {"player": None, "entropy": None, "revision": None}
    seats = [{"seat": n, "kind": kind, **(people if kind == "human" else nobody)} for n, kind in enumerate(kinds, 1)]
    decisions = ["N", "a1a2", "E", "b1b2", "N", "c1c2", "N", "d1d2", "E", "e1e2", "N", "N", "f1f2", "E", "g1g2"]
    keys = [verifier.mac({"start": ""}, SEED, "any", "key")]  # type: ignore[typeddict-item]
    for _ in decisions:
        keys.insert(0, verifier.sha256(keys[0]))
    anchor, seed_hash = verifier.sha256(keys[0]), verifier.sha256(bytes.fromhex(SEED))
    proof: Any = {
        "game": "0c" * 16,
        "setup": f"MKN/1 marrakech/1 seats={len(kinds)}",
        "imported": False,
        "commitment": verifier.sha256(b"\x04", anchor, seed_hash).hex(),
        "anchor": anchor.hex(),
        "seed_hash": seed_hash.hex(),
        "seed": SEED,
        "seats": seats,
        "beacon": None,
        "receipt": None,
        "words": [],
    }
    head = verifier.start(proof)
    proof["start"] = head.hex()
    for ply, (key, decision) in enumerate(zip(keys[1:], decisions), 1):
        die = ["122334"[verifier.draws(proof, key.hex(), "chance", ply)(6)]] if decision in "NESW" else []
        parts: list[Any] = [
            {"part": number, "token": token, "salt": None, "hash": verifier.sha256(b"\x00", token.encode()).hex()}
            for number, token in enumerate([decision, *die])
        ]
        head = verifier.sha256(b"\x03", head, verifier.sha256(b"\x02", *(bytes.fromhex(part["hash"]) for part in parts)))
        proof["words"].append({"ply": ply, "key": key.hex(), "parts": parts, "head": head.hex()})
    proof["head"] = {"ply": len(decisions), "hash": head.hex()}
    return proof


class VerifyTest(unittest.TestCase):
    def test_decisions_of_players_that_are_not_known_are_counted_and_everything_else_is_checked(self) -> None:
        proof = proved(KINDS)
        told = verify(proof)
        self.assertIn("chance: 8 outcomes", told)
        self.assertIn(f"not verified: seat 2, merchant-5/1: 6 of 6 decisions were not recomputed: {UNKNOWN}", told)
        self.assertIn(f"not verified: seat 3, tea-seller/12: 3 of 3 decisions were not recomputed: {UNKNOWN}", told)
        self.assertFalse(any("seat 1, " in line for line in told))
        forged = deepcopy(proof)
        die = forged["words"][2]["parts"][1]
        die["token"] = "4" if die["token"] != "4" else "1"
        with self.assertRaises(Wrong):
            verify(forged)

    def test_of_known_players_it_says_that_the_rules_are_missing(self) -> None:
        proof = proved(["human", "hand", "random"])
        told = verify(proof)
        self.assertIn(f"not verified: seat 2, hand: 6 of 6 decisions were not recomputed: {UNKNOWN}", told)
        self.assertIn("not verified: seat 3, random: 3 of 3 decisions were not recomputed: that needs the rules", told)

    def test_a_kind_is_a_name_with_or_without_a_version_and_such_a_seat_has_neither_id_nor_entropy(self) -> None:
        for kind in ("a", "0", "x" * 20, "x" * 20 + "/9999"):
            verify(proved(["human", kind, "random"]))
        for kind in ("", "x" * 21, "Merchant", "merchant-5/0", "merchant-5/", "/1", "merchant-5/10000", "merchant-5/1/1", "tea seller", "merchant-5/1\n"):
            with self.assertRaises(Wrong, msg=kind):
                verify(proved(["human", kind, "random"]))
        with self.assertRaises(Wrong):
            verify(proved(["human", "open", "random"]))
        for member, value in (("player", "0b" * 10), ("entropy", "5d" * 32), ("revision", 2)):
            proof = proved(KINDS)
            proof["seats"][1][member] = value
            with self.assertRaises(Wrong, msg=member):
                verify(proof)

    def test_the_proof_that_other_verifiers_are_tested_with_is_this_one(self) -> None:
        file = Path(__file__).parents[3] / "tests/service/proofs/unknown_player.json"
        if file.exists():
            self.assertEqual(json.loads(file.read_text()), proved(KINDS))


if __name__ == "__main__":
    unittest.main()
