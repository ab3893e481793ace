"""Which routines a routine reaches: they are proved before it, and stand for their code."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from romproof.contract.nouns.model import Contract
from romproof.harness.rom import Rom
from romproof.timing.program import TimedProgram


def callees_first(
    rom: Rom, known: Mapping[str, Contract], names: Collection[str]
) -> list[Contract]:
    """The routines ``names`` of ``known`` and those they reach, each after its own callees. A
    routine reaches the handlers of interrupts that its contract names as well."""
    reached = _add_handlers(_find_reached(rom, known.values()), known)
    wanted = set(names).union(*(reached[name] for name in names))

    def rank(name: str) -> tuple[int, int, str]:
        # who comes to another comes to all that the other comes to, and to that one as well
        low, _ = known[name].cycles or (1 << 62, None)
        return len(reached[name]), low, name

    return [known[name] for name in sorted(wanted, key=rank)]


def _add_handlers(
    reached: Mapping[str, frozenset[str]], known: Mapping[str, Contract]
) -> dict[str, frozenset[str]]:
    """The same with the handlers that wait for each other through memory: those that contracts
    name, and all that these reach."""
    named = {
        name: {each.handler for each in contract.changing if each.handler in known}
        for name, contract in known.items()
    }
    found = {name: set(others) for name, others in reached.items()}
    grown = True
    while grown:
        grown = False
        for name, others in found.items():
            more = set().union(*(named[each] for each in (name, *others)))
            more |= set().union(*(found[each] for each in more))
            more -= others | {name}
            grown |= bool(more)
            others |= more
    return {name: frozenset(others) for name, others in found.items()}


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
