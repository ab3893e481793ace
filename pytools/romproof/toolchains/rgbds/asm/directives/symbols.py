"""DEF, REDEF, EXPORT, PURGE and the RS counter."""

from __future__ import annotations

from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.model import known
from romproof.toolchains.rgbds.asm.values import ValueParser
from romproof.toolchains.rgbds.obj.opmath import wrap
from romproof.toolchains.rgbds.obj.rpn import RpnOp

_NAMES = ("SYMBOL", "LABEL", "LOCAL")
_COMPOUND = {
    "+=": RpnOp.ADD,
    "-=": RpnOp.SUB,
    "*=": RpnOp.MUL,
    "/=": RpnOp.DIV,
    "%=": RpnOp.MOD,
    "^=": RpnOp.XOR,
    "|=": RpnOp.OR,
    "&=": RpnOp.AND,
    "<<=": RpnOp.SHL,
    ">>=": RpnOp.SHR,
}
_UNITS = {"RB": 1, "RW": 2, "RL": 4}


def _new_name(parser: ValueParser) -> str:
    context = parser.lexer.context
    context.expanding_strings = False
    name = parser.name("SYMBOL")
    context.expanding_strings = True
    return name


def _def(parser: ValueParser, asm: Assembly) -> None:
    _define(parser, asm, again=False, strings=True)


def _redef(parser: ValueParser, asm: Assembly) -> None:
    _define(parser, asm, again=True, strings=True)


def _define(parser: ValueParser, asm: Assembly, again: bool, strings: bool) -> str:
    """What follows DEF or REDEF; gives the name."""
    symbols = asm.symbols
    name = _new_name(parser)
    word = parser.kind
    if word == "EQU":
        parser.next()
        value = parser.constant()
        parser.end_of_statement()
        (symbols.redefine_equ if again else symbols.add_equ)(name, value)
    elif word == "=":
        parser.next()
        value = parser.constant()
        parser.end_of_statement()
        symbols.add_variable(name, value)
    elif word in _COMPOUND:
        parser.next()
        expressions = asm.expressions
        right = parser.constant()
        parser.end_of_statement()
        left = expressions.symbol(name)
        result = expressions.binary(_COMPOUND[word], left, known(right))
        symbols.add_variable(name, expressions.constant(result))
    elif word in _UNITS and not again:
        parser.next()
        count = 1 if parser.at_end else parser.count()
        parser.end_of_statement()
        offset = _counter(parser, asm)
        symbols.add_equ(name, offset)
        _set_counter(parser, asm, offset + _UNITS[word] * count)
    elif word == "EQUS" and strings:
        parser.next()
        text = parser.string()
        parser.end_of_statement()
        (symbols.redefine_string if again else symbols.add_string)(name, text)
    else:
        parser.refuse_token()
    return name


def _counter(parser: ValueParser, asm: Assembly) -> int:
    counter = asm.symbols.find_exact("_RS")
    assert counter is not None
    return counter.value


def _set_counter(parser: ValueParser, asm: Assembly, value: int) -> None:
    counter = asm.symbols.find_exact("_RS")
    assert counter is not None
    counter.value = wrap(value)
    asm.symbols.move_here(counter)


def _rsreset(parser: ValueParser, asm: Assembly) -> None:
    _set_counter(parser, asm, 0)


def _rsset(parser: ValueParser, asm: Assembly) -> None:
    value = parser.count()
    parser.end_of_statement()
    _set_counter(parser, asm, value)


def _export(parser: ValueParser, asm: Assembly) -> None:
    symbols = asm.symbols
    word = parser.accept("DEF", "REDEF")
    if word is not None:
        symbols.export(_define(parser, asm, again=word[0] == "REDEF", strings=False))
        return
    while True:
        name = parser.name(*_NAMES)
        parser.end_of_item()
        symbols.export(name)
        if not parser.accept(",") or parser.at_end:
            return


def _purge(parser: ValueParser, asm: Assembly) -> None:
    context = parser.lexer.context
    context.expanding_strings = False
    names = [parser.name(*_NAMES)]
    while parser.accept(",") and not parser.at_end:
        names.append(parser.name(*_NAMES))
    parser.end_of_statement()
    for name in names:
        asm.symbols.purge(name)
    context.expanding_strings = True


DIRECTIVES = {
    "DEF": _def,
    "REDEF": _redef,
    "RSRESET": _rsreset,
    "RSSET": _rsset,
    "EXPORT": _export,
    "PURGE": _purge,
}
