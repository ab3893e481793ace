"""Layouts and enumerations: ``.struct``, ``.union``, ``.enum``, ``.tag``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from romproof.program.address_size import AddressSize
from romproof.toolchains.ca65.asm import expressions
from romproof.toolchains.ca65.asm.symbols import Symbol
from romproof.toolchains.ca65.asm.tokens import CONDITIONALS, EOF, EOL, IDENT
from romproof.toolchains.ca65.obj.expr import BinaryOp, Expr, Literal

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.assembler import Assembler

_MEMBER_SIZES = {".byte": 1, ".dbyt": 2, ".word": 2, ".addr": 2, ".faraddr": 3, ".dword": 4}
MAX_SIZE = 0x1000000
MAX_DEPTH = 64
"""Structs inside structs; deeper nesting is taken for a mistake."""


def _struct(asm: Assembler) -> None:
    _layout(asm, 0, is_union=False, depth=0)


def _union(asm: Assembler) -> None:
    _layout(asm, 0, is_union=True, depth=0)


def _layout(asm: Assembler, offset: int, is_union: bool, depth: int) -> int:
    """Read a struct or union up to its end and give its size in bytes.

    Without a name its members belong to the struct around it.
    """
    feed = asm.feed
    if depth > MAX_DEPTH:
        asm.fatal("Structs are nested too deeply")
    name = feed.tok.text if feed.at(IDENT) else None
    if name is not None:
        asm.symbols.enter(name, "struct", AddressSize.ABSOLUTE)
        feed.next()
        offset = 0
    asm.end_statement()
    start = asm.statement
    size = 0
    while not feed.at(".endstruct", ".endunion", EOF):
        asm.begin_statement()
        if feed.accept(EOL):
            continue
        member: Symbol | None = None
        if feed.at(IDENT):
            macro = asm.macros.find(feed.tok.text)
            if macro is not None:
                asm.macros.expand(macro)
                continue
            member = asm.symbols.own(feed.tok.text)
            asm.define(member, Literal(offset))
            feed.next()
        offset, bytes_ = _member(asm, offset, depth)
        if member is not None:
            member.size = bytes_
        if is_union:
            size = max(size, bytes_)
        else:
            offset += bytes_
            size += bytes_
        asm.end_statement()
    if name is not None:
        asm.symbols.set_scope_size(asm.symbols.current, size)
        asm.symbols.leave()
    end = ".endunion" if is_union else ".endstruct"
    if not feed.accept(end):
        asm.error(f"'{end.upper()}' expected", notes=(("it starts", start),))
    return size


def _member(asm: Assembler, offset: int, depth: int) -> tuple[int, int]:
    """Read a storage allocator; the offset (``.org`` moves it) and its size."""
    feed = asm.feed
    kind = feed.tok.kind
    if kind in _MEMBER_SIZES:
        feed.next()
        return offset, _multiplied(asm, _MEMBER_SIZES[kind])
    match kind:
        case ".res":
            feed.next()
            if feed.at(EOL):
                asm.error_skip("Size is missing")
                return offset, 0
            return offset, _multiplied(asm, 1)
        case ".org":
            feed.next()
            return _moved(asm, offset), 0
        case ".tag":
            feed.next()
            size = _tag_size(asm, "struct/union")
            return offset, _multiplied(asm, size or 0)
        case ".struct" | ".union":
            feed.next()
            return offset, _layout(asm, offset, kind == ".union", depth + 1)
        case _ if kind in CONDITIONALS:
            asm.conditions.handle()
        case _:
            asm.error_skip(
                "Invalid storage allocator in struct/union",
                help="members are .byte .word .addr .dbyt .faraddr .dword .res .tag .struct .union",
            )
    return offset, 0


def _moved(asm: Assembler, offset: int) -> int:
    if asm.feed.at(EOL):
        asm.error_skip("Address is missing")
        return offset
    offset = expressions.constant(asm)
    if offset >= MAX_SIZE:
        asm.error_skip("Range error", asm.operand)
        return 0
    return offset


def _multiplied(asm: Assembler, size: int) -> int:
    if not asm.feed.at(EOL):
        count = expressions.constant(asm)
        if count <= 0:
            asm.error_skip("Range error", asm.operand, help="a member has at least one element")
            count = 1
        size *= count
    if size >= MAX_SIZE:
        asm.error_skip("Range error", asm.operand, help="a member is smaller than 16 megabytes")
        return 1
    return size


def _tag_size(asm: Assembler, what: str) -> int | None:
    """Read the name of a struct and give its size; None after an error."""
    scope = asm.symbols.parse_scope()
    if scope is None:
        asm.error_skip(f"Unknown {what}")
    elif scope.kind != "struct":
        asm.error_skip(f"Not a {what}")
    elif scope.size is None:
        asm.error_skip("Size of struct/union is unknown", help="it is still being defined")
    else:
        return scope.size
    return None


def _tag(asm: Assembler) -> None:
    size = _tag_size(asm, "struct")
    if size is None:
        return
    if asm.feed.accept(","):
        count = expressions.constant(asm)
        if count <= 0:
            asm.error_skip("Range error", asm.operand, help="the number of elements is at least 1")
            return
        size *= count
    asm.segments.gap(size)


def _enum(asm: Assembler) -> None:
    feed = asm.feed
    named = feed.at(IDENT)
    if named:
        asm.symbols.enter(feed.tok.text, "enum", AddressSize.ABSOLUTE)
        feed.next()
    asm.end_statement()
    start = asm.statement
    base: Expr = Literal(0)
    offset = 0
    while not feed.at(".endenum", EOF):
        asm.begin_statement()
        if feed.accept(EOL):
            continue
        if not feed.at(IDENT):
            if feed.tok.kind in CONDITIONALS:
                asm.conditions.handle()
            else:
                asm.error_skip("Identifier expected")
            continue
        macro = asm.macros.find(feed.tok.text)
        if macro is not None:
            asm.macros.expand(macro)
            continue
        member = asm.symbols.own(feed.tok.text)
        token = feed.tok
        feed.next()
        if feed.accept("="):
            base, offset = expressions.expression(asm), 0
            value = base
        else:
            value = expressions.binary(asm, BinaryOp.ADD, base, Literal(offset))
        asm.define(member, value, token=token)
        offset += 1
        asm.end_statement()
    if named:
        asm.symbols.leave()
    if not feed.accept(".endenum"):
        asm.error("'.ENDENUM' expected", notes=(("it starts", start),))


COMMANDS: dict[str, Callable[[Assembler], None]] = {
    ".enum": _enum,
    ".struct": _struct,
    ".tag": _tag,
    ".union": _union,
}
