"""Instructions: read an operand, choose the addressing mode, emit the bytes."""

from __future__ import annotations

from typing import Protocol

from romproof.isa.model import Opcode
from romproof.program.address_size import AddressSize
from romproof.toolchains.ca65.asm import expressions
from romproof.toolchains.ca65.asm.assertions import Assertions
from romproof.toolchains.ca65.asm.feed import Feed
from romproof.toolchains.ca65.asm.mnemonics import instruction_set
from romproof.toolchains.ca65.asm.parts import Emitting
from romproof.toolchains.ca65.asm.settings import Settings
from romproof.toolchains.ca65.asm.study import Evaluator
from romproof.toolchains.ca65.asm.symbol import SymbolRef
from romproof.toolchains.ca65.obj.expr import (
    Binary,
    BinaryOp,
    Expr,
    Literal,
    Unary,
    UnaryOp,
    leaves,
)
from romproof.toolchains.ca65.obj.object import Action


class Parts(Emitting, Protocol):
    """An instruction's size depends on what is known of its operand, and on the CPU."""

    settings: Settings
    evaluator: Evaluator
    assertions: Assertions


_OVERRIDES = {"z:": "a8", "a:": "a16", "f:": "a24"}

_ONLY_SMALL = ("a8", "a8,x", "a8,y", "(a8)", "(a8,x)")
"""Modes that a larger address rules out. ``(a8),y`` has no larger brother: the
range of its operand is checked when its value is known."""


def assemble_instruction(asm: Parts) -> None:
    """Assemble the instruction whose mnemonic is the current token."""
    feed = asm.feed
    modes = instruction_set(asm.settings.cpu)[feed.tok.text.lower()]
    feed.next()
    asm.segments.line_is_code = True
    branch = modes.get("e8")
    if branch is not None:
        asm.segments.emit_branch(branch.byte, asm.expressions.expression())
        return
    start = feed.tok
    forms, expr = _operand(asm)
    forms = [form for form in forms if form in modes]
    if expr is not None:
        forms, expr = _fitting(asm, forms, expr)
    if forms:
        _emit(asm, modes, modes[forms[0]], expr)
    elif not feed.reported_here():
        feed.error("Illegal addressing mode", start, help=_modes_help(modes))


def _operand(asm: Parts) -> tuple[list[str], Expr | None]:
    """The templates the operand may denote, smallest first, and its value."""
    feed = asm.feed
    override = _OVERRIDES.get(feed.tok.kind)
    if override is not None:
        feed.next()
    forms, expr = _effective_address(asm)
    if override is not None:
        plain = (override, f"{override},x", f"{override},y")
        forms = [form for form in forms if form in plain]
    return forms, expr


def _effective_address(asm: Parts) -> tuple[list[str], Expr | None]:
    feed = asm.feed
    if feed.tok.ends_line:
        return ["", "a"], None
    if feed.accept("#"):
        return ["#n8"], asm.expressions.expression()
    if feed.accept("A"):
        return ["a"], None
    brackets = "bracket_as_indirect" in asm.settings.syntax.features
    enter, leave = "[]" if brackets else "()"
    if feed.accept(enter):
        return _indirect(asm, leave)
    if not brackets and feed.accept("["):
        expr = asm.expressions.expression()
        feed.expect("]")
        if feed.accept(","):
            feed.expect("Y")
        return [], expr  # long indirect: no CPU of ours has it
    expr = asm.expressions.expression()
    if not feed.accept(","):
        return ["a8", "a16"], expr
    if feed.accept("X"):
        return ["a8,x", "a16,x"], expr
    if feed.accept("Y"):
        return ["a8,y", "a16,y"], expr
    feed.error("Syntax error", help="an index is X or Y")
    return [], expr


def _indirect(asm: Parts, leave: str) -> tuple[list[str], Expr | None]:
    feed = asm.feed
    expr = asm.expressions.expression()
    if feed.accept(","):
        if not feed.accept("X"):
            feed.error("Syntax error", help="the index inside the parentheses is X")
            return [], expr
        feed.expect(leave)
        return ["(a8,x)"], expr
    feed.expect(leave)
    if feed.accept(","):
        if not feed.accept("Y"):
            feed.error("'Y' expected", help="the index outside the parentheses is Y")
        return ["(a8),y"], expr
    return ["(a8)", "(a16)"], expr


def _emit(asm: Parts, modes: dict[str, Opcode], opcode: Opcode, expr: Expr | None) -> None:
    if expr is None:
        asm.segments.emit(bytes([opcode.byte]))
        return
    _warn_missing_hash(asm.feed, modes, opcode, expr)
    if opcode.placeholder == "n8" and "force_range" in asm.settings.syntax.features:
        expr = expressions.bounded(expr, 1)
    if opcode.mode == "(a16)":
        _assert_no_page_wrap(asm, expr)
    asm.segments.emit(bytes([opcode.byte]))
    asm.segments.emit_expr(expr, opcode.size - 1)


def _fitting(asm: Parts, forms: list[str], expr: Expr) -> tuple[list[str], Expr]:
    """Drop the forms that are too small for what is known of the value."""
    known = asm.evaluator.study(expr)
    if known.is_constant:
        expr = Literal(known.value)
    size = known.size
    if size is AddressSize.DEFAULT:
        if all(form in _ONLY_SMALL for form in forms):
            size = AddressSize.ZEROPAGE
        else:
            size = AddressSize.ABSOLUTE
            if any("a16" in form for form in forms) and any("a8" in form for form in forms):
                _remember_guess(asm.feed, expr)
    if size in (AddressSize.ABSOLUTE, AddressSize.FAR):
        forms = [form for form in forms if form not in _ONLY_SMALL]
    if size is AddressSize.FAR:
        forms = [form for form in forms if form not in ("a16", "a16,x")]
    return forms, expr


def _remember_guess(feed: Feed, expr: Expr) -> None:
    """Mark the symbols whose size had to be guessed, to warn if they are zero page."""
    for leaf in leaves(expr):
        if isinstance(leaf, SymbolRef):
            symbol = leaf.symbol
            if symbol.guessed_at is None and not symbol.defined:
                symbol.guessed_at = feed.statement


def _warn_missing_hash(feed: Feed, modes: dict[str, Opcode], opcode: Opcode, expr: Expr) -> None:
    """``lda <label`` where ``lda #<label`` was probably meant."""
    if "#n8" not in modes or opcode.mode != "a8":
        return
    match expr:
        case Unary(UnaryOp.BYTE0 | UnaryOp.BYTE1, SymbolRef(symbol)):
            if symbol.address_size is not AddressSize.ZEROPAGE:
                feed.warning("Suspicious address expression", help="is a '#' missing?")
        case _:
            pass


def _assert_no_page_wrap(asm: Parts, expr: Expr) -> None:
    """The NMOS 6502 fetches the high byte of ``jmp ($xxFF)`` from the same page."""
    low = expressions.unary(UnaryOp.BYTE0, expr)
    asm.assertions.add(
        Binary(BinaryOp.NE, low, Literal(0xFF)),
        Action.WARNING,
        '"jmp (abs)" across page border',
    )


def _modes_help(modes: dict[str, Opcode]) -> str:
    shown = sorted({op.syntax for op in modes.values()})
    return "there are: " + ", ".join(shown)
