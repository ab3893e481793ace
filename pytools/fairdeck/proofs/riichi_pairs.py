"""Seven different pairs: the kinds and the pairs of a hand are counted, a kind at a stage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairdeck.tiles import KINDS
from romproof import Image, Proof, Prover, Stage

NAME = "chiitoi_shanten"

CONTRACT = {
    "6502": """
        ;; chiitoi_shanten – of seven different pairs.
        ; in:        hand[34]
        ; out:       A
        ; invariant: @kind: X <= 33, shanten_pairs <= 33 - X, shanten_kinds <= 33 - X
        ; decreases: @kind: X
        ; clobbers:  X N V Z C shanten_pairs shanten_kinds
        ; stack:     0
        """,
    "sm83": """
        ;; chiitoi_shanten – for seven different pairs.
        ; in:        hand[34]
        ; out:       A
        ; invariant: .kind: HL in &hand..&hand + 33, B <= HL - &hand, C <= HL - &hand
        ; decreases: .kind: &hand + 34 - HL
        ; clobbers:  BC HL F
        ; stack:     0
        """,
}
"""The routine's own with its loop, and for bytes of any kind in place of tiles."""

PLACES = {
    "6502": {"pairs": "shanten_pairs", "kinds": "shanten_kinds", "place": "x"},
    "sm83": {"pairs": "b", "kinds": "c", "place": "hl"},
}


def counted(pairs: Any, kinds: Any, held: Any) -> tuple[Any, Any]:
    """The counts with one kind more, of which ``held`` are in the hand."""
    return pairs + (held >= 2), kinds + (held >= 1)


def missing(pairs: Any, kinds: Any) -> Any:
    """The shanten of a hand with so many pairs and kinds."""
    return 6 - pairs + max(0, 7 - kinds)


def stages(cpu: str, image: Image) -> Mapping[str, Stage]:
    """The beginning, and a kind: the 6502 counts from the last to the first, the SM83 upwards."""
    label = f"{NAME}{'@' if cpu == '6502' else '.'}kind"
    hand = image.address("hand")
    first, last, on = (KINDS - 1, 0, -1) if cpu == "6502" else (hand, hand + KINDS - 1, 1)

    def begin(held: Any) -> Any:
        return label, {"pairs": 0, "kinds": 0, "place": first, "held": held}

    def kind(pairs: Any, kinds: Any, place: Any, held: Any) -> Any:
        pairs, kinds = counted(pairs, kinds, held[place if cpu == "6502" else place - hand])
        if place == last:
            return "return", {"shanten": missing(pairs, kinds) & 0xFF}
        return label, {"pairs": pairs, "kinds": kinds, "place": place + on, "held": held}

    takes = {**PLACES[cpu], "held": "hand"}
    return {"": Stage({"held": "hand"}, begin), label: Stage(takes, kind)}


def proof(own: Prover, cpu: str) -> Proof:
    """That the contract holds, and that the model does the same."""
    contract = own.routine(NAME, own.contract(CONTRACT[cpu], NAME))
    return Proof.joined(NAME, contract, own.simulates(stages(cpu, own.image), {"shanten": "a"}))
