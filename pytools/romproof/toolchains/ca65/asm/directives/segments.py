"""Segments and the program counter: ``.segment``, ``.code``, ``.org`` and kin."""

from __future__ import annotations

from collections.abc import Callable

from romproof.toolchains.ca65.asm.address_sizes import optional_address_size
from romproof.toolchains.ca65.asm.assembly import Assembly
from romproof.toolchains.ca65.asm.tokens import STRING, as_text


def _segment(asm: Assembly) -> None:
    feed = asm.feed
    if not feed.at(STRING):
        feed.error_skip("String constant expected")
        return
    name = as_text(feed.tok.text)
    feed.next()
    asm.segments.use(name, optional_address_size(asm.feed, asm.settings.cpu))


def _use_segment(name: str) -> Callable[[Assembly], None]:
    return lambda asm: asm.segments.use(name)


def set_origin(asm: Assembly) -> None:
    """``.org``: from here on labels are absolute addresses."""
    address = asm.expressions.constant()
    if not 0 <= address <= 0xFFFFFF:
        asm.feed.error("Range error", asm.feed.operand, help="an address is $0000..$FFFFFF")
        return
    asm.segments.set_origin(address)


COMMANDS: dict[str, Callable[[Assembly], None]] = {
    ".bss": _use_segment("BSS"),
    ".code": _use_segment("CODE"),
    ".data": _use_segment("DATA"),
    ".null": _use_segment("NULL"),
    ".org": set_origin,
    ".popseg": lambda asm: asm.segments.pop(),
    ".pushseg": lambda asm: asm.segments.push(),
    ".reloc": lambda asm: asm.segments.set_origin(None),
    ".rodata": _use_segment("RODATA"),
    ".segment": _segment,
    ".zeropage": _use_segment("ZEROPAGE"),
}
