"""What a plain line does, as a function made of its text."""

from __future__ import annotations

import re

from romproof.toolchains.rgbds.asm.arguments import MacroArguments
from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.context import Context
from romproof.toolchains.rgbds.asm.keywords import KEYWORDS, MNEMONICS
from romproof.toolchains.rgbds.asm.model import SymbolType
from romproof.toolchains.rgbds.asm.quick import writing
from romproof.toolchains.rgbds.asm.quick.arguments import arguments_of
from romproof.toolchains.rgbds.asm.quick.control import DIRECTIVES, LINES
from romproof.toolchains.rgbds.asm.quick.definitions import DEFINITIONS
from romproof.toolchains.rgbds.asm.quick.operands import Scanner
from romproof.toolchains.rgbds.asm.quick.scan import tokens
from romproof.toolchains.rgbds.asm.quick.values import NotPlain, find_symbol
from romproof.toolchains.rgbds.asm.quick.writing import Act

_MACRO = SymbolType.MACRO
_CALL = re.compile(r"[ \t]*([A-Za-z_][A-Za-z0-9_]*+)(?:(?=[ \t])(.*))?\Z", re.DOTALL)
_PLAIN_CALL = re.compile(
    r"[ \t]*([A-Za-z_][A-Za-z0-9_]*+)(?:[ \t]++([^\"'();\\{/\r]*+))?(?:;[^\r]*+)?\Z"
)
_BYTES = re.compile(
    r"[ \t]*DB[ \t]+((?:\$[0-9A-F]{1,2}[ \t]*,[ \t]*)*+\$[0-9A-F]{1,2})[ \t]*", re.IGNORECASE
)
"""Bytes in hexadecimal: pictures and rooms are long lists of them."""
_DIGITS = re.compile(r"[0-9A-Fa-f]+")
_STATEMENTS = {"DB": 1, "DW": 2, "DL": 4}


class LinePlan:
    """A line. ``label`` and ``act`` are what it has of both; ``column`` is where the statement
    begins, and how much of the line's text has to be the source's own for messages to name that.
    """

    __slots__ = ("act", "column", "exported", "label")

    def __init__(self) -> None:
        self.label = ""
        self.exported = False
        self.act: Act | None = None
        self.column = 0


def plain_call(asm: Assembly, line: str) -> LinePlan | None:
    """What a line does that is a call with plain arguments, as most lines are that come once."""
    match = _PLAIN_CALL.match(line)
    if match is None or match[1].upper() in KEYWORDS:
        return None
    plan = LinePlan()
    plan.act, plan.column = _enter(asm, match[1], arguments_of(match[2] or "")), match.start(1)
    return plan


def plan_of(asm: Assembly, code: str) -> LinePlan:
    """What a line does; ``code`` has no comment. Raises NotPlain."""
    plan = LinePlan()
    if not code or code.isspace():
        return plan
    call = _call(asm, code)
    if call is not None:
        plan.act, plan.column = call
        return plan
    data = _BYTES.fullmatch(code)
    if data is not None:
        numbers = bytes(int(number, 16) for number in _DIGITS.findall(data[1]))
        plan.act, plan.column = writing.known_bytes(asm, numbers), len(code) - len(code.lstrip())
        return plan
    scanner = Scanner(asm, tokens(code, 0))
    if scanner.kind in LINES:
        plan.act = LINES[scanner.take()[0]](asm, scanner)
        return plan
    _label(scanner, plan)
    kind, plan.column = scanner.kind, scanner.column
    if kind == "END":
        return plan
    if plan.label and kind == "NAME":
        raise NotPlain  # a call: its arguments are no tokens
    scanner.take()
    if kind in _STATEMENTS:
        plan.act = writing.data(asm, scanner, _STATEMENTS[kind])
    elif kind == "DS":
        plan.act = writing.space(asm, scanner)
    elif kind in MNEMONICS:
        plan.act = writing.instruction(asm, kind, scanner)
    elif kind in DIRECTIVES:
        plan.act = DIRECTIVES[kind](asm, scanner)
    elif kind in DEFINITIONS:
        plan.act = DEFINITIONS[kind](asm, scanner)
    else:
        raise NotPlain
    return plan


def _label(scanner: Scanner, plan: LinePlan) -> None:
    """The label that a line begins with, if there is one."""
    kind = scanner.kind
    if kind not in ("NAME", "LOCAL"):
        return
    _, name, at = scanner.take()
    plan.label = str(name)
    behind = at + len(plan.label)
    if scanner.column == behind or kind == "LOCAL":
        if scanner.accept("::"):
            plan.exported = True
            return
        if scanner.accept(":") or kind == "LOCAL":
            return
    raise NotPlain


def _call(asm: Assembly, code: str) -> tuple[Act, int] | None:
    """A call of a macro, if the line looks like one; and where it begins."""
    match = _CALL.match(code)
    if match is None or match[1].upper() in KEYWORDS:
        return None
    return _enter(asm, match[1], arguments_of(match[2] or "")), match.start(1)


def _enter(asm: Assembly, name: str, arguments: tuple[str, ...]) -> Act:
    find, contexts = asm.symbols.table.get, asm.contexts

    def act(context: Context) -> None:
        symbol = find(name)
        if symbol is None or symbol.type is not _MACRO:
            raise NotPlain
        contexts.enter_macro(symbol, MacroArguments(arguments), quiet=False)

    return act


def label_fits(asm: Assembly, name: str) -> bool:
    """Whether a label can be defined here without a complaint. Raises NotPlain."""
    if asm.sections.current is None:
        return False
    symbol = find_symbol(asm, name)
    return symbol is None or symbol.type is SymbolType.REF
