"""The messages of engines that must not go on; ``{at}`` is the instruction's address."""

from __future__ import annotations

from romproof.engine.protocol import EngineFault, FaultKind, RefusedWrite
from romproof.engine.stack import Move
from romproof.isa.cpu import Cpu
from romproof.isa.flow import Flow
from romproof.isa.model import Opcode


class CpuFault(Exception):
    """Inside an instruction: what is wrong. The engine adds where. ``write`` is what was refused
    where that is a write."""

    def __init__(self, kind: FaultKind, sentence: str, write: RefusedWrite | None = None) -> None:
        self.kind = kind
        self.write = write
        self.sentence = sentence
        super().__init__(sentence)


def jam(opcode: Opcode) -> CpuFault:
    """The opcode stops the CPU for good."""
    return CpuFault(
        FaultKind.JAM,
        f"opcode ${opcode.byte:02X} '{opcode.syntax}' at {{at}} stops the processor; data may "
        f"have been executed",
    )


def brk() -> CpuFault:
    """BRK where it is not expected."""
    return CpuFault(
        FaultKind.BRK,
        "BRK at {at}: a crash, or memory that was never written; in a test allow_brk=True executes "
        "BRK if the program has a handler",
    )


def rom_write(address: int, value: int) -> CpuFault:
    """A write to protected memory."""
    write = RefusedWrite(address, value)
    return CpuFault(FaultKind.ROM_WRITE, write.describe("which is read-only"), write)


# The stack pointer is called ``name`` and has ``digits`` hexadecimal ones: S 2, SP 4.


def overflow(name: str = "S", digits: int = 2) -> CpuFault:
    """A push onto a full stack."""
    size = f"{16**digits:,} bytes are in use"
    return CpuFault(
        FaultKind.STACK_OVERFLOW,
        f"the stack overflows at {{at}}: {size} and {name} would wrap to ${'F' * digits}",
    )


def underflow(top: int, name: str = "S", digits: int = 2) -> CpuFault:
    """A pull of what the caller pushed; ``top`` was the stack pointer before the call."""
    return CpuFault(
        FaultKind.STACK_UNDERFLOW,
        f"the instruction at {{at}} pulls more than was pushed: "
        f"{name} is ${top:0{digits}X}, its value before the call",
    )


def set_above(opcode: Opcode, s: int, top: int, name: str = "S", digits: int = 2) -> CpuFault:
    """The stack pointer is set to ``s``, above what it was before the call."""
    return CpuFault(
        FaultKind.STACK_UNDERFLOW,
        f"{opcode.syntax} at {{at}} sets {name} to ${s:0{digits}X}, above its value before the "
        f"call, ${top:0{digits}X}",
    )


def check_stack(
    cpu: Cpu, number: int, move: Move, before: int, after: int, top: int
) -> CpuFault | None:
    """What is wrong with a stack pointer that microcode ``number`` moved, ``top`` its limit.

    Pushing must not wrap around; nothing else may lead above ``top``, or past the highest
    address to a low one.
    """
    name, digits = cpu.stack.upper(), cpu.registers[cpu.stack] // 4
    if move is Move.PUSH:
        return overflow(name, digits) if after > before else None
    if move is Move.PULL:
        return underflow(top, name, digits) if after > top or after < before else None
    return set_above(cpu.opcodes[number], after, top, name, digits) if after > top else None


def make_outside_fault(engine: str, opcode: Opcode, pc: int, last: int) -> EngineFault:
    """Execution came to ``pc``, where nothing is, after ``opcode`` at ``last``."""
    came = "" if pc == last else ", after the instruction at {at}"
    if came and opcode.flow is Flow.RETURN:
        came += ", which pulled an address that no call pushed: check that pushes and pulls balance"
    return EngineFault(
        FaultKind.OUTSIDE,
        engine,
        last,
        opcode.byte,
        f"execution leaves the program: nothing was loaded at ${pc:04X}{came}",
    )
