"""Conditionals, loops and macros."""

from __future__ import annotations

from functools import partial

from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.context import Conditional, Loop, Mode, StatementSpot
from romproof.toolchains.rgbds.asm.model import MacroBody, SymbolType
from romproof.toolchains.rgbds.asm.skipping import capture_loop, capture_macro
from romproof.toolchains.rgbds.asm.values import ValueParser


def _condition(parser: ValueParser) -> bool:
    condition = parser.constant("NEWLINE")
    parser.expect("NEWLINE")
    return condition != 0


def _if(parser: ValueParser, asm: Assembly) -> None:
    taken = _condition(parser)
    context = parser.lexer.context
    context.conditionals.append(Conditional(ran=taken))
    if not taken:
        context.mode = Mode.TO_ELIF


def _innermost(parser: ValueParser, asm: Assembly, word: str, after: str) -> Conditional:
    conditionals = parser.lexer.context.conditionals
    if not conditionals:
        asm.report.fatal(f"Found `{word}` outside of a conditional (not after an {after} block)")
    return conditionals[-1]


def _elif(parser: ValueParser, asm: Assembly) -> None:
    taken = _condition(parser)
    context = parser.lexer.context
    conditional = _innermost(parser, asm, "ELIF", "`IF`/`ELIF`")
    if conditional.ran:
        if conditional.in_else:
            asm.report.fatal("Found `ELIF` after an `ELSE` block")
        context.mode = Mode.TO_ENDC
    elif taken:
        conditional.ran = True
    else:
        context.mode = Mode.TO_ELIF


def _else(parser: ValueParser, asm: Assembly) -> None:
    parser.expect("NEWLINE")
    conditional = _innermost(parser, asm, "ELSE", "`IF`/`ELIF`")
    if conditional.ran:
        if conditional.in_else:
            asm.report.fatal("Found `ELSE` after an `ELSE` block")
        parser.lexer.context.mode = Mode.TO_ENDC
    else:
        conditional.ran = conditional.in_else = True


def _endc(parser: ValueParser, asm: Assembly) -> None:
    parser.end_of_line()
    _innermost(parser, asm, "ENDC", "`IF`/`ELIF`/`ELSE`")
    parser.lexer.context.conditionals.pop()


def _quiet(parser: ValueParser) -> bool:
    return parser.accept("?") is not None


def _rept(parser: ValueParser, asm: Assembly) -> None:
    quiet = _quiet(parser)
    count = parser.count()
    parser.expect("NEWLINE")
    _run(parser, asm, Loop(count), quiet)


def _run(
    parser: ValueParser, asm: Assembly, loop: Loop, quiet: bool, variable: str | None = None
) -> None:
    line, source = asm.contexts.line, parser.lexer.context.source
    loop.start = StatementSpot(parser.lexer.context)
    body = capture_loop(parser.lexer)
    parser.end_of_line()
    if body is None:
        return
    if variable is not None:
        symbol = asm.symbols.add_variable(variable, loop.value)
        if symbol.type is not SymbolType.VAR:
            return
        loop.count = _turns(parser, asm, loop)
        loop.assign = partial(assign_turn, asm, variable)
    asm.contexts.run_loop(loop, body, line, source, quiet)


def assign_turn(asm: Assembly, variable: str, value: int) -> None:
    """The variable of a FOR, for the next turn."""
    symbol = asm.symbols.add_variable(variable, value)
    if symbol.type is not SymbolType.VAR:
        asm.report.fatal("Failed to update `FOR` symbol value")


def _for(parser: ValueParser, asm: Assembly) -> None:
    context = parser.lexer.context
    context.expanding_strings = False
    quiet = _quiet(parser)
    name = parser.name("SYMBOL")
    context.expanding_strings = True
    parser.expect(",")
    bounds = [parser.constant(",", "NEWLINE")]
    while len(bounds) < 3 and parser.accept(","):
        bounds.append(parser.constant(",", "NEWLINE"))
    parser.expect("NEWLINE")
    start, stop = (0, bounds[0]) if len(bounds) == 1 else bounds[:2]
    step = bounds[2] if len(bounds) == 3 else 1
    _run(parser, asm, Loop(stop, value=start, step=step), quiet, name)


def _turns(parser: ValueParser, asm: Assembly, loop: Loop) -> int:
    """How often a FOR turns; its ``count`` still is where it stops."""
    start, stop, step = loop.value, loop.count, loop.step
    report = asm.report
    if step == 0:
        report.error("`FOR` cannot have a step value of 0")
        return 0
    if (step > 0 and start > stop) or (step < 0 and start < stop):
        report.warning("backwards-for", f"`FOR` goes backwards from {start} to {stop} by {step}")
    return len(range(start, stop, step))


def _macro(parser: ValueParser, asm: Assembly) -> None:
    context = parser.lexer.context
    context.expanding_strings = False
    quiet = _quiet(parser)
    name = parser.name("SYMBOL")
    context.expanding_strings = True
    parser.expect("NEWLINE")
    line, source = asm.contexts.line, context.source
    body = capture_macro(parser.lexer)
    parser.end_of_line()
    if body is not None:
        asm.symbols.add_macro(name, MacroBody(body, source, line, quiet))


def _break(parser: ValueParser, asm: Assembly) -> None:
    parser.end_of_line()
    if asm.contexts.break_loop():
        parser.lexer.context.mode = Mode.TO_ENDR


def _shift(parser: ValueParser, asm: Assembly) -> None:
    count = 1 if parser.at_end else parser.constant()
    parser.end_of_statement()
    arguments = asm.contexts.arguments
    if arguments is None:
        asm.report.error("Cannot shift macro arguments outside of a macro")
        return
    complaint = arguments.shift(count)
    if complaint is not None:
        asm.report.warning("macro-shift", complaint)


LINES = {
    "IF": _if,
    "ELIF": _elif,
    "ELSE": _else,
    "ENDC": _endc,
    "REPT": _rept,
    "FOR": _for,
    "MACRO": _macro,
}
DIRECTIVES = {"BREAK": _break, "SHIFT": _shift}
