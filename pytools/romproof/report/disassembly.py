"""Bytes as source that assembles to the same bytes again: ca65's, or RGBDS's for the SM83.

The disassembler goes straight through the bytes and takes all of them for
code. What its assembler would not turn into the same bytes is written as
data with the meaning in the comment: undocumented opcodes, opcodes with
the syntax of another one, an instruction cut off by the end, a branch across
the end of the address space.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from romproof.isa.abi import instructions_of
from romproof.isa.codec import Instruction, decode, format_cycles, format_instruction
from romproof.isa.flow import Flow
from romproof.isa.load import load
from romproof.isa.model import OpcodeVariant
from romproof.text.errors import RomproofError

_ADDRESSES = 0x10000
_FLOW = (Flow.JUMP, Flow.CALL, Flow.BRANCH)
LabelsByAddress = Mapping[int, str]


@dataclass(frozen=True, slots=True)
class AssemblerSyntax:
    """How an assembler for ``cpu`` writes things.

    ``data`` is its command for bytes; ``reserved`` are words that cannot be labels, besides
    the mnemonics; ``longer`` are mnemonics that it turns into more bytes than the chip needs.
    ``sizes_by_value`` says that the value of an operand decides between one byte and two.
    ``name`` is what a source calls the CPU.
    """

    cpu: str
    data: str
    reserved: frozenset[str]
    longer: frozenset[str] = frozenset()
    sizes_by_value: bool = False
    name: str = "6502"


CA65 = AssemblerSyntax("mos6502", ".byte", frozenset(("a", "x", "y", "s")), sizes_by_value=True)


_LONGEST = 4
"""Bytes of an instruction, at most."""


class DoesNotFit(RomproofError):
    """The bytes do not lie within the 64 KiB the processor can address."""


@dataclass(frozen=True, slots=True)
class DisassemblyRow:
    """One line: ``data`` at ``address``, its ``source`` and cycles ("" for data).

    ``label`` stands in front of it; ``note`` is what a line of data means.
    """

    address: int
    data: bytes
    label: str | None
    source: str
    cycles: str
    note: str


@dataclass(frozen=True, slots=True)
class Disassembly:
    """``equates`` are named addresses that no row begins at: (name, value)."""

    start: int
    rows: tuple[DisassemblyRow, ...]
    equates: tuple[tuple[str, int], ...]
    cpu: str = "6502"


def ca65_for(cpu: str) -> AssemblerSyntax:
    """ca65's dialect for a CPU with a name of its own there. Raises NoAbi."""
    return replace(CA65, cpu=instructions_of(cpu), name=cpu)


def disassemble(
    data: bytes,
    start: int,
    labels: LabelsByAddress,
    dialect: AssemblerSyntax = CA65,
    prefix: str = "L",
) -> Disassembly:
    """The instructions of ``data``, whose first byte stands at ``start``.

    ``labels`` are names by address, taken over as far as the assembler can read them;
    places that are jumped to get names like ``L8000``, which begin with ``prefix``. Raises
    DoesNotFit.
    """
    if not 0 <= start < _ADDRESSES or start + len(data) > _ADDRESSES:
        raise DoesNotFit(
            f"{len(data):,} bytes from ${start:04X} do not fit into 64 KiB; "
            "choose a part with --range, or another --start"
        )
    instructions = _split(data, start, dialect)
    begins = {address for address, _ in instructions}
    names = readable_names(labels, dialect)
    names |= _jump_names(instructions, begins, names, prefix)
    inside = range(start, start + len(data))
    used: set[int] = set()
    rows: list[DisassemblyRow] = []
    for address, instruction in instructions:
        size = instruction.opcode.size if instruction else 1
        chunk = data[address - start : address - start + size]
        known = _find_name(instruction, names, inside, dialect) if instruction else {}
        rows.append(_row(address, chunk, names.get(address), instruction, known, dialect))
        used |= known.keys()
    equates = [(names[address], address) for address in sorted(used - begins)]
    return Disassembly(start, tuple(rows), tuple(equates), dialect.name)


def _jump_names(
    instructions: Sequence[tuple[int, Instruction | None]],
    begins: Set[int],
    names: LabelsByAddress,
    prefix: str,
) -> dict[int, str]:
    """Names for the places inside that are jumped to and have none yet."""
    taken = set(names.values())
    labels: dict[int, str] = {}
    for _, instruction in instructions:
        if instruction is None or "(" in instruction.opcode.mode:
            continue
        target = instruction.target
        jumps = instruction.opcode.flow in _FLOW and instruction.opcode.placeholder
        if jumps and target is not None and target in begins and target not in names:
            name = f"{prefix}{target:04X}"
            labels[target] = f"{name}_" if name in taken else name
    return labels


def _find_name(
    instruction: Instruction, names: LabelsByAddress, inside: range, dialect: AssemblerSyntax
) -> dict[int, str]:
    """The name the operand may be written with, by its address; at most one."""
    target, opcode = instruction.target, instruction.opcode
    if target is None or target not in names or not reproducible(instruction, dialect):
        return {}
    if not opcode.placeholder:
        return {}
    if not dialect.sizes_by_value:
        return {target: names[target]}
    # the assembler takes a label in the code for an absolute address, and has
    # no way to say that an indirect jump goes through an address below $100
    if opcode.placeholder == "a8" and target in inside:
        return {}
    if opcode.placeholder == "a16" and target < 0x100 and "(" in opcode.mode:
        return {}
    return {target: names[target]}


def _row(
    address: int,
    data: bytes,
    label: str | None,
    instruction: Instruction | None,
    known: LabelsByAddress,
    dialect: AssemblerSyntax,
) -> DisassemblyRow:
    as_data = f"{dialect.data} " + ", ".join(f"${byte:02x}" for byte in data)
    if instruction is None:
        first = load(dialect.cpu)[data[0]].syntax
        return DisassemblyRow(address, data, label, as_data, "", f"{first}, cut off")
    source = format_instruction(instruction, known.get)
    cycles = format_cycles(instruction.opcode.cycles, instruction.crosses)
    if not reproducible(instruction, dialect):
        return DisassemblyRow(address, data, label, as_data, cycles, source)
    return DisassemblyRow(address, data, label, source, cycles, "")


def reproducible(instruction: Instruction, dialect: AssemblerSyntax = CA65) -> bool:
    """True if an assembler makes the same bytes of the printed instruction."""
    opcode = instruction.opcode
    if opcode.mnemonic in dialect.longer:
        return False
    if opcode.variant not in (OpcodeVariant.DOCUMENTED, OpcodeVariant.STOP) or not opcode.canonical:
        return False
    if opcode.placeholder in ("e8", "a8,e8") and opcode.flow in _FLOW:
        far = instruction.operand >> 8 * (opcode.size - 2)
        distance = (far ^ 0x80) - 0x80
        return 0 <= instruction.address + opcode.size + distance < _ADDRESSES
    if opcode.placeholder in ("e16", "d16"):
        distance = (instruction.operand ^ 0x8000) - 0x8000
        end = instruction.address + opcode.size - (opcode.placeholder == "d16")
        return 0 <= end + distance < _ADDRESSES
    return True


def readable_names(labels: LabelsByAddress, dialect: AssemblerSyntax = CA65) -> dict[int, str]:
    """``labels`` with names that the assembler accepts, each of them once."""
    names: dict[int, str] = {}
    taken = {opcode.mnemonic for opcode in load(dialect.cpu)} | dialect.reserved
    for address, label in sorted(labels.items()):
        name = re.sub(r"\W", "_", label.lstrip("@").replace("::", "_"), flags=re.ASCII)
        if not name or name[0].isdigit():
            name = f"_{name}"
        if name.lower() in taken:
            name = f"{name}_{address:04X}"
        taken.add(name.lower())
        names[address] = name
    return names


def format_disassembly(disassembly: Disassembly, title: str) -> str:
    """The disassembly as a source file; ``title`` is its first comment."""
    size = sum(len(row.data) for row in disassembly.rows)
    lines = [
        f"; {title}",
        "; assembles to the same bytes with a linker configuration of these two lines:",
        f"; MEMORY {{ ROM: start = ${disassembly.start:04X}, size = ${size:04X}, file = %O; }}",
        "; SEGMENTS { CODE: load = ROM, type = ro; }",
        "",
        f'.setcpu "{disassembly.cpu}"',
    ]
    lines += [f"{name} := ${value:04x}" for name, value in disassembly.equates]
    lines += [f".org ${disassembly.start:04x}", "", *format_rows(disassembly.rows)]
    return "\n".join(lines) + "\n"


def format_rows(rows: Sequence[DisassemblyRow]) -> list[str]:
    """The lines of source: labels and instructions; addresses, bytes and cycles as comments."""
    lines: list[str] = []
    for row in rows:
        if row.label:
            lines.append(f"{row.label}:")
        comment = (
            f"; {row.address:04X}  {row.data.hex(' ').upper():<8}  {row.cycles:<5}  {row.note}"
        )
        lines.append(f"        {row.source:<24}{comment}".rstrip())
    return lines


def _split(
    data: bytes, start: int, dialect: AssemblerSyntax
) -> list[tuple[int, Instruction | None]]:
    """Instructions one after the other; None where bytes of one are missing."""
    parts: list[tuple[int, Instruction | None]] = []
    offset = 0
    while offset < len(data):
        instruction = decode(data[offset : offset + _LONGEST], start + offset, dialect.cpu)
        parts.append((start + offset, instruction))
        offset += instruction.opcode.size if instruction else 1
    return parts
