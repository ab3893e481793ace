"""Programs for a C64: files of the form .prg, and where they begin."""

from __future__ import annotations

from collections.abc import Sequence

from romproof.engine.space import SIZE
from romproof.program.image import Block
from romproof.text.errors import BadInput

BASIC_START = 0x0801
_SYS = 0x9E
"""BASIC's token (Commodore 64 Programmer's Reference Guide, "BASIC keyword abbreviations")."""
_LINE_HEADER = 4
"""The address of the next line and the line's number, two bytes each."""
_DIGITS = 5


class BadProgram(BadInput):
    """Bytes that cannot be loaded into a C64."""


def blocks_of(program: bytes | Sequence[Block]) -> tuple[Block, ...]:
    """What is loaded where. ``program`` is a .prg, its address in the first two bytes, lower byte
    first, or blocks. Raises BadProgram."""
    if isinstance(program, bytes | bytearray | memoryview):
        program = (_read_prg(bytes(program)),)
    if not program:
        raise BadProgram("no blocks: a program for a C64 needs at least one")
    for block in program:
        end = block.address + len(block.data)
        if not 2 <= block.address <= end <= SIZE:
            raise BadProgram(
                f"'{block.area}': {len(block.data)} bytes at ${block.address:04X} are not in a "
                "C64's RAM, $0002 to $FFFF"
            )
    return tuple(program)


def start_of(blocks: Sequence[Block]) -> int:
    """Where a program begins: where the SYS of its line of BASIC leads, else at its first byte."""
    for block in blocks:
        if block.address == BASIC_START:
            return sys_target([block]) or block.address
    return blocks[0].address


def sys_target(blocks: Sequence[Block]) -> int | None:
    """Where the SYS of a program's line of BASIC leads; None without one."""
    basic = next((block.data for block in blocks if block.address == BASIC_START), b"")
    return _sys_target(basic)


def _read_prg(data: bytes) -> Block:
    if len(data) < 3:
        raise BadProgram(
            f"a .prg of {len(data)} bytes: it needs two for the load address and some to load"
        )
    return Block("prg", int.from_bytes(data[:2], "little"), data[2:], writable=True)


def _sys_target(basic: bytes) -> int | None:
    """The number behind the SYS with which a BASIC program begins."""
    rest = basic[_LINE_HEADER:]
    if rest[:1] != bytes([_SYS]):
        return None
    text = rest[1:].lstrip(b" (")
    digits = text[: len(text) - len(text.lstrip(b"0123456789"))][:_DIGITS]
    return int(digits) if digits and int(digits) < SIZE else None
