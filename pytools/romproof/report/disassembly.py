"""Bytes as ca65 source that assembles to the same bytes again.

The disassembler goes straight through the bytes and takes all of them for
code. What its assembler would not turn into the same bytes is written as
``.byte`` with the meaning in the comment: undocumented opcodes, opcodes with
the syntax of another one, an instruction cut off by the end, a branch across
the end of the address space.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from romproof.isa.codec import Instruction, decode, format_cycles, format_instruction
from romproof.isa.load import load
from romproof.isa.model import Variant
from romproof.text.errors import RomproofError

_ADDRESSES = 0x10000
_FLOW = frozenset(("jmp", "jsr"))
Labels = Mapping[int, str]
_RESERVED = frozenset(("a", "x", "y", "s"))


class DoesNotFit(RomproofError):
    """The bytes do not lie within the 64 KiB the processor can address."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line: ``data`` at ``address``, its ``source`` and cycles ("" for data).

    ``label`` stands in front of it; ``note`` is what a ``.byte`` line means.
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
    rows: tuple[Row, ...]
    equates: tuple[tuple[str, int], ...]


def disassemble(data: bytes, start: int, labels: Labels) -> Disassembly:
    """The instructions of ``data``, whose first byte stands at ``start``.

    ``labels`` are names by address, taken over as far as ca65 can read them;
    places that are jumped to get names like ``L8000``. Raises DoesNotFit.
    """
    if not 0 <= start < _ADDRESSES or start + len(data) > _ADDRESSES:
        raise DoesNotFit(
            f"{len(data):,} bytes from ${start:04X} do not fit into 64 KiB; "
            "choose a part with --range, or another --start"
        )
    instructions = _split(data, start)
    begins = {address for address, _ in instructions}
    names = readable_names(labels)
    names |= _jump_names(instructions, begins, names)
    inside = range(start, start + len(data))
    used: set[int] = set()
    rows: list[Row] = []
    for address, instruction in instructions:
        size = instruction.opcode.size if instruction else 1
        chunk = data[address - start : address - start + size]
        known = _known(instruction, names, inside) if instruction else {}
        rows.append(_row(address, chunk, names.get(address), instruction, known))
        used |= known.keys()
    equates = [(names[address], address) for address in sorted(used - begins)]
    return Disassembly(start, tuple(rows), tuple(equates))


def _jump_names(
    instructions: Sequence[tuple[int, Instruction | None]], begins: Set[int], names: Labels
) -> dict[int, str]:
    """Names for the places inside that are jumped to and have none yet."""
    taken = set(names.values())
    found: dict[int, str] = {}
    for _, instruction in instructions:
        if instruction is None or "(" in instruction.opcode.mode:
            continue
        target = instruction.target
        jumps = instruction.opcode.is_branch or instruction.opcode.mnemonic in _FLOW
        if jumps and target is not None and target in begins and target not in names:
            name = f"L{target:04X}"
            found[target] = f"{name}_" if name in taken else name
    return found


def _known(instruction: Instruction, names: Labels, inside: range) -> dict[int, str]:
    """The name the operand may be written with, by its address; at most one."""
    target, opcode = instruction.target, instruction.opcode
    if target is None or target not in names or not reproducible(instruction):
        return {}
    # the assembler takes a label in the code for an absolute address, and has
    # no way to say that an indirect jump goes through an address below $100
    if opcode.placeholder == "a8" and target in inside:
        return {}
    if opcode.placeholder == "a16" and target < 0x100 and "(" in opcode.mode:
        return {}
    return {target: names[target]}


def _row(
    address: int, data: bytes, label: str | None, instruction: Instruction | None, known: Labels
) -> Row:
    if instruction is None:
        return Row(address, data, label, _bytes(data), "", f"{load()[data[0]].syntax}, cut off")
    source = format_instruction(instruction, known.get)
    cycles = format_cycles(instruction.opcode.cycles, instruction.crosses)
    if not reproducible(instruction):
        return Row(address, data, label, _bytes(data), cycles, source)
    return Row(address, data, label, source, cycles, "")


def reproducible(instruction: Instruction) -> bool:
    """True if an assembler makes the same bytes of the printed instruction."""
    opcode = instruction.opcode
    if opcode.variant is not Variant.DOCUMENTED or not opcode.canonical:
        return False
    if opcode.is_branch:
        distance = (instruction.operand ^ 0x80) - 0x80
        return 0 <= instruction.address + 2 + distance < _ADDRESSES
    return True


def readable_names(labels: Labels) -> dict[int, str]:
    """``labels`` with names that ca65 accepts, each of them once."""
    names: dict[int, str] = {}
    taken = {opcode.mnemonic for opcode in load()} | _RESERVED
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
        '.setcpu "6502"',
    ]
    lines += [f"{name} := ${value:04x}" for name, value in disassembly.equates]
    lines += [f".org ${disassembly.start:04x}", ""]
    for row in disassembly.rows:
        if row.label:
            lines.append(f"{row.label}:")
        comment = (
            f"; {row.address:04X}  {row.data.hex(' ').upper():<8}  {row.cycles:<5}  {row.note}"
        )
        lines.append(f"        {row.source:<24}{comment}".rstrip())
    return "\n".join(lines) + "\n"


def _split(data: bytes, start: int) -> list[tuple[int, Instruction | None]]:
    """Instructions one after the other; None where bytes of one are missing."""
    found: list[tuple[int, Instruction | None]] = []
    offset = 0
    while offset < len(data):
        instruction = decode(data[offset : offset + 3], start + offset)
        found.append((start + offset, instruction))
        offset += instruction.opcode.size if instruction else 1
    return found


def _bytes(data: bytes) -> str:
    return ".byte " + ", ".join(f"${byte:02x}" for byte in data)
