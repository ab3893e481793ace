"""Switches: ``.feature``, ``.setcpu``, ``.case``, listing options and the like."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from romproof.text.diagnostic import suggest
from romproof.toolchains.ca65.asm import expressions
from romproof.toolchains.ca65.asm.lexer import FEATURES
from romproof.toolchains.ca65.asm.options import CPUS
from romproof.toolchains.ca65.asm.tokens import CHAR, IDENT, STRING, as_text

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.assembler import Assembler

_UNSUPPORTED_CPUS = ("65SC02", "65C02", "65816", "sweet16", "huc6280", "m740", "4510")


def _switch(asm: Assembler) -> bool | None:
    """Read ``on``, ``off``, ``+``, ``-`` or nothing (on); None after an error."""
    feed = asm.feed
    if feed.tok.ends_line or feed.accept("+"):
        return True
    if feed.accept("-"):
        return False
    if feed.at(IDENT) and feed.tok.text.lower() in ("on", "off"):
        value = feed.tok.text.lower() == "on"
        feed.next()
        return value
    asm.error_skip("'on' or 'off' expected")
    return None


def _ignored_switch(asm: Assembler) -> None:
    """A switch about things we always or never do."""
    _switch(asm)


def _autoimport(asm: Assembler) -> None:
    value = _switch(asm)
    if value is not None:
        asm.autoimport = value


def _case(asm: Assembler) -> None:
    value = _switch(asm)
    if value is not None:
        asm.syntax.ignore_case = not value


def _linecont(asm: Assembler) -> None:
    value = _switch(asm)
    if value is not None:
        asm.syntax.line_continuation = value


def _feature(asm: Assembler) -> None:
    feed = asm.feed
    while True:
        if not feed.at(IDENT):
            asm.error_skip("Identifier expected")
            return
        name = feed.tok.text.lower()
        if name not in FEATURES:
            asm.error_skip(f"Invalid feature: '{name}'", help=suggest(name, FEATURES))
            return
        asm.syntax.features.add(name)
        feed.next()
        if not feed.accept(","):
            return


def _localchar(asm: Assembler) -> None:
    feed = asm.feed
    if not feed.at(CHAR):
        asm.error_skip("Character constant expected")
        return
    character = chr(feed.tok.number)
    if character in "@?":
        asm.syntax.local_start = character
    else:
        asm.error("Invalid start character for locals", help="it is '@' or '?'")
    feed.next()


def _setcpu(asm: Assembler) -> None:
    feed = asm.feed
    if not feed.at(STRING):
        asm.error_skip("String constant expected")
        return
    _choose(asm, as_text(feed.tok.text))
    feed.next()


def _choose(asm: Assembler, name: str) -> None:
    for cpu in CPUS:
        if cpu.lower() == name.lower():
            asm.cpu = cpu
            return
    known = name.lower() in (cpu.lower() for cpu in _UNSUPPORTED_CPUS)
    asm.error(
        "CPU not supported",
        help=f"'{name}' is no NMOS 6502" if known else "the CPUs are " + ", ".join(CPUS),
    )


def _cpu(name: str) -> Callable[[Assembler], None]:
    return lambda asm: _choose(asm, name)


def _pushcpu(asm: Assembler) -> None:
    if len(asm.cpu_stack) >= 8:
        asm.error_skip("CPU stack overflow")
    else:
        asm.cpu_stack.append(asm.cpu)


def _popcpu(asm: Assembler) -> None:
    if not asm.cpu_stack:
        asm.error_skip("CPU stack is empty")
    else:
        asm.cpu = asm.cpu_stack.pop()


def _only_65816(asm: Assembler) -> None:
    asm.error("Command is only valid in 65816 mode")


def _ranged(low: int, high: int) -> Callable[[Assembler], None]:
    """A number about paper listings: checked, then ignored."""

    def command(asm: Assembler) -> None:
        if asm.feed.at(IDENT) and asm.feed.tok.value == "unlimited":
            asm.feed.next()
            return
        if not low <= expressions.constant(asm) <= high:
            asm.error("Range error", asm.operand, help=f"it is {low}..{high} or 'unlimited'")

    return command


def _fileopt(asm: Assembler) -> None:
    feed = asm.feed
    if feed.at(IDENT):
        if feed.tok.text.lower() not in ("author", "comment", "compiler"):
            asm.error_skip("File option keyword expected", help="author, comment or compiler")
            return
        feed.next()
    elif not 0 <= expressions.constant(asm) <= 0xFF:
        asm.error_skip("Range error", asm.operand)
        return
    feed.expect(",")
    if not feed.at(STRING):
        asm.error_skip("String constant expected")
        return
    feed.next()


def _dbg(asm: Assembler) -> None:
    """What compilers say about their own source: nothing we use."""
    feed = asm.feed
    if not feed.at(IDENT):
        asm.error_skip("Identifier expected")
    elif feed.tok.text.lower() not in ("file", "func", "line", "sym"):
        asm.error_skip("Syntax error")
    else:
        feed.skip_line()


COMMANDS: dict[str, Callable[[Assembler], None]] = {
    ".a16": _only_65816,
    ".a8": _only_65816,
    ".autoimport": _autoimport,
    ".case": _case,
    ".dbg": _dbg,
    ".debuginfo": _ignored_switch,
    ".feature": _feature,
    ".fileopt": _fileopt,
    ".i16": _only_65816,
    ".i8": _only_65816,
    ".linecont": _linecont,
    ".list": _ignored_switch,
    ".listbytes": _ranged(0, 255),
    ".localchar": _localchar,
    ".p02": _cpu("6502"),
    ".p4510": _cpu("4510"),
    ".p816": _cpu("65816"),
    ".pagelength": _ranged(32, 127),
    ".pc02": _cpu("65C02"),
    ".popcpu": _popcpu,
    ".psc02": _cpu("65SC02"),
    ".pushcpu": _pushcpu,
    ".setcpu": _setcpu,
    ".smart": _ignored_switch,
}
