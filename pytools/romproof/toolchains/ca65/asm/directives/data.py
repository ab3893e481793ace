"""Data: ``.byte`` and its kin, ``.res``, ``.align``, ``.incbin``, ``.charmap``."""

from __future__ import annotations

from collections.abc import Callable

from romproof.toolchains.ca65.asm import expressions
from romproof.toolchains.ca65.asm.assembly import Assembly
from romproof.toolchains.ca65.asm.escaped_text import EscapedText
from romproof.toolchains.ca65.asm.tokens import EOL, STRING, Token, as_bytes, as_text
from romproof.toolchains.ca65.obj.alignment import MAX_ALIGNMENT
from romproof.toolchains.ca65.obj.expr import Expr, Unary, UnaryOp

_Command = Callable[[Assembly], None]


def _string(token: Token) -> str:
    """A string's value, with what is marked in it."""
    return token.value if isinstance(token.value, str) else token.text


def _translate(asm: Assembly, text: str) -> bytes:
    """The bytes of a string in the target's character set."""
    charmap, data = asm.settings.charmap, as_bytes(text)
    if isinstance(text, EscapedText):
        return bytes(code if n in text.given else charmap[code] for n, code in enumerate(data))
    return bytes(charmap[code] for code in data)


def _value(asm: Assembly, size: int) -> Expr:
    expr = asm.expressions.expression()
    return expressions.bound(expr, size) if "force_range" in asm.settings.syntax.features else expr


def _with_type(size: int, element: str, command: _Command) -> _Command:
    """A directive whose data have a type: elements of ``size`` bytes."""

    def with_span(asm: Assembly) -> None:
        segments, record = asm.segments, asm.feed.record
        section = segments.current
        record.open_span(section.number, len(section.data))
        command(asm)
        record.close_span(len(section.data), element, size)

    return with_span


def _bytes(asm: Assembly, encode: Callable[[str], bytes]) -> None:
    feed = asm.feed
    while True:
        if feed.at(STRING):
            asm.segments.emit(encode(_string(feed.tok)))
            feed.next()
        else:
            asm.segments.emit_expr(_value(asm, 1), 1)
        if not feed.accept(","):
            return
        if feed.at(EOL):
            feed.error("Unexpected end of line", help="remove the comma or add a value")
            return


def _byte(asm: Assembly) -> None:
    _bytes(asm, lambda text: _translate(asm, text))


def _literal(asm: Assembly) -> None:
    """``.literal``: as ``.byte``, but strings are not in the target's character set."""
    _bytes(asm, as_bytes)


def _list(size: int, change: Callable[[Expr], Expr] = lambda expr: expr) -> _Command:
    """A directive that takes values of ``size`` bytes, each passed through ``change``."""

    def command(asm: Assembly) -> None:
        while True:
            asm.segments.emit_expr(change(_value(asm, size)), size)
            if not asm.feed.accept(","):
                return

    return command


def _addr(asm: Assembly) -> None:
    """``.addr``: of the 65816's long addresses the low word, without a question."""
    words = expressions.bound if asm.settings.cpu == "65816" else lambda expr, size: expr
    _list(2, lambda expr: words(expr, 2))(asm)


def _parts(op: UnaryOp) -> _Command:
    """A directive that takes one byte of each value."""

    def command(asm: Assembly) -> None:
        while True:
            asm.segments.emit_expr(expressions.unary(op, asm.expressions.expression()), 1)
            if not asm.feed.accept(","):
                return

    return command


def _asciiz(asm: Assembly) -> None:
    feed = asm.feed
    while True:
        if not feed.at(STRING):
            feed.error_skip("String constant expected")
            return
        asm.segments.emit(_translate(asm, _string(feed.tok)))
        feed.next()
        if not feed.accept(","):
            break
    asm.segments.emit(b"\0")


def _fill_value(asm: Assembly) -> int | None:
    """The optional fill byte after a comma; None when it is missing, -1 when wrong."""
    if not asm.feed.accept(","):
        return None
    value = asm.expressions.constant()
    if not 0 <= value <= 0xFF:
        asm.feed.error_skip(
            "Range error", asm.feed.operand, help=f"the fill value {value} is not a byte"
        )
        return -1
    return value


def _res(asm: Assembly) -> None:
    count = asm.expressions.constant()
    if not 0 <= count <= 0xFFFF:
        asm.feed.error_skip(
            "Range error",
            asm.feed.operand,
            help=f"cannot reserve {count} bytes; the limit is 65535",
        )
        return
    fill = _fill_value(asm)
    if fill is None:
        asm.segments.gap(count)
    elif fill >= 0:
        asm.segments.emit(bytes([fill]) * count, 1)


def _align(asm: Assembly) -> None:
    alignment = asm.expressions.constant()
    if not 0 < alignment <= MAX_ALIGNMENT:
        asm.feed.error_skip(
            "Range error", asm.feed.operand, help=f"an alignment is 1..{MAX_ALIGNMENT}"
        )
        return
    fill = _fill_value(asm)
    if fill is None or fill >= 0:
        asm.segments.align(alignment, fill)


def _charmap(asm: Assembly) -> None:
    index = asm.expressions.constant()
    if not 0 <= index <= 255:
        asm.feed.error_skip("Index range error", asm.feed.operand, help="characters are 0..255")
        return
    asm.feed.expect(",")
    code = asm.expressions.constant()
    if not 0 <= code <= 255:
        asm.feed.error_skip("Code range error", asm.feed.operand, help="character codes are 0..255")
        return
    asm.settings.charmap[index] = code


def _incbin(asm: Assembly) -> None:
    feed = asm.feed
    if not feed.at(STRING):
        feed.error_skip("String constant expected")
        return
    name, token = as_text(feed.tok.text), feed.tok
    feed.next()
    start, count = 0, -1
    if feed.accept(","):
        start = asm.expressions.constant()
        if feed.accept(","):
            count = asm.expressions.constant()
    data = asm.files.read_binary(name, token)
    if data is None:
        feed.skip_line()
        return
    if count < 0:
        count = len(data) - start
    if start < 0 or count < 0 or start + count > len(data):
        feed.error_skip("Range error", feed.operand, help=f"'{name}' has {len(data)} bytes")
        return
    asm.segments.emit(data[start : start + count])


COMMANDS: dict[str, _Command] = {
    ".addr": _with_type(2, "\x41\0", _addr),
    ".align": _align,
    ".asciiz": _asciiz,
    ".bankbytes": _parts(UnaryOp.BYTE2),
    ".byte": _with_type(1, "\x20", _byte),
    ".literal": _with_type(1, "\x20", _literal),
    ".charmap": _charmap,
    ".dbyt": _with_type(2, "\x51", _list(2, lambda expr: Unary(UnaryOp.SWAP, expr))),
    ".dword": _list(4),
    ".faraddr": _with_type(3, "\x42\0", _list(3)),
    ".hibytes": _parts(UnaryOp.BYTE1),
    ".incbin": _incbin,
    ".lobytes": _parts(UnaryOp.BYTE0),
    ".res": _res,
    ".word": _with_type(2, "\x21", _list(2)),
}
