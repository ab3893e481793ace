"""The nouns of a contract: what a routine takes, gives back, uses up and costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from romproof.contract.nouns.changes import AssumedChange
from romproof.contract.nouns.expr import Condition, Expression
from romproof.contract.nouns.items import Item, MemoryRange
from romproof.contract.nouns.pointer import Pointer
from romproof.isa.abi import Abi, Flag, Register
from romproof.program.budget import Budget
from romproof.text.span import Span

ROUTINE, INTERRUPT = "routine", "interrupt"
KINDS = (ROUTINE, INTERRUPT)
"""Kinds of code that contracts are about: what is called, and what an interrupt enters."""

CycleClaim = tuple[int, int | None]
"""The fewest and the most cycles a call may take; 0 and None: nothing is claimed of that end."""


def claim_text(claim: CycleClaim, form: str = "") -> str:
    """A claim as contracts write it, its numbers in ``form``: ``12``, ``12..14``, ``12..``,
    ``..14``."""
    low, high = claim
    if low == high:
        return format(low, form)
    return f"{format(low, form) if low else ''}..{'' if high is None else format(high, form)}"


@dataclass(frozen=True, slots=True)
class Invariant:
    """``conditions`` that hold whenever the code at one of ``addresses`` comes next.

    ``label`` as the contract writes it. Names mean the values there, ``old`` those at the
    entry of the routine.
    """

    label: str
    addresses: tuple[int, ...]
    conditions: tuple[Condition, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Decrease:
    """``expression`` is a natural number whenever the code at one of ``addresses`` comes next,

    and smaller than it was there the time before, as long as the loop around that place is not
    left and entered anew. So the loop ends. ``text`` is the expression as the contract writes it.
    """

    label: str
    addresses: tuple[int, ...]
    expression: Expression
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class LoopBound:
    """How often the code at each of ``addresses`` is executed while its loop is entered once.

    ``least`` is 0 where the contract says only the most.
    """

    label: str
    addresses: tuple[int, ...]
    least: int
    most: int
    span: Span

    def __str__(self) -> str:
        """As the contract writes it: ``@step 4..8``."""
        number = f"{self.most}" if self.least == 0 else f"{self.least}..{self.most}"
        return f"{self.label} {number}"


@dataclass(frozen=True)
class Contract:
    """The header block of a routine.

    ``stack`` is the most bytes of stack the routine uses below its return
    address, None when it makes no claim. ``cycles`` are clock cycles (SM83:
    M-cycles) from the first instruction to the return inclusive, None for no claim;
    ``constant_cycles`` says that they are the same for all inputs.

    All of ``requires`` holds when the routine is entered, all of ``ensures`` after its return.
    ``secrets`` are inputs on which no branch and no address depends. ``volatile`` is the memory
    that others write, ports above all: a read brings any value, whatever was written.
    ``assertions`` hold at their places like invariants, but do not cut loops. ``kind`` is one of
    KINDS: an interrupt enters a handler, which returns to the interrupted code. ``span`` is the
    block's first line; ``budget`` is the limit for calls, which checked calls do not compare: the
    clock of a machine gives the length of frames. ``changing`` is the memory that is assumed to
    change by itself, so that a loop that waits for it ends: ports, and bytes that interrupts write,
    which are in ``volatile`` as well. ``pointers`` lead to blocks that none of the lists has: where
    they are depends on the call (romproof.contract.reading.pointers). ``places`` has the line of
    each field that is written, the first one's of a field that is repeated.
    """

    name: str
    summary: str
    inputs: tuple[Item, ...]
    outputs: tuple[Item, ...]
    clobbers: tuple[Item, ...]
    stack: int | None
    cycles: CycleClaim | None
    span: Span
    places: tuple[tuple[str, Span], ...] = ()
    requires: tuple[Condition, ...] = ()
    ensures: tuple[Condition, ...] = ()
    invariants: tuple[Invariant, ...] = ()
    loops: tuple[LoopBound, ...] = ()
    secrets: tuple[Item, ...] = ()
    constant_cycles: bool = False
    decreases: tuple[Decrease, ...] = ()
    volatile: tuple[MemoryRange, ...] = ()
    kind: str = ROUTINE
    budget: Budget | None = None
    assertions: tuple[Invariant, ...] = ()
    changing: tuple[AssumedChange, ...] = ()
    pointers: tuple[Pointer, ...] = ()

    def entry(self, abi: Abi) -> Abi:
        """How the code is entered, given how routines are called."""
        return abi.handler if self.kind == INTERRUPT else abi

    # What every call asks for is worked out once.

    @cached_property
    def _places(self) -> Mapping[str, Span]:
        return dict(self.places)

    @cached_property
    def _changing(self) -> frozenset[str]:
        listed = (*self.outputs, *self.clobbers)
        return frozenset(item.name for item in listed if not isinstance(item, MemoryRange))

    @cached_property
    def written_addresses(self) -> frozenset[int]:
        """The addresses of ``written``."""
        return frozenset(a for memory in self.written() for a in memory.addresses())

    @cached_property
    def written_ranges(self) -> tuple[tuple[int, int], ...]:
        """The ranges of ``written``: the first address, and the one after the last."""
        return tuple((m.address, m.address + m.size) for m in self.written())

    @cached_property
    def input_addresses(self) -> frozenset[int]:
        """The addresses of inputs, ports among them."""
        ranges = [item for item in self.inputs if isinstance(item, MemoryRange)]
        return frozenset(a for item in (*ranges, *self.volatile) for a in item.addresses())

    @cached_property
    def input_names(self) -> frozenset[str]:
        """The names of the registers and flags that are inputs."""
        return frozenset(i.name for i in self.inputs if not isinstance(i, MemoryRange))

    @cached_property
    def coming_out(self) -> frozenset[str]:
        """The names of the registers and flags that are outputs."""
        return frozenset(o.name for o in self.outputs if not isinstance(o, MemoryRange))

    def says(self, field: str) -> bool:
        """Whether a field is written."""
        return field in self._places

    def place(self, field: str) -> Span:
        """The line of ``field``, or the block's first line if it is not written."""
        return self._places.get(field, self.span)

    def may_change(self, item: Register | Flag) -> bool:
        """True if a register or flag is listed as output or clobbered."""
        return item.name in self._changing

    def may_change_inside(self, item: Register | Flag) -> bool:
        """True if a register or flag may have another value until the code ends: a handler saves
        those that it does not list, and uses them."""
        return self.kind == INTERRUPT or self.may_change(item)

    def written(self) -> tuple[MemoryRange, ...]:
        """The memory the routine may change."""
        return tuple(i for i in self.outputs + self.clobbers if isinstance(i, MemoryRange))
