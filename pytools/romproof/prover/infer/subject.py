"""A routine without a contract, and what is known of its program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from romproof.contract.nouns.model import Contract
from romproof.prover.infer.draft import Draft, block, memory_name, merge_spans, spell
from romproof.prover.infer.flows import Flows
from romproof.prover.infer.regions import MemorySpan, Regions, find_fixed_runs
from romproof.prover.refinement.fragment import piece_of
from romproof.prover.states.entry import register_name
from romproof.prover.states.program import ProofProgram
from romproof.symbolic.terms.origin import VariableName
from romproof.timing.effects import effect_of

SUMMARY = "(inferred)"
"""What stands for what a routine does, which no tool knows."""


@dataclass(frozen=True)
class Subject:
    """A routine without a contract, and what is known of its program. ``live`` are the registers
    and flags that callers read, ``hints`` the constants that they pass in pairs, ``stored`` those
    that the program puts into bytes of memory. ``awaited`` are the bytes that interrupts write and
    for which it waits, each with the handler that is proved to change it, or ""."""

    program: ProofProgram = field(repr=False)
    regions: Regions = field(repr=False)
    flows: Flows = field(repr=False)
    name: str
    address: int
    is_handler: bool
    live: frozenset[str]
    hints: Mapping[str, tuple[int, ...]]
    stored: Mapping[int, frozenset[int]] = field(default_factory=dict, repr=False)
    awaited: Mapping[int, str] = field(default_factory=dict, repr=False)

    def contract(self, draft: Draft) -> Contract:
        """The draft as a contract. Raises BuildFailed."""
        text = block(self.name, SUMMARY, self.spell(draft), self.regions)
        return piece_of(self.program.image, text, self.address).contract

    def spell(self, draft: Draft) -> Draft:
        """The draft as it is written, with what is assumed of bytes that interrupts write."""
        spans = [MemorySpan(address, address + 1) for address in self.awaited]
        draft = replace(draft, reads=merge_spans([*draft.reads, *spans]))
        changes = [
            f"{memory_name(address, self.regions)} changes" + (f" by {handler}" if handler else "")
            for address, handler in self.awaited.items()
        ]
        return spell(draft.with_assumptions(changes), self.regions)

    def find_name(self, variable: VariableName, as_word: bool = False, /) -> str | None:
        """What contracts call a variable of the entry, or the two bytes from one on."""
        address = variable.address
        if as_word:
            return self._word(address)
        if address is None:
            known = {register_name(self.program.abi, i) for i in self.program.abi.contents}
            return variable.upper() if variable in known else None
        own = self.regions.symbol_at(address)
        start = address if own is None else own.start
        name = self.regions.name(start)
        if own is not None and own.size == 1 and self.regions.is_sized(own):
            return name
        return f"{name}[{address - start}]" if name else f"${address:04X}[0]"

    def _word(self, address: int | None) -> str | None:
        """What contracts call a variable of two bytes: its name alone."""
        own = None if address is None else self.regions.symbol_at(address)
        if own is None or own != MemorySpan(own.start, own.start + 2) or own.start != address:
            return None
        return self.regions.name(address) if self.regions.is_sized(own) else None

    @property
    def registers(self) -> tuple[VariableName, ...]:
        """The registers and flags, by the names of the microcode."""
        abi = self.program.abi
        return tuple(register_name(abi, item) for item in abi.contents)

    @cached_property
    def jumps(self) -> bool:
        """Whether it jumps to addresses that are computed."""
        steps = self.flows.steps
        return any(steps[address].lost for address in self.flows.body(self.address))

    def writes(self, pc: int) -> bool:
        """Whether the instruction at an address writes memory."""
        steps = self.flows.steps
        size = steps[pc].instruction.opcode.size if pc in steps else 3
        return bool(effect_of(self.program.abi.cpu, self.program.fixed[pc : pc + size]).stores)

    def describe(self, address: int) -> str:
        """An address as people say it."""
        return self.program.image.describe(address)

    def find_fixed_runs(self) -> Iterator[MemorySpan]:
        """The areas of memory that stay as they are."""
        return find_fixed_runs(self.program.is_fixed)
