"""Plain definitions of symbols, and what else is said of them by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.context import Context
from romproof.toolchains.rgbds.asm.keywords import KEYWORDS
from romproof.toolchains.rgbds.asm.model import Symbol, SymbolType
from romproof.toolchains.rgbds.asm.quick.operands import Scanner
from romproof.toolchains.rgbds.asm.quick.scan import tokens
from romproof.toolchains.rgbds.asm.quick.values import NotPlain, PlainValue
from romproof.toolchains.rgbds.asm.quick.writing import Act
from romproof.toolchains.rgbds.obj.opmath import BINARY
from romproof.toolchains.rgbds.obj.rpn import RpnOp

_EQU, _EQUS, _VAR, _REF = SymbolType.EQU, SymbolType.EQUS, SymbolType.VAR, SymbolType.REF
_LONG = 10_000
"""Characters of a text that is left to the plain path, which knows how many are too many."""
_COMPOUND = {"+=": RpnOp.ADD, "-=": RpnOp.SUB, "*=": RpnOp.MUL, "|=": RpnOp.OR, "&=": RpnOp.AND}


def _def(asm: Assembly, scanner: Scanner) -> Act:
    return _definition(asm, scanner, again=False)


def _redef(asm: Assembly, scanner: Scanner) -> Act:
    return _definition(asm, scanner, again=True)


def _definition(asm: Assembly, scanner: Scanner, again: bool) -> Act:
    """What follows DEF or REDEF."""
    name = scanner.expect("NAME")
    word = scanner.take()[0]
    if word == "EQUS":
        text = _replacement(scanner) if scanner.accept("STRRPL") else scanner.expect("STRING")
        scanner.expect("END")
        return _string(asm, name, text, again)
    if word not in ("EQU", "=") and word not in _COMPOUND:
        raise NotPlain
    value = scanner.expression()
    scanner.expect("END")
    if word == "EQU":
        return _constant(asm, name, value, again)
    return _variable(asm, name, value, _COMPOUND.get(word))


def _replacement(scanner: Scanner) -> str:
    """What STRRPL of three strings gives."""
    scanner.expect("(")
    text = scanner.expect("STRING")
    scanner.expect(",")
    old = scanner.expect("STRING")
    scanner.expect(",")
    new = scanner.expect("STRING")
    scanner.expect(")")
    if not old or len(text) * (1 + len(new)) > _LONG:
        raise NotPlain  # that is complained of, or may be
    return text.replace(old, new)


def _string(asm: Assembly, name: str, text: str, again: bool) -> Act:
    symbols = asm.symbols

    def act(context: Context) -> None:
        symbol = symbols.table.get(name)
        if symbol is not None and (not again or symbol.type is not _EQUS or symbol.is_builtin):
            raise NotPlain
        (symbols.redefine_string if again else symbols.add_string)(name, text)

    return act


def _constant(asm: Assembly, name: str, value: PlainValue, again: bool) -> Act:
    symbols, probe = asm.symbols, value[0]

    def act(context: Context) -> None:
        number, symbol = probe(), symbols.table.get(name)
        if number is None:
            raise NotPlain
        if symbol is not None and not _may_become(symbol, again):
            raise NotPlain
        (symbols.redefine_equ if again else symbols.add_equ)(name, number)

    return act


_NAMED_BY_ARGUMENT = re.compile(
    r"[ \t]*DEF[ \t]+\\([1-9])[ \t]+EQU[ \t]+([^\"\\{;'/]+)(?:;.*)?\r?", re.IGNORECASE
)
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{,99}", re.ASCII)


def define_by_argument(asm: Assembly, line: str) -> Act | None:
    """What ``DEF \\1 EQU value`` does, if that is the line: it defines most constants there are,
    each in a macro that is called for it alone, and would be read anew for each name.

    Raises NotPlain.
    """
    match = _NAMED_BY_ARGUMENT.fullmatch(line)
    if match is None:
        return None
    number, contexts, symbols = int(match[1]), asm.contexts, asm.symbols
    scanner = Scanner(asm, tokens(match[2], 0))
    probe = scanner.expression()[0]
    scanner.expect("END")

    def act(context: Context) -> None:
        arguments = contexts.arguments
        name = None if arguments is None else arguments.get(number)
        if name is None or _WORD.fullmatch(name) is None or name.upper() in KEYWORDS:
            raise NotPlain
        value, symbol = probe(), symbols.table.get(name)
        if value is None or (symbol is not None and symbol.type is not _REF):
            raise NotPlain
        symbols.add_equ(name, value)
        if context.unique is not None:
            asm.growth.count_insertion(name, contexts.depth)

    return act


def _may_become(symbol: Symbol, again: bool) -> bool:
    """Whether a symbol can be defined as a constant."""
    is_free = again and symbol.type is _EQU and not symbol.is_builtin
    return symbol.type is _REF or is_free


def _variable(asm: Assembly, name: str, value: PlainValue, op: RpnOp | None) -> Act:
    symbols, probe = asm.symbols, value[0]
    compute = None if op is None else BINARY[op]

    def act(context: Context) -> None:
        number, symbol = probe(), symbols.table.get(name)
        if number is None:
            raise NotPlain
        if compute is not None:
            if symbol is None or symbol.type is not _VAR or symbol.is_builtin:
                raise NotPlain
            number = compute(symbol.value, number)
        elif symbol is not None and symbol.type is not _VAR and symbol.type is not _REF:
            raise NotPlain
        symbols.add_variable(name, number)

    return act


def _names(scanner: Scanner) -> list[str]:
    names = [scanner.expect("NAME")]
    while scanner.accept(","):
        names.append(scanner.expect("NAME"))
    scanner.expect("END")
    return names


def _export(asm: Assembly, scanner: Scanner) -> Act:
    names, symbols = _names(scanner), asm.symbols

    def act(context: Context) -> None:
        known = [symbols.table.get(name) for name in names]
        if not all(symbol is not None and symbol.type is not _EQUS for symbol in known):
            raise NotPlain
        for name in names:
            symbols.export(name)

    return act


def _purge(asm: Assembly, scanner: Scanner) -> Act:
    names, symbols = _names(scanner), asm.symbols

    def act(context: Context) -> None:
        if len(set(names)) < len(names):
            raise NotPlain
        if not all(_may_go(symbols.table.get(name)) for name in names):
            raise NotPlain
        for name in names:
            symbols.purge(name)

    return act


def _may_go(symbol: Symbol | None) -> bool:
    """Whether nobody complains when a symbol is purged."""
    return (
        symbol is not None
        and not symbol.is_builtin
        and not symbol.is_exported
        and not symbol.is_label
        and symbol.number is None
    )


DEFINITIONS: Mapping[str, Callable[[Assembly, Scanner], Act]] = {
    "DEF": _def,
    "REDEF": _redef,
    "EXPORT": _export,
    "PURGE": _purge,
}
