"""Executed instructions in the form of the logs that others write.

For the 6502 that is nestest.log, without the column of the picture unit: ``C5F7  86 00     STX $00
= 00                    A:00 X:00 Y:00 P:26 SP:FD CYC:12``. For the SM83 it is what gameboy-doctor
reads: ``A:01 F:B0 B:00 C:13 D:00 E:D8 H:01 L:4D SP:FFFE PC:0100 PCMEM:00,C3,13,02``. Registers are
those before the instruction. What we know besides follows after a semicolon.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from romproof.engine.protocol import Engine
from romproof.harness.replay.instructions import disassemble_step
from romproof.harness.replay.trace import Look, TraceStep, read_ahead
from romproof.isa.abi import MOS6502, Abi, abi_of
from romproof.isa.codec import Instruction, decode
from romproof.isa.flow import Flow
from romproof.isa.model import OpcodeVariant
from romproof.program.image import Image

_NAMES = {"isc": "ISB"}
"""Undocumented instructions that nestest.log calls otherwise."""
_NOT_READ = (Flow.JUMP, Flow.CALL)


def operands_of(cpu: str) -> Look | None:
    """What says of the next instruction of code for ``cpu`` what its operand comes to; None for the
    SM83, whose log does not have that. Raises NoAbi."""
    abi = abi_of(cpu)
    return partial(operand_of, abi=abi) if abi.is_6502 else None


def operand_of(engine: Engine, abi: Abi = MOS6502) -> str:
    """The next instruction of a 6502 with what its operand comes to, as nestest.log writes it:
    ``LDA ($80,X) @ 80 = 0200 = 5A``, with an asterisk before an undocumented one."""
    registers, peek = engine.registers, engine.space.peek
    pc: int = registers.pc
    instruction = decode(read_ahead(engine, pc), pc, abi.cpu)
    if instruction is None:
        return ""
    opcode = instruction.opcode
    official = opcode.variant is OpcodeVariant.DOCUMENTED and opcode.canonical
    name = _NAMES.get(opcode.mnemonic, opcode.mnemonic.upper())
    text = _operand(instruction, registers, peek, abi)
    return f"{' ' if official else '*'}{name} {text}".rstrip()


def _operand(
    instruction: Instruction, registers: object, peek: Callable[[int], int], abi: Abi
) -> str:
    opcode, value = instruction.opcode, instruction.operand
    x: int = registers.x  # type: ignore[attr-defined]
    y: int = registers.y  # type: ignore[attr-defined]

    def pointer(at: int) -> int:
        return peek(at) | peek(at + 1 & 0xFF) << 8

    match opcode.mode:
        case "#n8":
            return f"#${value:02X}"
        case "a8":
            return f"${value:02X} = {peek(value):02X}"
        case "a8,x" | "a8,y":
            at = value + (x if opcode.mode[-1] == "x" else y) & 0xFF
            return f"${value:02X},{opcode.mode[-1].upper()} @ {at:02X} = {peek(at):02X}"
        case "a16" if opcode.flow in _NOT_READ:
            return f"${value:04X}"
        case "a16":
            return f"${value:04X} = {peek(value):02X}"
        case "a16,x" | "a16,y":
            at = value + (x if opcode.mode[-1] == "x" else y) & 0xFFFF
            return f"${value:04X},{opcode.mode[-1].upper()} @ {at:04X} = {peek(at):02X}"
        case "(a8,x)":
            at = value + x & 0xFF
            to = pointer(at)
            return f"(${value:02X},X) @ {at:02X} = {to:04X} = {peek(to):02X}"
        case "(a8),y":
            base = pointer(value)
            at = base + y & 0xFFFF
            return f"(${value:02X}),Y = {base:04X} @ {at:04X} = {peek(at):02X}"
        case "(a8)":
            to = pointer(value)
            return f"(${value:02X}) = {to:04X} = {peek(to):02X}"
        case "(a16)":
            following = value + 1 & 0xFFFF
            if abi.jump_wraps:
                following = value & 0xFF00 | following & 0xFF
            return f"(${value:04X}) = {peek(value) | peek(following) << 8:04X}"
        case "(a16,x)":
            at = value + x & 0xFFFF
            return f"(${value:04X},X) @ {at:04X} = {peek(at) | peek(at + 1 & 0xFFFF) << 8:04X}"
        case "a8,e8":
            at = value & 0xFF
            return f"${at:02X},${instruction.target:04X} = {peek(at):02X}"
        case "e8":
            return f"${instruction.target:04X}"
    return opcode.mode.upper()


def log_line(image: Image, step: TraceStep) -> str:
    """A step as a line of the log of its CPU; ``operand_of`` must have been the Look, for the
    6502 and its kin."""
    abi = abi_of(image.cpu)
    if not step.is_instruction:
        what = "an interrupt sequence" if step.accesses else "the CPU waits"
        what = f"the stub of {step.stub}" if step.stub else what
        return f"; {what}, {abi.cycle} {step.cycle}"
    line = _line_6502(step, abi) if abi.is_6502 else _line_sm83(step, abi)
    more = [] if abi.is_6502 else [f"{abi.cycle} {step.cycle}", disassemble_step(image, step, abi)]
    more += [text for text in (image.format_address(step.address), _place(image, step)) if text]
    if step.cycles is None:
        more.append("(refused)")
    return f"{line}  ; {'  '.join(more)}" if more else line


def _line_6502(step: TraceStep, abi: Abi) -> str:
    r = step.before
    size = _size(step, abi)
    return (
        f"{step.address:04X}  {step.data[:size].hex(' ').upper():<8} {step.note:<33}"
        f"A:{r.a:02X} X:{r.x:02X} Y:{r.y:02X} "  # type: ignore[attr-defined]
        f"P:{r.p:02X} SP:{r.s:02X} CYC:{step.cycle}"  # type: ignore[attr-defined]
    )


def _line_sm83(step: TraceStep, abi: Abi) -> str:
    values = " ".join(f"{name.upper()}:{abi.get(step.before, name):02X}" for name in "afbcdehl")
    memory = ",".join(f"{byte:02X}" for byte in step.data)
    return f"{values} SP:{abi.stack_of(step.before):04X} PC:{step.address:04X} PCMEM:{memory}"


def _size(step: TraceStep, abi: Abi) -> int:
    instruction = decode(step.data, step.address, abi.cpu)
    return instruction.opcode.size if instruction is not None else 1


def _place(image: Image, step: TraceStep) -> str:
    line = image.line_at(step.address)
    return f"{line.span.source.name}:{line.span.line}" if line is not None else ""
