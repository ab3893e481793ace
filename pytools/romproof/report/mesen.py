"""Executed instructions in the default format of the trace logger of Mesen 2.

On the NES ``8005  LDA $0300,X [$0302] = $5A      A:00 X:02 Y:00 S:FD P:nv--dIZc V:0   H:36 ``, on
the Game Boy ``0150  LD A, (HL) [$C000] = $5A       A:01 B:00 C:13 D:00 E:D8 F:ZnHC HL:C000 S:FFFE
V:0   H:112``. Registers, memory and the place in the picture are those before the instruction.
There is a line for each instruction, and none for interrupts and cycles of HALT.

Source: github.com/SourMesen/Mesen2 at fabc9a6217. What is in a line is put together by
``GetAutoFormat`` of UI/Debugger/ViewModels/TraceLoggerViewModel.cs with the defaults of
UI/Config/Debugger/TraceLoggerCpuConfig.cs, without labels: ``[Disassembly][EffectiveAddress]
[MemoryValue,h][Align,38] `` and the registers. Core/Debugger/BaseTraceLogger.h writes it;
instructions and addresses are those of NesDisUtils.cpp and GameboyDisUtils.cpp.

Lines and dots are those of our machines. The dots of a Game Boy's line are counted as Mesen counts
them; its LCD is where our boot ROM leaves it. In Mesen the PPU of an NES is six dots further on
when the program begins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from romproof.harness.replay.trace import read_ahead
from romproof.isa.codec import Instruction, decode
from romproof.isa.flow import Flow
from romproof.isa.model import OpcodeVariant
from romproof.machine.board import Board
from romproof.machine.nes.machine import Nes

_WIDTH = 38
"""Characters before the registers, the program counter's own included."""
_NAMES_6502 = MappingProxyType({"jam": "STP", "axs": "SBX"})
"""What instructions are called that our table calls otherwise."""
_JUMPS = (Flow.JUMP, Flow.CALL, Flow.RETURN, Flow.BRANCH, Flow.SOFTWARE_INTERRUPT)
_ALONE = ("sub", "and", "xor", "or", "cp")
"""Instructions of the SM83 that do not name A."""
_STOP = 0x10
_IO = 0xFF00


@dataclass(frozen=True, slots=True)
class MesenOperand:
    """What a line says of an instruction: its ``text``, and the ``address`` that it reads or
    writes, None for one that reaches no memory. ``is_computed``: it does not stand in the text."""

    text: str
    address: int | None = None
    is_computed: bool = False


def mesen_line(board: Board) -> str:
    """The line of the instruction that comes next on a board, an NES or a Game Boy."""
    registers: Any = board.engine.registers
    describe, state, lines = _FORMS[board.name]
    pc: int = registers.pc
    operand = describe(board, registers)
    text = operand.text
    if operand.address is not None:
        text += f" [${operand.address:04X}]" if operand.is_computed else ""
        text += f" = ${board.peek(operand.address):02X}"
    line, dot = board.beam()
    return (
        f"{f'{pc:04X}  {text}':<{_WIDTH}} {state(registers)} V:{lines(board, line):<3} H:{dot:<3}"
    )


# ---------------------------------------------------------------- NES


def _describe_6502(board: Board, r: Any) -> MesenOperand:
    pc, peek = r.pc, board.peek
    instruction = decode(read_ahead(board.engine, pc), pc, "ricoh2a03")
    assert instruction is not None, "the 6502 has 256 opcodes"
    opcode, value = instruction.opcode, instruction.operand
    name = _NAMES_6502.get(opcode.mnemonic, opcode.mnemonic.upper())

    def pointer(at: int) -> int:
        return peek(at) | peek(at + 1 & 0xFF) << 8

    match opcode.mode:
        case "#n8":
            return MesenOperand(f"{name} #${value:02X}")
        case "e8":
            return MesenOperand(f"{name} ${instruction.target:04X}")
        case "a16" if opcode.flow in _JUMPS:
            return MesenOperand(f"{name} ${value:04X}")
        case "a8":
            return MesenOperand(f"{name} ${value:02X}", value)
        case "a16":
            return MesenOperand(f"{name} ${value:04X}", value)
        case "a8,x" | "a8,y":
            at = value + (r.x if opcode.mode[-1] == "x" else r.y) & 0xFF
            return MesenOperand(f"{name} ${value:02X},{opcode.mode[-1].upper()}", at, True)
        case "a16,x" | "a16,y":
            at = value + (r.x if opcode.mode[-1] == "x" else r.y) & 0xFFFF
            return MesenOperand(f"{name} ${value:04X},{opcode.mode[-1].upper()}", at, True)
        case "(a8,x)":
            return MesenOperand(f"{name} (${value:02X},X)", pointer(value + r.x & 0xFF), True)
        case "(a8),y":
            return MesenOperand(f"{name} (${value:02X}),Y", pointer(value) + r.y & 0xFFFF, True)
        case "(a16)":
            high = peek(value & 0xFF00 | value + 1 & 0xFF)
            return MesenOperand(f"{name} (${value:04X})", peek(value) | high << 8, True)
    return MesenOperand(f"{name} {opcode.mode.upper()}")


def _state_6502(r: Any) -> str:
    flags = _flags(r.p, "NV--DIZC")
    return f"A:{r.a:02X} X:{r.x:02X} Y:{r.y:02X} S:{r.s:02X} P:{flags}"


def _line_of_nes(board: Board, line: int) -> int:
    """The line before the picture has the number -1."""
    assert isinstance(board, Nes), "other machines have other lines"
    return line if line < board.region.lines - 1 else -1


# ---------------------------------------------------------------- Game Boy


def _describe_sm83(board: Board, r: Any) -> MesenOperand:
    pc = r.pc
    data = read_ahead(board.engine, pc)
    instruction = decode(data, pc, "sm83")
    if instruction is None or instruction.opcode.variant is OpcodeVariant.JAM:
        return MesenOperand(f"ILL_{data[0]:02X}")
    if data[0] == _STOP:
        return MesenOperand(f"STOP ${data[1]:02X}")
    opcode, value = instruction.opcode, instruction.operand
    mode = opcode.mode.removeprefix("a, ") if opcode.mnemonic in _ALONE else opcode.mode
    parts = [_part_sm83(instruction, part) for part in mode.split(", ")]
    name = "LD" if "[c]" in mode else opcode.mnemonic.upper()
    text = f"{name} {', '.join(parts)}".rstrip()
    if opcode.flow in _JUMPS:
        return MesenOperand(text)
    computed = {"[bc]": r.b << 8 | r.c, "[de]": r.d << 8 | r.e, "[c]": _IO | r.c}
    computed |= dict.fromkeys(("[hl]", "[hl+]", "[hl-]"), r.h << 8 | r.l)
    for part in mode.split(", "):
        if part in computed:
            return MesenOperand(text, computed[part], True)
    if "[a8]" in mode:
        return MesenOperand(text, _IO | value)
    if "[a16]" in mode:  # of two bytes that are written the second is shown
        return MesenOperand(text, value + ("sp" in mode) & 0xFFFF)
    return MesenOperand(text)


def _part_sm83(instruction: Instruction, part: str) -> str:
    opcode, value = instruction.opcode, instruction.operand
    match part:
        case "[c]":
            return "($FF00+C)"
        case "[a8]":
            return f"(${_IO | value:04X})"
        case "[a16]":
            return f"(${value:04X})"
        case "a16" | "n16":
            return f"${value:04X}"
        case "n8":
            return f"${value:02X}"
        case "e8" if opcode.flow in _JUMPS:
            return f"${instruction.target:04X}"
        case "e8":
            return f"${value & 0xFF:02X}"
        case "sp + e8":
            return f"SP+${value & 0xFF:02X}"
    if part.startswith("$"):
        return f"{part[1:]}H"
    return part.replace("[", "(").replace("]", ")").upper()


def _state_sm83(r: Any) -> str:
    flags = _flags(r.f, "ZNHC")
    return (
        f"A:{r.a:02X} B:{r.b:02X} C:{r.c:02X} D:{r.d:02X} E:{r.e:02X} F:{flags} "
        f"HL:{r.h:02X}{r.l:02X} S:{r.sp:04X}"
    )


def _line_as_is(board: Board, line: int) -> int:
    return line


def _flags(byte: int, letters: str) -> str:
    """Flags from bit 7 down, in capitals those that are set."""
    return "".join(
        letter if byte & 0x80 >> place else letter.lower() for place, letter in enumerate(letters)
    )


_Form = tuple[
    Callable[[Board, Any], MesenOperand], Callable[[Any], str], Callable[[Board, int], int]
]
_FORMS: Mapping[str, _Form] = MappingProxyType(
    {
        "nes": (_describe_6502, _state_6502, _line_of_nes),
        "gameboy": (_describe_sm83, _state_sm83, _line_as_is),
    }
)
MESEN_MACHINES = tuple(_FORMS)
"""The machines here of which there are lines."""
