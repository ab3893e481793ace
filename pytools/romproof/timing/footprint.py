"""What code may change: registers and memory, taken together over all its paths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from romproof.isa.algebra import Op, Value
from romproof.timing.effects import Formula, cell
from romproof.timing.graph import BasicBlock, Code, Step

Range = tuple[int, int]
"""The first and the last of some addresses."""

ALL_MEMORY: Range = (0, 0xFFFF)


@dataclass(frozen=True, slots=True)
class Footprint:
    """``names`` are the registers and cells that may change, and so may memory in ``ranges``.

    ``everything`` may have changed where it is not known what was executed. ``decimal`` says
    that something was computed that depends on the flag D, in the code or what it calls.
    """

    names: frozenset[str] = frozenset()
    ranges: frozenset[Range] = frozenset()
    everything: bool = False
    decimal: bool = False

    def __or__(self, other: Footprint) -> Footprint:
        return Footprint(
            self.names | other.names,
            self.ranges | other.ranges,
            self.everything or other.everything,
            self.decimal or other.decimal,
        )


UNKNOWN = Footprint(everything=True, decimal=True)


def addresses(formula: Formula) -> Range:
    """The addresses that an expression of 16 bits can be."""
    value = formula.value
    match value.op, value.args:
        case Op.CONST, _:
            return value.number, value.number
        case Op.CONCAT, (Value(op=Op.CONST, number=page), _):
            return page << 8, page << 8 | 0xFF
        case Op.ADD, (Value(op=Op.CONST, number=base), Value(op=Op.CONCAT, args=(high, _))):
            if high.op is Op.CONST and high.number == 0 and base <= 0xFF00:
                return base, base + 0xFF
    return ALL_MEMORY


def footprint_of_step(step: Step, code: Code) -> Footprint:
    """What an instruction changes; the stack pointer and what is pushed count elsewhere.

    What is written where memory does not keep it may come to be anywhere, as in a mirror.
    """
    names = {name for name, _ in step.effect.results if name != code.stack}
    ranges: set[Range] = set()
    for store in step.effect.stores:
        if store.address.needs.keys() == {code.stack}:
            continue
        low, high = addresses(store.address)
        if low != high:
            ranges.add((low, high))
        elif code.variables[low]:
            names.add(cell(low))
        else:
            ranges.add(ALL_MEMORY)
    decimal = any(code.decimal in formula.needs for _, formula in step.effect.results)
    return Footprint(frozenset(names), frozenset(ranges), False, decimal)


def footprint_of(
    blocks: Iterable[BasicBlock], callees: Mapping[int, Footprint], code: Code
) -> Footprint:
    """What some blocks and all they call may change."""
    names: set[str] = set()
    ranges: set[Range] = set()
    everything = decimal = False
    for block in blocks:
        parts = [footprint_of_step(step, code) for step in block.steps]
        parts += [callees[edge.call] for edge in block.edges if edge.call is not None]
        for one in parts:
            names |= one.names
            ranges |= one.ranges
            everything |= one.everything
            decimal |= one.decimal
    return Footprint(frozenset(names), frozenset(ranges), everything, decimal)
