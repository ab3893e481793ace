"""Plain conditionals and loops, and directives that write nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from romproof.toolchains.rgbds.asm.context import Conditional, Context, Loop, Mode, Spot
from romproof.toolchains.rgbds.asm.model import SymbolType
from romproof.toolchains.rgbds.asm.quick.operands import Scanner
from romproof.toolchains.rgbds.asm.quick.values import NotPlain, Value, number
from romproof.toolchains.rgbds.asm.quick.writing import Act, Parts
from romproof.toolchains.rgbds.asm.skipping import plain_loop
from romproof.toolchains.rgbds.obj.model import AssertionKind
from romproof.toolchains.rgbds.obj.opmath import BINARY
from romproof.toolchains.rgbds.obj.rpn import RpnOp

_VAR = SymbolType.VAR
_KINDS = {"WARN": AssertionKind.WARN, "FAIL": AssertionKind.ERROR, "FATAL": AssertionKind.FATAL}
_COMPOUND = {"+=": RpnOp.ADD, "-=": RpnOp.SUB, "*=": RpnOp.MUL, "|=": RpnOp.OR, "&=": RpnOp.AND}


def _if(asm: Parts, scanner: Scanner) -> Act:
    condition = scanner.expression()[0]
    scanner.expect("END")

    def act(context: Context) -> None:
        value = condition()
        if value is None:
            raise NotPlain
        context.conditionals.append(Conditional(ran=value != 0))
        if not value:
            context.mode = Mode.TO_ELIF

    return act


def _else(asm: Parts, scanner: Scanner) -> Act:
    scanner.expect("END")
    return enter_else


def enter_else(context: Context) -> None:
    """ELSE. Raises NotPlain."""
    top = context.conditionals[-1] if context.conditionals else None
    if top is None or (top.ran and top.in_else):
        raise NotPlain
    if top.ran:
        context.mode = Mode.TO_ENDC
    else:
        top.ran = top.in_else = True


def _endc(asm: Parts, scanner: Scanner) -> Act:
    scanner.expect("END")
    return end_conditional


def end_conditional(context: Context) -> None:
    """ENDC. Raises NotPlain."""
    if not context.conditionals:
        raise NotPlain
    context.conditionals.pop()


def _rept(asm: Parts, scanner: Scanner) -> Act:
    probe = scanner.expression()[0]
    scanner.expect("END")
    contexts = asm.contexts

    def act(context: Context) -> None:
        count, start = probe(), context.pos
        ends = plain_loop(context.text, start)
        too_deep = len(contexts.stack) > asm.settings.recursion_depth
        if count is None or count < 0 or ends is None or too_deep:
            raise NotPlain
        line = context.line
        loop = Loop(count, start=Spot(context))
        body = context.text[start : ends[0]]
        context.line += body.count("\n") + 1
        context.pos = ends[1]
        contexts.run_loop(loop, body, line, context.source, quiet=False)

    return act


def _assert(asm: Parts, scanner: Scanner) -> Act:
    kind = AssertionKind.ERROR
    if scanner.kind in _KINDS:
        kind = _KINDS[scanner.take()[0]]
        scanner.expect(",")
    probe, build = scanner.expression()
    message = scanner.expect("STRING") if scanner.accept(",") else ""
    scanner.expect("END")

    def act(context: Context) -> None:
        value = probe()
        if value == 0:
            raise NotPlain
        if value is None:
            asm.assertions.add(kind, build(), message)

    return act


def _shift(asm: Parts, scanner: Scanner) -> Act:
    probe = number(1)[0] if scanner.kind == "END" else scanner.expression()[0]
    scanner.expect("END")
    contexts = asm.contexts

    def act(context: Context) -> None:
        arguments, count = contexts.arguments, probe()
        if arguments is None or count is None or not 0 <= count <= arguments.count:
            raise NotPlain
        arguments.shift(count)

    return act


def _charmap(asm: Parts, scanner: Scanner) -> Act:
    mapping = scanner.expect("STRING")
    probes = []
    while scanner.accept(","):
        probes.append(scanner.expression()[0])
    scanner.expect("END")
    charmaps = asm.charmaps

    def act(context: Context) -> None:
        values = [probe() for probe in probes]
        if not mapping or not values or None in values or charmaps.has(mapping):
            raise NotPlain
        charmaps.add(mapping, [value for value in values if value is not None])

    return act


def _def(asm: Parts, scanner: Scanner) -> Act:
    """DEF of a number."""
    name = scanner.expect("NAME")
    word = scanner.take()[0]
    if word not in ("EQU", "=") and word not in _COMPOUND:
        raise NotPlain
    value = scanner.expression()
    scanner.expect("END")
    if word == "EQU":
        return _constant(asm, name, value)
    return _variable(asm, name, value, _COMPOUND.get(word))


def _constant(asm: Parts, name: str, value: Value) -> Act:
    symbols, probe = asm.symbols, value[0]

    def act(context: Context) -> None:
        number = probe()
        if number is None or name in symbols.table:
            raise NotPlain
        symbols.add_equ(name, number)

    return act


def _variable(asm: Parts, name: str, value: Value, op: RpnOp | None) -> Act:
    symbols, probe = asm.symbols, value[0]
    compute = None if op is None else BINARY[op]

    def act(context: Context) -> None:
        number, symbol = probe(), symbols.table.get(name)
        if number is None or (symbol is not None and symbol.type is not _VAR):
            raise NotPlain
        if compute is not None:
            if symbol is None or symbol.is_builtin:
                raise NotPlain
            number = compute(symbol.value, number)
        symbols.add_variable(name, number)

    return act


Plain = Callable[[Parts, Scanner], Act]
LINES: Mapping[str, Plain] = {"IF": _if, "ELSE": _else, "ENDC": _endc, "REPT": _rept}
"""Those that are alone in a line."""
DIRECTIVES: Mapping[str, Plain] = {
    "ASSERT": _assert,
    "CHARMAP": _charmap,
    "DEF": _def,
    "SHIFT": _shift,
}
