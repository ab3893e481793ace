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
from romproof.harness.instructions import disassembled
from romproof.harness.trace import Step, ahead
from romproof.isa.abi import Abi, Family, abi_of
from romproof.isa.codec import Instruction, decode
from romproof.isa.flow import Flow
from romproof.isa.model import Variant
from romproof.program.image import Image

_NAMES = {"isc": "ISB"}
"""Undocumented instructions that nestest.log calls otherwise."""
_NOT_READ = (Flow.JUMP, Flow.CALL)


def operands_of(abi: Abi) -> Callable[[Engine], str] | None:
    """What says what the operand of the next instruction comes to; None where the log of a CPU
    does not have it."""
    return partial(_shown, abi) if abi.family is Family.MOS6502 else None


def _shown(abi: Abi, engine: Engine) -> str:
    """The 6502's next instruction with what its operand comes to, as nestest.log writes it:
    ``LDA ($80,X) @ 80 = 0200 = 5A``, with an asterisk before an undocumented one."""
    registers, peek = engine.registers, engine.space.peek
    pc: int = registers.pc
    instruction = decode(ahead(engine, pc), pc, abi.cpu)
    if instruction is None:
        return ""
    opcode = instruction.opcode
    official = opcode.variant is Variant.DOCUMENTED and opcode.canonical
    name = _NAMES.get(opcode.mnemonic, opcode.mnemonic.upper())
    text = _operand(instruction, abi, registers, peek)
    return f"{' ' if official else '*'}{name} {text}".rstrip()


def _operand(
    instruction: Instruction, abi: Abi, registers: object, peek: Callable[[int], int]
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
            above = value + 1 & 0xFFFF
            if abi.jumps_within_page:
                above = value & 0xFF00 | above & 0xFF
            return f"(${value:04X}) = {peek(value) | peek(above) << 8:04X}"
        case "(a16,x)":
            at = value + x & 0xFFFF
            to = peek(at) | peek(at + 1 & 0xFFFF) << 8
            return f"(${value:04X},X) @ {at:04X} = {to:04X}"
        case "a8,e8":
            place = value & 0xFF
            return f"${place:02X} = {peek(place):02X},${instruction.target:04X}"
        case "e8":
            return f"${instruction.target:04X}"
    return opcode.mode.upper()


def log_line(image: Image, step: Step) -> str:
    """A step as a line of the log of its CPU; ``operands_of`` must have been the Look."""
    abi = abi_of(image.cpu)
    if not step.is_instruction:
        what = "an interrupt sequence" if step.accesses else "the CPU waits"
        what = f"the stub of {step.stub}" if step.stub else what
        return f"; {what}, {abi.cycle} {step.cycle}"
    is_6502 = abi.family is Family.MOS6502
    line = _line_6502(step, abi) if is_6502 else _line_sm83(step, abi)
    more = [] if is_6502 else [f"{abi.cycle} {step.cycle}", disassembled(image, step, abi)]
    more += [text for text in (image.named(step.address), _place(image, step)) if text]
    if step.cycles is None:
        more.append("(refused)")
    return f"{line}  ; {'  '.join(more)}" if more else line


def _line_6502(step: Step, abi: Abi) -> str:
    r = step.before
    size = _size(step, abi)
    return (
        f"{step.address:04X}  {step.data[:size].hex(' ').upper():<8} {step.note:<33}"
        f"A:{r.a:02X} X:{r.x:02X} Y:{r.y:02X} "  # type: ignore[attr-defined]
        f"P:{r.p:02X} SP:{r.s:02X} CYC:{step.cycle}"  # type: ignore[attr-defined]
    )


def _line_sm83(step: Step, abi: Abi) -> str:
    values = " ".join(f"{name.upper()}:{abi.get(step.before, name):02X}" for name in "afbcdehl")
    memory = ",".join(f"{byte:02X}" for byte in step.data)
    return f"{values} SP:{abi.stack_of(step.before):04X} PC:{step.address:04X} PCMEM:{memory}"


def _size(step: Step, abi: Abi) -> int:
    instruction = decode(step.data, step.address, abi.cpu)
    return instruction.opcode.size if instruction is not None else 1


def _place(image: Image, step: Step) -> str:
    line = image.line_at(step.address)
    return f"{line.span.source.name}:{line.span.line}" if line is not None else ""
