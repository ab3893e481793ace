"""Which instructions a program has, found by following its code, each specialised to its place.

An instruction in place knows its address and its operand. Most of what it computes is then
known: addresses, the target of a jump, the two targets of a branch.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from romproof.isa.algebra import Op, Value, const, input_of, register
from romproof.isa.cpu import Cpu
from romproof.isa.cpus import cpu_named
from romproof.isa.flow import Flow
from romproof.isa.microcode import NOTHING, Microcode, MicroStep, StepKind, specialise


@dataclass(frozen=True, slots=True)
class PlacedInstruction:
    """An instruction at ``address``, ``size`` bytes long, which are ``data``.

    ``parts`` are its microcodes, one after the other (a prefix is one of its own); operands are
    constants in them. ``target`` is where execution goes on: constants, or chosen among
    constants by conditions, when ``targets`` holds them; otherwise known only at run time.
    """

    address: int
    size: int
    number: int
    parts: tuple[Microcode, ...]
    target: Value
    targets: tuple[int, ...] | None
    cycles: int
    data: bytes


@dataclass(frozen=True, slots=True)
class DiscoveredCode:
    """What was found: the instructions by address, and where execution may come from outside.

    ``tried`` are the heads that were asked for; some may have no instruction.
    """

    placed: Mapping[int, PlacedInstruction]
    heads: frozenset[int]
    tried: frozenset[int]


def discover(
    cpu: Cpu,
    memory: bytes,
    heads: Collection[int],
    allowed: bytes,
    most: int = 0x10000,
    loops: bool = False,
) -> DiscoveredCode:
    """Follow the code from ``heads``; ``allowed`` (64 KiB) is nonzero where it may be followed.
    It ends when there are more than ``most`` instructions.

    The instruction after a call is a head too: that is where the call returns to; with ``loops``
    also where jumps lead back to, so that a loop can be entered that the interpreter is in.
    """
    placed: dict[int, PlacedInstruction] = {}
    blocks = {head for head in heads if allowed[head]}
    work = list(blocks)
    while work and len(placed) <= most:
        address = work.pop()
        if address in placed or not allowed[address]:
            continue
        instruction = place(cpu, memory, address)
        if instruction is None or not all(
            allowed[(address + i) & 0xFFFF] for i in range(instruction.size)
        ):
            continue
        placed[address] = instruction
        work += instruction.targets or ()
        if loops:
            blocks.update(t for t in instruction.targets or () if t <= address)
        if cpu.opcodes[instruction.number].flow is Flow.CALL:
            following = (address + instruction.size) & 0xFFFF
            blocks.add(following)
            work.append(following)
    return DiscoveredCode(placed, frozenset(blocks & placed.keys()), frozenset(heads))


_LONGEST = 4
"""Bytes of an instruction, with a prefix."""


def place(cpu: Cpu, memory: bytes, address: int) -> PlacedInstruction | None:
    """The instruction at an address; None when only the interpreter can execute it."""
    data = memory[address : address + _LONGEST]
    if len(data) < _LONGEST:
        data += memory[: _LONGEST - len(data)]
    return _place(cpu.name, data, address)


@lru_cache(maxsize=1 << 15)
def _place(name: str, data: bytes, address: int) -> PlacedInstruction | None:
    """See ``place``; ``data`` is at ``address``. The same code is gone through again when more of
    it was seen, and for other devices."""
    cpu, number = cpu_named(name), data[0]
    memory = _Bytes(data, address)
    pc = (address + 1) & 0xFFFF
    parts: list[Microcode] = []
    while True:
        if number == cpu.software_interrupt:
            return None
        microcode = _in_place(cpu.microcode[number], memory, pc)
        if microcode.stop is not None or not cpu.stays_ordinary(microcode):
            return None
        if enables_interrupts(microcode):
            return None
        parts.append(microcode)
        after = microcode.result("pc") or const(pc, 16)
        if microcode.next is None:
            break
        if microcode.next.op is not Op.CONST or after.op is not Op.CONST:
            return None
        number, pc = microcode.next.number, after.number
    size = 1 + sum(step == OPERAND_READ for part in parts for step in part.steps)
    cycles = 1 + sum(part.cycles[1] for part in parts)
    return PlacedInstruction(
        address, size, number, tuple(parts), after, _constants(after), cycles, data[:size]
    )


def enables_interrupts(microcode: Microcode) -> bool:
    """Whether it may set the SM83's IME. Translated code with IME clear does not look at interrupts
    that are pending."""
    value = microcode.result("ime")
    return value is not None and not (value.op is Op.CONST and value.number == 0)


OPERAND_READ = MicroStep(StepKind.IDLE, signal="operand")
"""Stands for the read of an operand: a cycle, and no more, as the byte is known."""


class _Bytes:
    """A few bytes by their addresses."""

    def __init__(self, data: bytes, address: int) -> None:
        self._data, self._address = data, address

    def __getitem__(self, address: int) -> int:
        return self._data[(address - self._address) & 0xFFFF]


def _in_place(microcode: Microcode, memory: _Bytes, pc: int) -> Microcode:
    """The microcode with the program counter and its operands known, and no interrupts."""
    known = {register("pc", 16): const(pc, 16)}
    steps = []
    for number, step in enumerate(microcode.steps):
        if step.kind is StepKind.OPERAND:  # operands are read from the program counter on
            known[input_of(number, 8)] = const(memory[pc], 8)
            pc = (pc + 1) & 0xFFFF
            step = OPERAND_READ
        elif not step.kind.is_cycle:
            if step.kind is StepKind.SIGNAL:
                known[input_of(number, step.width)] = const(0, step.width)
            step = NOTHING
        steps.append(step)
    return specialise(replace(microcode, steps=tuple(steps)), known)


def _constants(target: Value) -> tuple[int, ...] | None:
    """All addresses a choice among constants can lead to; None when there is more to it."""
    if target.op is Op.CONST:
        return (target.number,)
    if target.op is not Op.SELECT:
        return None
    then, otherwise = (_constants(arg) for arg in target.args[1:])
    return None if then is None or otherwise is None else (*then, *otherwise)
