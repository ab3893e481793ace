"""Operands of instructions: which addressing modes the text may denote, and the value in it."""

from __future__ import annotations

from typing import Final

from romproof.toolchains.ca65.asm.assembly import Assembly
from romproof.toolchains.ca65.obj.expr import Expr

_OVERRIDES: Final = {
    "z:": ("a8", "n8", "a8,x", "a8,y"),
    "a:": ("a16", "a16,x", "a16,y"),
    "f:": ("a24", "a24,x"),
}
"""The modes that a prefix leaves."""

_WITHOUT_INDEX: Final = ("65CE02", "45GS02")
"""CPUs that have ``(zp),z``, where ca65 lets one leave out the index."""

Operand = tuple[list[str], Expr | None]
"""The templates that the operand may denote, smallest first, and its value."""


def read_operand(asm: Assembly) -> Operand:
    """Read what stands behind a mnemonic."""
    feed = asm.feed
    allowed = _OVERRIDES.get(feed.tok.kind)
    if allowed is not None:
        feed.next()
    forms, expr = _effective_address(asm)
    if allowed is not None:
        forms = [form for form in forms if form in allowed]
    return forms, expr


def _effective_address(asm: Assembly) -> Operand:
    feed = asm.feed
    if feed.tok.ends_line:
        return ["", "a"], None
    if feed.accept("#"):
        return ["#nm", "#nx", "#n8", "#n16"], asm.expressions.expression()
    if feed.accept("A"):
        return ["a"], None
    if feed.accept("Q"):
        return ["q"], None
    brackets = "bracket_as_indirect" in asm.settings.syntax.features
    enter, leave = "[]" if brackets else "()"
    if feed.accept(enter):
        return _indirect(asm, leave)
    if not brackets and feed.accept("["):
        expr = asm.expressions.expression()
        feed.expect("]")
        if feed.accept(","):
            if asm.settings.cpu == "45GS02":
                feed.expect("Z")
                return ["[a8],z"], expr
            feed.expect("Y")
            return ["[a8],y"], expr
        return ["[a8]", "[a16]"], expr
    expr = asm.expressions.expression()
    if not feed.accept(","):
        return ["a8", "n8", "a16", "a24"], expr
    if feed.accept("X"):
        return ["a8,x", "a16,x", "a24,x"], expr
    if feed.accept("Y"):
        return ["a8,y", "a16,y"], expr
    if feed.accept("S"):
        return ["n8,s"], expr
    feed.error("Syntax error", help="an index is X or Y")
    return [], expr


def _indirect(asm: Assembly, leave: str) -> Operand:
    feed = asm.feed
    expr = asm.expressions.expression()
    if feed.accept(","):
        if feed.accept("S"):
            feed.expect(leave)
            feed.expect(",")
            feed.expect("Y")
            return ["(n8,s),y"], expr
        if not feed.accept("X"):
            feed.error("Syntax error", help="the index inside the parentheses is X")
            return [], expr
        feed.expect(leave)
        return ["(a8,x)", "(a16,x)"], expr
    feed.expect(leave)
    if feed.accept(","):
        if feed.accept("Z"):
            return ["(a8),z"], expr
        if not feed.accept("Y"):
            feed.error("'Y' expected", help="the index outside the parentheses is Y")
        return ["(a8),y"], expr
    if asm.settings.cpu in _WITHOUT_INDEX:
        return ["(a8),z", "(a16)"], expr
    return ["(a8)", "(a16)", "[a16]"], expr
