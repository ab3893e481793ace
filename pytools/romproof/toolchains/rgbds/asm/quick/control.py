"""Plain conditionals and loops, and directives that write nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.context import Conditional, Context, Loop, Mode, StatementSpot
from romproof.toolchains.rgbds.asm.directives.control import assign_turn
from romproof.toolchains.rgbds.asm.model import SymbolType
from romproof.toolchains.rgbds.asm.quick.operands import Scanner
from romproof.toolchains.rgbds.asm.quick.values import NotPlain, number
from romproof.toolchains.rgbds.asm.quick.writing import Act
from romproof.toolchains.rgbds.asm.skipping import plain_loop
from romproof.toolchains.rgbds.obj.model import AssertionKind
from romproof.toolchains.rgbds.obj.opmath import wrap

_VAR, _REF = SymbolType.VAR, SymbolType.REF
_KINDS = {"WARN": AssertionKind.WARN, "FAIL": AssertionKind.ERROR, "FATAL": AssertionKind.FATAL}


def _if(asm: Assembly, scanner: Scanner) -> Act:
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


def end_branch(context: Context) -> None:
    """ELIF at the end of a branch that was assembled: what stands behind it plays no part.

    Raises NotPlain."""
    top = context.conditionals[-1] if context.conditionals else None
    if top is None or top.in_else or not top.ran:
        raise NotPlain
    context.mode = Mode.OVER


def _else(asm: Assembly, scanner: Scanner) -> Act:
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


def _endc(asm: Assembly, scanner: Scanner) -> Act:
    scanner.expect("END")
    return end_conditional


def end_conditional(context: Context) -> None:
    """ENDC. Raises NotPlain."""
    if not context.conditionals:
        raise NotPlain
    context.conditionals.pop()


def _rept(asm: Assembly, scanner: Scanner) -> Act:
    quiet = scanner.accept("?")
    probe = scanner.expression()[0]
    scanner.expect("END")

    def act(context: Context) -> None:
        count = probe()
        if count is None or count < 0:
            raise NotPlain
        _run(asm, context, Loop(count), quiet, lambda: None)

    return act


def _run(
    asm: Assembly, context: Context, loop: Loop, quiet: bool, begin: Callable[[], object]
) -> None:
    """Read what follows up to ENDR as often as ``loop`` says. Raises NotPlain before ``begin``."""
    contexts, start = asm.contexts, context.pos
    ends = plain_loop(context.text, start)
    if ends is None or len(contexts.stack) > asm.settings.recursion_depth:
        raise NotPlain
    line = context.line
    loop.start = StatementSpot(context)
    body = context.text[start : ends[0]]
    context.line += body.count("\n") + 1
    context.pos = ends[1]
    begin()
    contexts.run_loop(loop, body, line, context.source, quiet)


def _for(asm: Assembly, scanner: Scanner) -> Act:
    quiet = scanner.accept("?")
    name = scanner.expect("NAME")
    probes = []
    while scanner.accept(","):
        probes.append(scanner.expression()[0])
    scanner.expect("END")
    if not 1 <= len(probes) <= 3:
        raise NotPlain
    symbols = asm.symbols

    def act(context: Context) -> None:
        bounds = [probe() for probe in probes]
        known = [wrap(bound) for bound in bounds if bound is not None]
        symbol = symbols.table.get(name)
        if len(known) < len(bounds) or (symbol is not None and symbol.type not in (_VAR, _REF)):
            raise NotPlain
        start, stop = (0, known[0]) if len(known) == 1 else known[:2]
        step = known[2] if len(known) == 3 else 1
        if step == 0 or (start > stop if step > 0 else start < stop):
            raise NotPlain  # that is complained of
        loop = Loop(len(range(start, stop, step)), partial(assign_turn, asm, name), start, step)
        _run(asm, context, loop, quiet, lambda: symbols.add_variable(name, start))

    return act


def _assert(asm: Assembly, scanner: Scanner) -> Act:
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


def _shift(asm: Assembly, scanner: Scanner) -> Act:
    probe = number(1)[0] if scanner.kind == "END" else scanner.expression()[0]
    scanner.expect("END")
    contexts = asm.contexts

    def act(context: Context) -> None:
        arguments, count = contexts.arguments, probe()
        if arguments is None or count is None or not 0 <= count <= arguments.count:
            raise NotPlain
        arguments.shift(count)

    return act


def _charmap(asm: Assembly, scanner: Scanner) -> Act:
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


Plain = Callable[[Assembly, Scanner], Act]
LINES: Mapping[str, Plain] = {
    "IF": _if,
    "ELSE": _else,
    "ENDC": _endc,
    "REPT": _rept,
    "FOR": _for,
}
"""Those that are alone in a line."""
DIRECTIVES: Mapping[str, Plain] = {
    "ASSERT": _assert,
    "CHARMAP": _charmap,
    "SHIFT": _shift,
}
