"""Data: ``.byte`` and its kin, ``.res``, ``.align``, ``.incbin``, ``.charmap``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from romproof.toolchains.ca65.asm import expressions
from romproof.toolchains.ca65.asm.segments import MAX_ALIGNMENT
from romproof.toolchains.ca65.asm.tokens import EOL, STRING, as_bytes, as_text
from romproof.toolchains.ca65.obj.expr import Expr, Unary, UnaryOp

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.assembler import Assembler


def _translated(asm: Assembler, text: str) -> bytes:
    """The bytes of a string in the target's character set."""
    return bytes(asm.charmap[byte] for byte in as_bytes(text))


def _value(asm: Assembler, size: int) -> Expr:
    expr = expressions.expression(asm)
    return expressions.bounded(expr, size) if "force_range" in asm.syntax.features else expr


def _byte(asm: Assembler) -> None:
    feed = asm.feed
    while True:
        if feed.at(STRING):
            asm.segments.emit(_translated(asm, feed.tok.text))
            feed.next()
        else:
            asm.segments.emit_expr(_value(asm, 1), 1)
        if not feed.accept(","):
            return
        if feed.at(EOL):
            asm.error("Unexpected end of line", help="remove the comma or add a value")
            return


def _list(size: int, change: Callable[[Expr], Expr] = lambda expr: expr) -> _Command:
    """A directive that takes values of ``size`` bytes, each passed through ``change``."""

    def command(asm: Assembler) -> None:
        while True:
            asm.segments.emit_expr(change(_value(asm, size)), size)
            if not asm.feed.accept(","):
                return

    return command


def _parts(op: UnaryOp) -> _Command:
    """A directive that takes one byte of each value."""

    def command(asm: Assembler) -> None:
        while True:
            asm.segments.emit_expr(expressions.unary(op, expressions.expression(asm)), 1)
            if not asm.feed.accept(","):
                return

    return command


def _asciiz(asm: Assembler) -> None:
    feed = asm.feed
    while True:
        if not feed.at(STRING):
            asm.error_skip("String constant expected")
            return
        asm.segments.emit(_translated(asm, feed.tok.text))
        feed.next()
        if not feed.accept(","):
            break
    asm.segments.emit(b"\0")


def _fill_value(asm: Assembler) -> int | None:
    """The optional fill byte after a comma; None when it is missing, -1 when wrong."""
    if not asm.feed.accept(","):
        return None
    value = expressions.constant(asm)
    if not 0 <= value <= 0xFF:
        asm.error_skip("Range error", asm.operand, help=f"the fill value {value} is not a byte")
        return -1
    return value


def _res(asm: Assembler) -> None:
    count = expressions.constant(asm)
    if not 0 <= count <= 0xFFFF:
        asm.error_skip(
            "Range error", asm.operand, help=f"cannot reserve {count} bytes; the limit is 65535"
        )
        return
    fill = _fill_value(asm)
    if fill is None:
        asm.segments.gap(count)
    elif fill >= 0:
        asm.segments.emit(bytes([fill]) * count)


def _align(asm: Assembler) -> None:
    alignment = expressions.constant(asm)
    if not 0 < alignment <= MAX_ALIGNMENT:
        asm.error_skip("Range error", asm.operand, help=f"an alignment is 1..{MAX_ALIGNMENT}")
        return
    fill = _fill_value(asm)
    if fill is None or fill >= 0:
        asm.segments.align(alignment, fill)


def _charmap(asm: Assembler) -> None:
    index = expressions.constant(asm)
    if not 0 <= index <= 255:
        asm.error_skip("Index range error", asm.operand, help="characters are 0..255")
        return
    asm.feed.expect(",")
    code = expressions.constant(asm)
    if not 0 <= code <= 255:
        asm.error_skip("Code range error", asm.operand, help="character codes are 0..255")
        return
    asm.charmap[index] = code


def _incbin(asm: Assembler) -> None:
    feed = asm.feed
    if not feed.at(STRING):
        asm.error_skip("String constant expected")
        return
    name, token = as_text(feed.tok.text), feed.tok
    feed.next()
    start, count = 0, -1
    if feed.accept(","):
        start = expressions.constant(asm)
        if feed.accept(","):
            count = expressions.constant(asm)
    data = asm.files.read_binary(name, token)
    if data is None:
        feed.skip_line()
        return
    if count < 0:
        count = len(data) - start
    if start < 0 or count < 0 or start + count > len(data):
        asm.error_skip("Range error", asm.operand, help=f"'{name}' has {len(data)} bytes")
        return
    asm.segments.emit(data[start : start + count])


_Command = Callable[["Assembler"], None]

COMMANDS: dict[str, _Command] = {
    ".addr": _list(2),
    ".align": _align,
    ".asciiz": _asciiz,
    ".bankbytes": _parts(UnaryOp.BYTE2),
    ".byte": _byte,
    ".charmap": _charmap,
    ".dbyt": _list(2, lambda expr: Unary(UnaryOp.SWAP, expr)),
    ".dword": _list(4),
    ".faraddr": _list(3),
    ".hibytes": _parts(UnaryOp.BYTE1),
    ".incbin": _incbin,
    ".lobytes": _parts(UnaryOp.BYTE0),
    ".res": _res,
    ".word": _list(2),
}
