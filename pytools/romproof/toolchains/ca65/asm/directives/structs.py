"""Layouts and enumerations: ``.struct``, ``.union``, ``.enum``, ``.tag``."""

from __future__ import annotations

from collections.abc import Callable

from romproof.program.address_size import AddressSize
from romproof.toolchains.ca65.asm.assembly import Assembly
from romproof.toolchains.ca65.asm.symbol import SymbolEntry
from romproof.toolchains.ca65.asm.tokens import CONDITIONALS, EOF, EOL, IDENT
from romproof.toolchains.ca65.obj.expr import BinaryOp, Expr, Literal

_MEMBER_SIZES = {".byte": 1, ".dbyt": 2, ".word": 2, ".addr": 2, ".faraddr": 3, ".dword": 4}
MAX_SIZE = 0x1000000
MAX_DEPTH = 64
"""Structs inside structs; deeper nesting is taken for a mistake."""


def _struct(asm: Assembly) -> None:
    _layout(asm, 0, is_union=False, depth=0)


def _union(asm: Assembly) -> None:
    _layout(asm, 0, is_union=True, depth=0)


def _layout(asm: Assembly, offset: int, is_union: bool, depth: int) -> int:
    """Read a struct or union up to its end and give its size in bytes.

    Without a name its members belong to the struct around it.
    """
    feed = asm.feed
    if depth > MAX_DEPTH:
        feed.fatal("Structs are nested too deeply")
    name = feed.tok.text if feed.at(IDENT) else None
    if name is not None:
        asm.symbols.enter(name, "struct", AddressSize.ABSOLUTE)
        feed.next()
        offset = 0
    feed.end_statement()
    start = feed.statement
    size = 0
    while not feed.at(".endstruct", ".endunion", EOF):
        feed.begin_statement()
        if feed.accept(EOL):
            continue
        member: SymbolEntry | None = None
        if feed.at(IDENT):
            macro = asm.macros.find(feed.tok.text)
            if macro is not None:
                asm.macros.expand(macro)
                continue
            member = asm.symbols.find_or_create(feed.tok.text)
            asm.symbols.define(member, Literal(offset))
            feed.next()
        offset, bytes_ = _member(asm, offset, depth)
        if member is not None:
            member.size = bytes_
            feed.record.note_size()
        if is_union:
            size = max(size, bytes_)
        else:
            offset += bytes_
            size += bytes_
        feed.end_statement()
    if name is not None:
        asm.symbols.set_scope_size(asm.symbols.current, size)
        asm.symbols.leave()
    end = ".endunion" if is_union else ".endstruct"
    if not feed.accept(end):
        feed.error(f"'{end.upper()}' expected", notes=(("it starts", start),))
    return size


def _member(asm: Assembly, offset: int, depth: int) -> tuple[int, int]:
    """Read a storage allocator; the offset (``.org`` moves it) and its size."""
    feed = asm.feed
    kind = feed.tok.kind
    if kind in _MEMBER_SIZES:
        feed.next()
        return offset, _multiply(asm, _MEMBER_SIZES[kind])
    match kind:
        case ".res":
            feed.next()
            if feed.at(EOL):
                feed.error_skip("Size is missing")
                return offset, 0
            return offset, _multiply(asm, 1)
        case ".org":
            feed.next()
            return _move(asm, offset), 0
        case ".tag":
            feed.next()
            size = _tag_size(asm, "struct/union")
            return offset, _multiply(asm, size or 0)
        case ".struct" | ".union":
            feed.next()
            return offset, _layout(asm, offset, kind == ".union", depth + 1)
        case _ if kind in CONDITIONALS:
            asm.conditions.handle()
        case _:
            feed.error_skip(
                "Invalid storage allocator in struct/union",
                help="members are .byte .word .addr .dbyt .faraddr .dword .res .tag .struct .union",
            )
    return offset, 0


def _move(asm: Assembly, offset: int) -> int:
    if asm.feed.at(EOL):
        asm.feed.error_skip("Address is missing")
        return offset
    offset = asm.expressions.constant()
    if offset >= MAX_SIZE:
        asm.feed.error_skip("Range error", asm.feed.operand)
        return 0
    return offset


def _multiply(asm: Assembly, size: int) -> int:
    if not asm.feed.at(EOL):
        count = asm.expressions.constant()
        if count <= 0:
            asm.feed.error_skip(
                "Range error", asm.feed.operand, help="a member has at least one element"
            )
            count = 1
        size *= count
    if size >= MAX_SIZE:
        asm.feed.error_skip(
            "Range error", asm.feed.operand, help="a member is smaller than 16 megabytes"
        )
        return 1
    return size


def _tag_size(asm: Assembly, what: str) -> int | None:
    """Read the name of a struct and give its size; None after an error."""
    scope = asm.symbols.parse_scope()
    if scope is None:
        asm.feed.error_skip(f"Unknown {what}")
    elif scope.kind != "struct":
        asm.feed.error_skip(f"Not a {what}")
    elif scope.size is None:
        asm.feed.error_skip("Size of struct/union is unknown", help="it is still being defined")
    else:
        return scope.size
    return None


def _tag(asm: Assembly) -> None:
    size = _tag_size(asm, "struct")
    if size is None:
        return
    if asm.feed.accept(","):
        count = asm.expressions.constant()
        if count <= 0:
            asm.feed.error_skip(
                "Range error", asm.feed.operand, help="the number of elements is at least 1"
            )
            return
        size *= count
    asm.segments.gap(size)


def _enum(asm: Assembly) -> None:
    feed = asm.feed
    named = feed.at(IDENT)
    if named:
        asm.symbols.enter(feed.tok.text, "enum", AddressSize.ABSOLUTE)
        feed.next()
    feed.end_statement()
    start = feed.statement
    base: Expr = Literal(0)
    offset = 0
    while not feed.at(".endenum", EOF):
        feed.begin_statement()
        if feed.accept(EOL):
            continue
        if not feed.at(IDENT):
            if feed.tok.kind in CONDITIONALS:
                asm.conditions.handle()
            else:
                feed.error_skip("Identifier expected")
            continue
        macro = asm.macros.find(feed.tok.text)
        if macro is not None:
            asm.macros.expand(macro)
            continue
        member = asm.symbols.find_or_create(feed.tok.text)
        token = feed.tok
        feed.next()
        if feed.accept("="):
            base, offset = asm.expressions.expression(), 0
            value = base
        else:
            value = asm.expressions.binary(BinaryOp.ADD, base, Literal(offset))
        asm.symbols.define(member, value, token=token)
        offset += 1
        feed.end_statement()
    if named:
        asm.symbols.leave()
    if not feed.accept(".endenum"):
        feed.error("'.ENDENUM' expected", notes=(("it starts", start),))


COMMANDS: dict[str, Callable[[Assembly], None]] = {
    ".enum": _enum,
    ".struct": _struct,
    ".tag": _tag,
    ".union": _union,
}
