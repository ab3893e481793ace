"""Which routines a routine reaches: they are proved before it, and stand for their code."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from romproof.contract.nouns.model import Contract
from romproof.harness.rom import Rom
from romproof.timing.program import TimedProgram


def callees_first(
    rom: Rom, known: Mapping[str, Contract], names: Collection[str]
) -> list[Contract]:
    """The routines ``names`` of ``known`` and those they reach, each after its own callees."""
    reached = _find_reached(rom, known.values())
    wanted = set(names).union(*(reached[name] for name in names))

    def rank(name: str) -> tuple[int, int, str]:
        # who comes to another comes to all that the other comes to, and to that one as well
        low, _ = known[name].cycles or (1 << 62, None)
        return len(reached[name]), low, name

    return [known[name] for name in sorted(wanted, key=rank)]


def _find_reached(rom: Rom, contracts: Iterable[Contract]) -> dict[str, frozenset[str]]:
    """The routines that each reaches, by calls and by jumps; not itself."""
    program = TimedProgram(rom.loaded, {contract.name: contract for contract in contracts})
    entries = {contract.name: rom.image.address(contract.name) for contract in contracts}
    return {
        name: frozenset(
            other
            for other, at in entries.items()
            if at != entry and at in program.routine(entry).code
        )
        for name, entry in entries.items()
    }
