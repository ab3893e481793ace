"""What is said for the object file: ``.dbg`` of compilers, ``.debuginfo``, ``.fileopt``."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from romproof.toolchains.ca65.asm.assembly import Assembly
from romproof.toolchains.ca65.asm.directives.settings import switch
from romproof.toolchains.ca65.asm.tokens import EOL, IDENT, STRING, as_bytes, as_text
from romproof.toolchains.ca65.obj.tables import (
    C_AUTO,
    C_EXTERN,
    C_IS_SYMBOL,
    C_REGISTER,
    C_STATIC,
    OPTION_AUTHOR,
    OPTION_COMMENT,
    OPTION_COMPILER,
    text_of,
)

_OPTIONS = {"author": OPTION_AUTHOR, "comment": OPTION_COMMENT, "compiler": OPTION_COMPILER}
_FUNCTION_STORAGE = {"extern": C_EXTERN, "static": C_STATIC}
_STORAGE = {"auto": C_AUTO, "extern": C_EXTERN, "register": C_REGISTER, "static": C_STATIC}


class _Fault(Exception):
    """Something is missing, which was reported."""


def _expect(asm: Assembly, kind: str, what: str) -> str:
    """The value of a token of one kind, which is skipped. Raises _Fault."""
    if not asm.feed.at(kind):
        asm.feed.error_skip(f"{what} expected")
        raise _Fault
    value = asm.feed.tok.text
    asm.feed.next()
    return value


def _string(asm: Assembly) -> str:
    return _expect(asm, STRING, "String constant")


def _fileopt(asm: Assembly) -> None:
    feed = asm.feed
    if feed.at(IDENT):
        kind = _OPTIONS.get(feed.tok.text.lower(), -1)
        if kind < 0:
            feed.error_skip("File option keyword expected", help="author, comment or compiler")
            return
        feed.next()
    else:
        kind = asm.expressions.constant()
        if not 0 <= kind <= 0xFF:
            feed.error_skip("Range error", feed.operand)
            return
    feed.expect(",")
    if not feed.at(STRING):
        feed.error_skip("String constant expected")
        return
    feed.record.option(kind, text_of(as_bytes(feed.tok.text)))
    feed.next()


def _debuginfo(asm: Assembly) -> None:
    value = switch(asm.feed)
    if value is not None:
        asm.feed.record.debug = value


def _dbg(asm: Assembly) -> None:
    feed = asm.feed
    if not feed.at(IDENT):
        feed.error_skip("Identifier expected")
        return
    command = _DBG.get(feed.tok.text.lower())
    feed.next()
    if command is None:
        feed.error_skip("Syntax error", help="one of " + ", ".join(_DBG))
        return
    with contextlib.suppress(_Fault):
        command(asm)


def _dbg_file(asm: Assembly) -> None:
    asm.feed.expect(",")
    name = as_text(_string(asm))
    asm.feed.expect(",")
    size = asm.expressions.constant()
    asm.feed.expect(",")
    asm.feed.record.file(name, asm.expressions.constant(), size)


def _type(asm: Assembly) -> str:
    """A type of cc65: digits that are bytes."""
    token = asm.feed.tok
    digits = _string(asm)
    try:
        raw = bytes.fromhex(digits)
    except ValueError:
        raw = b""
    if not raw or len(digits) % 2 or " " in digits:
        asm.feed.error_skip("Type value contains invalid characters or has invalid length", token)
        raise _Fault
    kind = text_of(raw)
    asm.feed.record.intern(kind)
    return kind


def _storage(asm: Assembly, known: dict[str, int]) -> int:
    word = asm.feed.tok.text.lower() if asm.feed.at(IDENT) else ""
    if word not in known:
        asm.feed.error_skip("Storage class specifier expected", help="one of " + ", ".join(known))
        raise _Fault
    asm.feed.next()
    return known[word]


def _dbg_func(asm: Assembly) -> None:
    feed = asm.feed
    feed.expect(",")
    name = as_text(_string(asm))
    feed.record.intern(name)
    feed.expect(",")
    kind = _type(asm)
    feed.expect(",")
    storage = _storage(asm, _FUNCTION_STORAGE)
    feed.expect(",")
    asm_name = as_text(_string(asm))
    feed.record.intern(asm_name)
    scope = asm.symbols.current
    if scope.label is None or scope.label.name != asm_name:
        feed.error_skip("Scope label and asm name for function must match")
        return
    feed.record.c_symbol(storage, name, kind, scope, asm_name, 0)


def _dbg_line(asm: Assembly) -> None:
    feed = asm.feed
    feed.record.c_line(None, 0)
    if feed.at(EOL):
        return
    feed.expect(",")
    name = as_text(_string(asm))
    feed.expect(",")
    line = asm.expressions.constant()
    if line < 0:
        feed.error_skip("Line number is out of valid range")
        return
    feed.record.c_line(name, line)


def _dbg_sym(asm: Assembly) -> None:
    feed = asm.feed
    feed.expect(",")
    name = as_text(_string(asm))
    feed.record.intern(name)
    feed.expect(",")
    kind = _type(asm)
    feed.expect(",")
    storage = _storage(asm, _STORAGE)
    feed.expect(",")
    asm_name, offset = "", 0
    if storage == C_AUTO:
        offset = asm.expressions.constant()
    else:
        asm_name = as_text(_string(asm))
        feed.record.intern(asm_name)
        if storage == C_REGISTER:
            feed.expect(",")
            offset = asm.expressions.constant()
    flags = storage | C_IS_SYMBOL
    feed.record.c_symbol(flags, name, kind, asm.symbols.current, asm_name, offset)


_DBG: dict[str, Callable[[Assembly], None]] = {
    "file": _dbg_file,
    "func": _dbg_func,
    "line": _dbg_line,
    "sym": _dbg_sym,
}

COMMANDS: dict[str, Callable[[Assembly], None]] = {
    ".dbg": _dbg,
    ".debuginfo": _debuginfo,
    ".fileopt": _fileopt,
}
