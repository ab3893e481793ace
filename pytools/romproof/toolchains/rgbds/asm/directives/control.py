"""Conditionals, loops and macros."""

from __future__ import annotations

from typing import TYPE_CHECKING

from romproof.toolchains.rgbds.asm.context import Conditional, Loop, Mode
from romproof.toolchains.rgbds.asm.skipping import capture_loop, capture_macro
from romproof.toolchains.rgbds.asm.symbol import MacroBody, SymbolType

if TYPE_CHECKING:
    from romproof.toolchains.rgbds.asm.parser import Parser


def _condition(parser: Parser) -> bool:
    condition = parser.constant("NEWLINE")
    parser.expect("NEWLINE")
    return condition != 0


def _if(parser: Parser) -> None:
    taken = _condition(parser)
    context = parser.asm.lexer.context
    context.conditionals.append(Conditional(ran=taken))
    if not taken:
        context.mode = Mode.TO_ELIF


def _innermost(parser: Parser, word: str, after: str) -> Conditional:
    conditionals = parser.asm.lexer.context.conditionals
    if not conditionals:
        parser.asm.report.fatal(
            f"Found `{word}` outside of a conditional (not after an {after} block)"
        )
    return conditionals[-1]


def _elif(parser: Parser) -> None:
    taken = _condition(parser)
    context = parser.asm.lexer.context
    conditional = _innermost(parser, "ELIF", "`IF`/`ELIF`")
    if conditional.ran:
        if conditional.in_else:
            parser.asm.report.fatal("Found `ELIF` after an `ELSE` block")
        context.mode = Mode.TO_ENDC
    elif taken:
        conditional.ran = True
    else:
        context.mode = Mode.TO_ELIF


def _else(parser: Parser) -> None:
    parser.expect("NEWLINE")
    conditional = _innermost(parser, "ELSE", "`IF`/`ELIF`")
    if conditional.ran:
        if conditional.in_else:
            parser.asm.report.fatal("Found `ELSE` after an `ELSE` block")
        parser.asm.lexer.context.mode = Mode.TO_ENDC
    else:
        conditional.ran = conditional.in_else = True


def _endc(parser: Parser) -> None:
    parser.end_of_line()
    _innermost(parser, "ENDC", "`IF`/`ELIF`/`ELSE`")
    parser.asm.lexer.context.conditionals.pop()


def _quiet(parser: Parser) -> bool:
    return parser.accept("?") is not None


def _rept(parser: Parser) -> None:
    quiet = _quiet(parser)
    count = parser.count()
    parser.expect("NEWLINE")
    _run(parser, Loop(count), quiet)


def _run(parser: Parser, loop: Loop, quiet: bool) -> None:
    asm = parser.asm
    line, source = asm.line, asm.lexer.context.source
    loop.start = asm.lexer.context.statement_span()
    body = capture_loop(asm.lexer)
    parser.end_of_line()
    if body is None:
        return
    if loop.variable is not None:
        symbol = asm.symbols.add_variable(loop.variable, loop.value)
        if symbol.type is not SymbolType.VAR:
            return
        loop.count = _turns(parser, loop)
    asm.contexts.run_loop(loop, body, line, source, quiet)


def _for(parser: Parser) -> None:
    context = parser.asm.lexer.context
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
    _run(parser, Loop(stop, name, start, step), quiet)


def _turns(parser: Parser, loop: Loop) -> int:
    """How often a FOR turns; its ``count`` still is where it stops."""
    start, stop, step = loop.value, loop.count, loop.step
    report = parser.asm.report
    if step == 0:
        report.error("`FOR` cannot have a step value of 0")
        return 0
    if (step > 0 and start > stop) or (step < 0 and start < stop):
        report.warning("backwards-for", f"`FOR` goes backwards from {start} to {stop} by {step}")
    return len(range(start, stop, step))


def _macro(parser: Parser) -> None:
    asm = parser.asm
    context = asm.lexer.context
    context.expanding_strings = False
    quiet = _quiet(parser)
    name = parser.name("SYMBOL")
    context.expanding_strings = True
    parser.expect("NEWLINE")
    line, source = asm.line, context.source
    body = capture_macro(asm.lexer)
    parser.end_of_line()
    if body is not None:
        asm.symbols.add_macro(name, MacroBody(body, source, line, quiet))


def _break(parser: Parser) -> None:
    parser.end_of_line()
    if parser.asm.contexts.break_loop():
        parser.asm.lexer.context.mode = Mode.TO_ENDR


def _shift(parser: Parser) -> None:
    count = 1 if parser.at_end else parser.constant()
    parser.end_of_statement()
    arguments = parser.asm.contexts.arguments
    if arguments is None:
        parser.asm.report.error("Cannot shift macro arguments outside of a macro")
        return
    complaint = arguments.shift(count)
    if complaint is not None:
        parser.asm.report.warning("macro-shift", complaint)


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
