"""Seven different pairs: the kinds and the pairs of a hand are counted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fairdeck.tiles import KINDS
from romproof import Proof, Prover

ENTRY = {
    "6502": """
        ;; entry – nothing is counted, the last kind comes first.
        ; in:       none
        ; out:      X zp shanten_pairs shanten_kinds
        ; clobbers: A N Z
        """,
    "sm83": """
        ;; entry – nothing is counted, the first kind comes first.
        ; in:       none
        ; out:      BC HL
        """,
}
KIND = {
    "6502": """
        ;; kind – one kind is counted.
        ; in:       X zp hand[34] shanten_pairs shanten_kinds
        ; requires: X <= 33, shanten_pairs <= 33, shanten_kinds <= 33
        ; out:      X shanten_pairs shanten_kinds
        ; clobbers: A N V Z C
        """,
    "sm83": """
        ;; kind – one kind is counted.
        ; in:       B C HL hand[34]
        ; requires: H == &hand >> 8, L in (&hand & $FF)..(&hand & $FF) + 33, B <= 33, C <= 33
        ; out:      B C HL
        ; clobbers: A F
        """,
}
MISSING = {
    "6502": """
        ;; missing – what is missing when all kinds are counted.
        ; in:       shanten_pairs shanten_kinds
        ; requires: shanten_pairs <= 34, shanten_kinds <= 34
        ; out:      A
        ; clobbers: N V Z C
        """,
    "sm83": """
        ;; missing – what is missing when all kinds are counted.
        ; in:       B C
        ; requires: B <= 34, C <= 34
        ; out:      A
        ; clobbers: F
        """,
}
LABELS = {
    "6502": ("chiitoi_shanten@kind", "chiitoi_shanten@missing"),
    "sm83": ("chiitoi_shanten.kind", "chiitoi_shanten.missing"),
}
COUNTS = {"6502": ("shanten_pairs", "shanten_kinds"), "sm83": ("b", "c")}
PLACE = {"6502": "x", "sm83": "hl"}


def counted(pairs: Any, kinds: Any, held: Any) -> tuple[Any, Any]:
    """The counts with one kind more, of which ``held`` are in the hand."""
    return pairs + (held >= 2), kinds + (held >= 1)


def missing(pairs: Any, kinds: Any) -> Any:
    """The shanten of a hand with so many pairs and kinds."""
    return 6 - pairs + max(0, 7 - kinds)


def proofs(own: Prover, cpu: str) -> Iterable[Proof]:
    """Of the beginning, the step at any kind, and the end."""
    image = own.image
    hand = image.address("hand")
    kind, end = LABELS[cpu]
    first, last = (KINDS - 1, 0) if cpu == "6502" else (hand, hand + KINDS - 1)

    def entry() -> Any:
        return 0, 0, first

    def step(pairs: Any, kinds: Any, place: Any, held: Any) -> Any:
        here = held[place if cpu == "6502" else place - hand]
        following = place - 1 & 0xFF if cpu == "6502" else place + 1
        return (1 if place == last else 0), (*counted(pairs, kinds, here), following)

    def out(pairs: Any, kinds: Any) -> Any:
        return missing(pairs, kinds) & 0xFF

    counts = dict(zip(("pairs", "kinds"), COUNTS[cpu], strict=True))
    gives = (*COUNTS[cpu], PLACE[cpu])
    yield own.piece(ENTRY[cpu], "chiitoi_shanten", kind, model=entry, takes={}, gives=gives)
    takes = {**counts, "place": PLACE[cpu], "held": "hand"}
    yield own.piece(KIND[cpu], kind, kind, end, model=step, takes=takes, gives=gives)
    yield own.piece(MISSING[cpu], end, model=out, takes=counts, gives="a")
