"""What a run depends on: which registers, and which bytes of memory, it reads before it sets them.

Compiled code keeps three numbers on the way: the registers that an instruction read before any
instruction had set them, those that were set, and whether a byte was read that was marked and not
yet written. A run is a function of what it reads first and of nothing else, so with another
value in what it did not read it goes the same way and brings the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Protocol, runtime_checkable

from romproof.isa.algebra import Op, Value
from romproof.isa.cpu import Cpu
from romproof.isa.microcode import Microcode


@dataclass(frozen=True, slots=True)
class Probed:
    """``read`` are the registers and flags, a bit each (see ``register_bits``), that were read
    before they were set, ``set`` those that were set; ``memory`` says whether a marked byte was
    read before it was written."""

    read: int
    set: int
    memory: bool


@runtime_checkable
class Probing(Protocol):
    """An engine that can note this."""

    def probe(self, marked: bytes | None) -> None:
        """Note from now on what is read before it is set; ``marked`` has a byte for each address,
        1 for those that are looked for. None: nothing is noted any more. To be called between
        runs, of flat memory only."""

    @property
    def probed(self) -> Probed | None:
        """What was noted since ``probe``; None when that is not all that happened."""


@cache
def register_bits(registers: tuple[str, ...]) -> dict[str, int]:
    """The bit of each register or flag of a CPU, by its name in the microcode."""
    return {name: 1 << number for number, name in enumerate(registers)}


def footprint(cpu: Cpu, microcode: Microcode) -> tuple[int, int]:
    """The registers that a microcode reads, and those that it sets whatever they were.

    A register that keeps its value under a condition is read: it is part of its own new value.
    """
    bits = register_bits(tuple(cpu.registers))
    read = written = 0
    values: list[Value | None] = [microcode.next]
    for step in microcode.steps:
        values += [step.address, step.value, step.when]
    for name, value in microcode.results:
        if value.op is Op.REGISTER and value.name == name:
            continue
        written |= bits[name]
        values.append(value)
    for name in {n for value in values if value is not None for n in _names(value, set())}:
        read |= bits[name]
    return read, written


def _names(value: Value, seen: set[Value]) -> Iterator[str]:
    """The registers in an expression."""
    if value in seen:
        return
    seen.add(value)
    if value.op is Op.REGISTER:
        yield value.name
    for arg in value.args:
        yield from _names(arg, seen)
