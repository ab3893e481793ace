"""Segments and the program counter: ``.segment``, ``.code``, ``.org`` and kin."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from romproof.toolchains.ca65.asm import expressions
from romproof.toolchains.ca65.asm.tokens import STRING, as_text

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.assembler import Assembler


def _segment(asm: Assembler) -> None:
    feed = asm.feed
    if not feed.at(STRING):
        asm.error_skip("String constant expected")
        return
    name = as_text(feed.tok.text)
    feed.next()
    asm.segments.use(name, asm.optional_address_size())


def _named(name: str) -> Callable[[Assembler], None]:
    return lambda asm: asm.segments.use(name)


def set_origin(asm: Assembler) -> None:
    """``.org``: from here on labels are absolute addresses."""
    address = expressions.constant(asm)
    if not 0 <= address <= 0xFFFFFF:
        asm.error("Range error", asm.operand, help="an address is $0000..$FFFFFF")
        return
    asm.segments.set_origin(address)


COMMANDS: dict[str, Callable[[Assembler], None]] = {
    ".bss": _named("BSS"),
    ".code": _named("CODE"),
    ".data": _named("DATA"),
    ".null": _named("NULL"),
    ".org": set_origin,
    ".popseg": lambda asm: asm.segments.pop(),
    ".pushseg": lambda asm: asm.segments.push(),
    ".reloc": lambda asm: asm.segments.set_origin(None),
    ".rodata": _named("RODATA"),
    ".segment": _segment,
    ".zeropage": _named("ZEROPAGE"),
}
