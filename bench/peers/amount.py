"""How much peers are asked: all of it, or a little, which shows that asking them works."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from peers.claims import CLAIMS, Claim


@dataclass(frozen=True)
class Amount:
    """The claims that are put, how often a quick one is (the quickest counts), the cases of each
    opcode, and how many pieces of code of each opcode cartridges have."""

    claims: Sequence[Claim]
    turns: int
    each: int
    pieces: int


WHOLE = Amount(CLAIMS, turns=3, each=128, pieces=40)
SMALL = Amount(CLAIMS[:1], turns=1, each=2, pieces=1)
