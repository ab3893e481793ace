"""The code of a program as a graph: who calls whom, in which order.

Which labels are routines is for romproof.timing.routines to say.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from romproof.harness.rom import Rom
from romproof.isa.abi import Abi, abi_of
from romproof.program.image import Symbol
from romproof.timing.following import FollowedStep
from romproof.timing.routines import routines_of


@dataclass(frozen=True)
class Flows:
    """The code of a program that could be followed.

    ``routines`` are the labels that are routines, by address; ``handlers`` the addresses
    that interrupts lead to, ``first`` those of the program's first instructions. ``tables`` are the
    routines whose addresses stand in a row where an instruction says, by its address: a jump that
    is computed may lead to them.
    """

    abi: Abi
    steps: Mapping[int, FollowedStep] = field(repr=False)
    routines: Mapping[int, Symbol] = field(repr=False)
    handlers: frozenset[int]
    first: frozenset[int]
    tables: Mapping[int, frozenset[int]] = field(default_factory=dict, repr=False)

    @cached_property
    def sites(self) -> Mapping[int, tuple[int, ...]]:
        """The calls of each routine that is called: the addresses of the instructions."""
        addresses: dict[int, list[int]] = {}
        for address, step in self.steps.items():
            if step.call is not None:
                addresses.setdefault(step.call, []).append(address)
        return {target: tuple(sorted(at)) for target, at in addresses.items()}

    def body(self, entry: int) -> frozenset[int]:
        """The instructions of a routine, those of other public routines it jumps to included; what
        it calls is not."""
        known = self._bodies.get(entry)
        if known is None:
            seen: set[int] = set()
            work = [entry]
            while work:
                address = work.pop()
                if address not in seen and address in self.steps:
                    seen.add(address)
                    work += self.steps[address].nexts
            known = self._bodies[entry] = frozenset(seen)
        return known

    def loops(self, entry: int) -> Iterator[frozenset[int]]:
        """The innermost loops of a routine: for each jump back the instructions around, if all that
        is between comes back there."""
        body = self.body(entry)
        for address in sorted(body):
            for head in self.steps[address].nexts:
                if head <= address:
                    inside = frozenset(a for a in body if head <= a <= address)
                    backward = {
                        n for a in inside for n in self.steps[a].nexts if n in inside and n <= a
                    }
                    if backward == {head}:
                        yield inside

    @cached_property
    def _bodies(self) -> dict[int, frozenset[int]]:
        return {}

    def find_reached(self, entry: int) -> frozenset[int]:
        """The routines that the code of one calls or goes on in, itself aside; of a jump that is
        computed those of the tables that it names."""
        body = self.body(entry)
        calls = {self.steps[a].call for a in body}
        others = {a for a in body if a in self.routines}
        inner = {each for each in calls if each is not None}
        if any(self.steps[a].lost for a in body):
            others = others.union(*(self.tables.get(a, ()) for a in body))
        return frozenset((inner | others) - {entry})

    def find_all_reached(self, entry: int) -> frozenset[int]:
        """The routines that the code of one comes to, and those that these come to."""
        seen: set[int] = set()
        work = [*self.find_reached(entry)]
        while work:
            at = work.pop()
            if at not in seen:
                seen.add(at)
                work += self.find_reached(at)
        return frozenset(seen)

    def callees_first(self, entries: Iterable[int]) -> list[int]:
        """The public routines that ``entries`` reach, these included, each after those that it
        reaches; in a recursion somebody has to be first."""
        order: list[int] = []
        seen: set[int] = set()
        for entry in sorted(entries):
            stack: list[tuple[int, list[int]]] = []
            if entry not in seen:
                seen.add(entry)
                stack.append((entry, sorted(self.find_reached(entry))))
            while stack:
                at, left = stack[-1]
                if left:
                    other = left.pop()
                    if other not in seen:
                        seen.add(other)
                        stack.append((other, sorted(self.find_reached(other))))
                else:
                    stack.pop()
                    if at in self.routines:
                        order.append(at)
        return order

    def is_recursive(self, entry: int) -> bool:
        """Whether a routine comes to call itself."""
        if entry in self.find_all_reached(entry):
            return True
        return any(self.steps[a].call == entry for a in self.body(entry))


def flows_of(rom: Rom, named: Collection[Symbol] = (), private: bool = False) -> Flows:
    """The code of what is loaded of a program; ``named`` are labels of further routines, and with
    ``private`` what is called is one even if it is not exported."""
    image, memory, abi = rom.loaded, rom.memory_map, abi_of(rom.image.cpu)
    data = memory.initial

    def word(address: int) -> int:
        return data[address] | data[address + 1] << 8

    contracts = (*rom.readable, *rom.malformed)
    found = routines_of(image, memory, contracts, named, private)
    marks = frozenset(s.value for s in image.symbols if s.is_label)
    tables = dict(_tables(found.steps, found.labels, word, marks))
    return Flows(abi, found.steps, found.labels, found.handlers, found.first, tables)


def _tables(
    steps: Mapping[int, FollowedStep],
    routines: Collection[int],
    word: Callable[[int], int],
    marks: Collection[int],
) -> Iterator[tuple[int, frozenset[int]]]:
    """By the address of an instruction with an address in it, of data, the routines whose addresses
    begin there, up to the next label (``marks``)."""
    for at, step in steps.items():
        place = step.instruction.operand
        if step.instruction.opcode.size < 3 or place in steps:
            continue
        found: list[int] = []
        while place < 0xFFFF and word(place) in routines:
            found.append(word(place))
            place += 2
            if place in marks:
                break
        if found:
            yield at, frozenset(found)
