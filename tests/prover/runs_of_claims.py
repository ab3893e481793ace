"""Claims made at random of which runs for every input say whether they hold.

The engine ``plain`` executes a routine for each input that its contract allows, so a claim is known
to be broken or to hold. One that is broken must not be proved, not for the inputs for which it
ends either, and it is the rules that have to see it; one that holds must not be refuted.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from claims import PARTIAL, PROVED, REFUTED, Said, proofs_of, rom_of, source, told
from port_programs import Begun, Ended, run

from romproof.harness.rom import Rom
from romproof.text.cause import Cause


class Truth(Enum):
    """What the runs of a claim say of it."""

    HOLDS = "holds"
    BROKEN = "broken"
    OPEN = "open"
    """A claim can be read in two ways, or not all inputs were tried, and none breaks it."""


Judge = Callable[[Rom, Sequence[Ended]], Truth]


@dataclass(frozen=True)
class Drawn:
    """A claim, its inputs, and what says whether they break it."""

    kind: str
    cpu: str
    said: Said
    runs: tuple[Begun, ...]
    judge: Judge

    def truth(self) -> Truth:
        """What is so. Raises BuildFailed for what cannot be read."""
        rom = rom_of(self.cpu, self.text())
        return self.judge(rom, [run(self.cpu, rom, each) for each in self.runs])

    def text(self) -> str:
        """The program."""
        return source(self.cpu, self.said)


def faults(drawn: Drawn, truth: Truth) -> Iterator[str]:
    """What the prover says of a claim that is not so. Raises BuildFailed."""
    proof = proofs_of(drawn.cpu, drawn.said)["it"]
    if truth is Truth.BROKEN and proof.verdict in (PROVED, PARTIAL):
        yield f"{proof.verdict.value}, and runs break it:\n{told(proof)}"
    if truth is Truth.HOLDS and proof.verdict is REFUTED:
        yield f"refuted, and all runs keep to it:\n{told(proof)}"
    if any(Cause.PROVER_FAULT in each.causes for each in proof.findings):
        yield f"only the runs after the proof saw it:\n{told(proof)}"


def each_of(registers: dict[str, Sequence[int]], memory: dict[str, Sequence[int]]) -> list[Begun]:
    """A run for each combination of values."""
    runs = [Begun()]
    for name, values in registers.items():
        runs = [
            Begun(r.stream, {**r.registers, name: value}, r.memory)
            for r in runs
            for value in values
        ]
    for name, values in memory.items():
        runs = [
            Begun(r.stream, r.registers, {**r.memory, name: value})
            for r in runs
            for value in values
        ]
    return runs


def main(draw: Callable[[int], Drawn]) -> int:
    """Try many claims; exit code 1 if the prover says of one what is not so."""
    parser = argparse.ArgumentParser(description="Try claims that runs decide.")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1000)
    chosen = parser.parse_args()
    found: Counter[str] = Counter()
    wrong = 0
    for seed in range(chosen.seed, chosen.seed + chosen.count):
        one = draw(seed)
        truth = one.truth()
        found[truth.value] += 1
        for fault in faults(one, truth):
            wrong += 1
            print(f"{seed}: {one.kind}, {one.cpu}: {fault}\n{one.text()}")
    told_of = ", ".join(f"{number} {name}" for name, number in sorted(found.items()))
    print(f"{chosen.count} claims ({told_of}); {wrong} faults")
    return 1 if wrong else 0
