"""What every call of a routine must leave alone, worked out once for its contract."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import attrgetter

from romproof.contract.nouns.model import Contract
from romproof.isa.abi import Abi, Flag, Register

_MAX = 4096
_LAST = 0x10000
"""One more than the highest address."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What comes back as it was, entered as ``abi`` says: ``registers``, the bits ``flags`` of the
    flag byte, the stack pointer if ``balanced``. ``memory`` is what is not written: ranges, each
    with its first address and the one after its last. ``usual`` are flags with a value that they
    always have when the routine is entered, ``usual_bits`` their bits in the flag byte and what
    these are. ``values`` are those registers of a state that have
    to come back, for a look at all of them at once; None for handlers of interrupts."""

    abi: Abi
    registers: tuple[Register, ...]
    flags: int
    balanced: bool
    memory: tuple[tuple[int, int], ...]
    usual: tuple[tuple[Flag, int], ...]
    usual_bits: tuple[int, int]
    values: Callable[[object], object] | None


_known: dict[tuple[int, int], tuple[Contract, Abi, Kept]] = {}
"""By identity: contract and Abi are held here, so no others have theirs."""


def find_kept(contract: Contract, called: Abi) -> Kept:
    """What calls keep that are made as ``called`` says of routines."""
    known = _known.get((id(contract), id(called)))
    if known is None:
        if len(_known) >= _MAX:
            _known.clear()
        known = _known[id(contract), id(called)] = contract, called, _find_kept(contract, called)
    return known[2]


def usual_flags(contract: Contract, abi: Abi) -> dict[Flag, int]:
    """Flags with a value they always have when the routine is entered: the 6502's D is clear.

    A contract that lists such a flag as an input takes any value of it.
    """
    return {
        flag: int(bool(abi.poison[abi.flag_byte] & flag.mask))
        for flag in abi.flags
        if flag.letter in abi.not_inverted and flag.name not in contract.input_names
    }


def _find_kept(contract: Contract, called: Abi) -> Kept:
    abi = contract.entry(called)
    registers = tuple(r for r in abi.registers if not contract.may_change(r))
    usual = tuple(usual_flags(contract, called).items())
    return Kept(
        abi,
        registers,
        sum(flag.mask for flag in abi.flags if not contract.may_change(flag)),
        not contract.may_change(abi.stack_pointer),
        tuple(_between(contract.written_ranges)),
        usual,
        (sum(f.mask for f, _ in usual), sum(f.mask for f, value in usual if value)),
        None if abi.by_interrupt or abi.pushes_flags else _values(abi, registers),
    )


def _values(abi: Abi, registers: Iterable[Register]) -> Callable[[object], object]:
    """What the values of these registers are made of (see Abi.get)."""
    names = [register.attribute for register in registers]
    names += [abi.delayed[name][0] for name in names if name in abi.delayed]
    return attrgetter(*names) if names else lambda registers: None


def _between(ranges: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    """What some ranges leave of the address space."""
    start = 0
    for low, high in sorted(ranges):
        if low > start:
            yield start, low
        start = max(start, high)
    if start < _LAST:
        yield start, _LAST
