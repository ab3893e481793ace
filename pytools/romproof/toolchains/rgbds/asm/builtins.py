"""The symbols that are there from the start (rgbasm(5), "Predeclared symbols")."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from romproof.support.account import not_repeatable
from romproof.text.numbers import whole
from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.model import Symbol, SymbolType
from romproof.toolchains.rgbds.asm.symbols import Symbols

if TYPE_CHECKING:
    from romproof.toolchains.rgbds.asm.dialect import Dialect

_T = TypeVar("_T")


VERSION = (1, 0, 3)
"""The version of RGBDS whose language this is."""
_PI = 0x3243F
"""Pi with 16 bits behind the point, cut off: as RGBDS 0.5 has it."""


def define_builtins(asm: Assembly) -> None:
    """Add them all; the time is SOURCE_DATE_EPOCH's if the environment has it."""
    symbols = asm.symbols
    _add_computed(asm)
    dialect = asm.options.dialect
    major, minor, patch = VERSION if dialect is None else dialect.version
    _equ(symbols, "__RGBDS_MAJOR__", major)
    _equ(symbols, "__RGBDS_MINOR__", minor)
    _equ(symbols, "__RGBDS_PATCH__", patch)
    _equs(symbols, "__RGBDS_VERSION__", f"v{major}.{minor}.{patch}")
    if dialect is not None:
        _of_older_releases(asm, dialect)
    symbols.add_builtin(Symbol("_RS", SymbolType.VAR))
    now = _now(asm)
    local, utc = time.localtime(now), time.gmtime(now)
    for name, text in (
        ("LOCAL", time.strftime('"%Y-%m-%dT%H:%M:%S%z"', local)),
        ("UTC", time.strftime('"%Y-%m-%dT%H:%M:%SZ"', utc)),
    ):
        said = partial(_of_now, text)
        symbols.add_builtin(Symbol(f"__ISO_8601_{name}__", SymbolType.EQUS, computed_string=said))
    for name, text in (
        ("__TIME__", time.strftime('"%H:%M:%S"', local)),
        ("__DATE__", time.strftime('"%d %B %Y"', local)),
    ):
        symbols.add_builtin(
            Symbol(name, SymbolType.EQUS, computed_string=_obsolete(asm, name, text))
        )
    for name, value in (
        ("YEAR", utc.tm_year),
        ("MONTH", utc.tm_mon),
        ("DAY", utc.tm_mday),
        ("HOUR", utc.tm_hour),
        ("MINUTE", utc.tm_min),
        ("SECOND", utc.tm_sec),
    ):
        number = partial(_of_now, value)
        symbols.add_builtin(Symbol(f"__UTC_{name}__", SymbolType.EQU, computed=number))


def _of_older_releases(asm: Assembly, dialect: Dialect) -> None:
    symbols, contexts = asm.symbols, asm.contexts
    if dialect.has_pi:
        _equ(symbols, "_PI", _PI)
    symbols.add_builtin(Symbol("__LINE__", SymbolType.EQU, computed=lambda: contexts.line))
    symbols.add_builtin(
        Symbol(
            "__FILE__",
            SymbolType.EQUS,
            computed_string=lambda: f'"{contexts.place().node.name}"',
        )
    )


def _equ(symbols: Symbols, name: str, value: int) -> None:
    symbols.add_builtin(Symbol(name, SymbolType.EQU, value=value))


def _equs(symbols: Symbols, name: str, text: str) -> None:
    symbols.add_builtin(Symbol(name, SymbolType.EQUS, string=text))


def _obsolete(asm: Assembly, name: str, text: str) -> Callable[[], str]:
    def value() -> str:
        asm.report.warning("obsolete", f"`{name}` is deprecated; use `__ISO_8601_LOCAL__`")
        return _of_now(text)

    return value


def _of_now(value: _T) -> _T:
    """Something of the time, which makes that of the program different each time."""
    not_repeatable()
    return value


_LAST_SECOND = 253402300799
"""23:59:59 on 31 December 9999, after which calendars end."""


def _now(asm: Assembly) -> int:
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is None:
        return int(time.time())
    if epoch.isdecimal() and whole(epoch) <= _LAST_SECOND:
        return whole(epoch)
    asm.report.remark(f'Ignoring invalid `SOURCE_DATE_EPOCH` value "{epoch}"')
    return int(time.time())


def _add_computed(asm: Assembly) -> None:
    symbols = asm.symbols

    def pc() -> int:
        section = asm.sections.current
        assert section is not None
        assert section.address is not None
        return section.address + asm.sections.offset

    def argument_count() -> int:
        arguments = asm.contexts.arguments
        if arguments is None:
            asm.report.error("`_NARG` has no value outside of a macro")
            return 0
        return arguments.count

    def global_scope() -> str:
        if asm.sections.global_scope is None:
            asm.report.error("`.` has no value outside of a label scope")
            return ""
        return asm.sections.global_scope.name

    def local_scope() -> str:
        if asm.sections.local_scope is None:
            asm.report.error("`..` has no value outside of a local label scope")
            return ""
        return asm.sections.local_scope.name

    def scope() -> str:
        if asm.sections.local_scope is not None:
            return ".."
        if asm.sections.global_scope is not None:
            return "."
        if asm.sections.current is None:
            asm.report.error("`__SCOPE__` has no value outside of a section")
        return ""

    symbols.add_builtin(Symbol("@", SymbolType.LABEL, computed=pc))
    symbols.add_builtin(Symbol("_NARG", SymbolType.EQU, computed=argument_count))
    symbols.add_builtin(Symbol(".", SymbolType.EQUS, computed_string=global_scope))
    symbols.add_builtin(Symbol("..", SymbolType.EQUS, computed_string=local_scope))
    symbols.add_builtin(Symbol("__SCOPE__", SymbolType.EQUS, computed_string=scope))
