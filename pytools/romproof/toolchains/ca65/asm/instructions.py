"""Instructions: choose the addressing mode, emit the bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from romproof.isa.encodings import Encoding
from romproof.program.address_size import AddressSize
from romproof.toolchains.ca65.asm import expressions
from romproof.toolchains.ca65.asm.assembly import Assembly
from romproof.toolchains.ca65.asm.feed import Feed
from romproof.toolchains.ca65.asm.mnemonics import instruction_set
from romproof.toolchains.ca65.asm.operands import read_operand
from romproof.toolchains.ca65.asm.settings import Settings
from romproof.toolchains.ca65.asm.symbol_refs import SymbolRef
from romproof.toolchains.ca65.obj.cpus import CPUS
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

_SMALL: Final = frozenset(("a8", "n8", "a8,x", "a8,y", "(a8)", "(a8,x)"))
"""Modes that a larger address rules out. ``(a8),y`` has no larger brother: the
range of its operand is checked when its value is known."""
_NEAR: Final = frozenset(("a16", "a16,x"))
"""Modes that a long address rules out."""
_LONG: Final = frozenset(("a24", "a24,x"))
_IN_BANK: Final = frozenset(("a16", "a16,x", "a16,y"))
"""Of the 65816: the operand is an address within a bank."""
IMMEDIATE: Final = ("#nm", "#nx", "#n8")


def assemble_instruction(asm: Assembly) -> None:
    """Assemble the instruction whose mnemonic is the current token."""
    feed, cpu = asm.feed, asm.settings.cpu
    mnemonic = feed.tok.text.lower()
    modes = instruction_set(cpu)[mnemonic]
    asm.settings.used.add(CPUS[cpu])
    feed.next()
    asm.segments.line_is_code = True
    first = next(iter(modes.values()))
    put = _WITH_OPERANDS_OF_THEIR_OWN.get(first.placeholder)
    if put is not None:
        put(asm, first)
    elif mnemonic in ("rep", "sep") and asm.settings.smart:
        _track(asm, mnemonic, _general(asm, modes))
    elif cpu == "65816" and mnemonic in _NEAR_JUMPS and not _promotes_jumps(asm):
        _general(asm, {form: code for form, code in modes.items() if form != "a24"})
    elif mnemonic == "rts" and cpu == "65816":
        back = instruction_set(cpu)["rtl"][""] if _in_far_scope(asm) else first
        asm.segments.emit(bytes([back.byte]))
    else:
        _general(asm, modes)


def _promotes_jumps(asm: Assembly) -> bool:
    syntax = asm.settings.syntax
    return syntax.dialect.promotes_jumps or "long_jsr_jmp_rts" in syntax.features


def _general(asm: Assembly, modes: Mapping[str, Encoding]) -> Expr | None:
    """An instruction with one operand or none; gives the value that was emitted."""
    feed = asm.feed
    start = feed.tok
    forms, expr = read_operand(asm)
    forms = [form for form in forms if form in modes]
    if expr is not None:
        forms, expr = _fitting(asm, forms, expr)
    if forms:
        _emit(asm, modes, modes[forms[0]], expr)
        return expr
    if not feed.has_reported_here():
        feed.error("Illegal addressing mode", start, help=_modes_help(modes))
    return None


# ---------------------------------------------------------------- other operands


def _short_branch(asm: Assembly, opcode: Encoding) -> None:
    asm.segments.emit_branch(opcode.byte, asm.expressions.expression())


def _long_branch(asm: Assembly, opcode: Encoding) -> None:
    """``brl`` and ``per``."""
    asm.segments.emit_branch(opcode.byte, asm.expressions.expression(), 2)


def _bit_branch(asm: Assembly, opcode: Encoding) -> None:
    """``bbr0`` and its kin: a byte in the zero page, then the target."""
    asm.segments.emit(bytes([opcode.byte]))
    asm.segments.emit_expr(asm.expressions.expression(), 1)
    asm.feed.expect(",")
    target = asm.expressions.expression()
    asm.segments.emit_expr(asm.segments.distance(target, 1), 1, signed=True)


def _block_move(asm: Assembly, opcode: Encoding) -> None:
    """``mvn`` and ``mvp``: source and destination, banks or addresses in them; the destination
    is written first."""
    asm.segments.emit(bytes([opcode.byte]))
    source = _bank(asm)
    asm.feed.expect(",")
    destination = _bank(asm)
    asm.segments.emit_expr(destination, 1)
    asm.segments.emit_expr(source, 1)


def _bank(asm: Assembly) -> Expr:
    if asm.feed.accept("#"):
        return asm.expressions.expression()
    return expressions.unary(UnaryOp.BYTE2, asm.expressions.expression())


_NEAR_JUMPS = frozenset({"jmp", "jsr", "rts"})
"""What the 65816 has a long form of by another name."""

_WITH_OPERANDS_OF_THEIR_OWN: Mapping[str, Callable[[Assembly, Encoding], None]] = MappingProxyType(
    {"e8": _short_branch, "e16": _long_branch, "a8,e8": _bit_branch, "#n8,#n8": _block_move}
)
"""By placeholder: instructions whose operand is not chosen among modes."""


# ---------------------------------------------------------------- the 65816's registers


def _track(asm: Assembly, mnemonic: str, expr: Expr | None) -> None:
    """``.smart``: ``rep`` and ``sep`` say how long immediate values are from here on."""
    value = None if expr is None else asm.evaluator.constant_value(expr)
    if value is None or value < 0:
        asm.feed.warning("Cannot track processor status byte")
        return
    change = asm.settings.wide.add if mnemonic == "rep" else asm.settings.wide.discard
    for bit, placeholder in ((0x10, "nx"), (0x20, "nm")):
        if value & bit:
            change(placeholder)


def _in_far_scope(asm: Assembly) -> bool:
    """Whether ``rts`` has to return to another bank."""
    far = asm.symbols.current.address_size is AddressSize.FAR
    return asm.settings.smart and far


def _operand_size(settings: Settings, opcode: Encoding) -> int:
    """The bytes of an operand. ca65 takes the value of ``bit`` for the accumulator's on the 65C02
    as well, where ``.a16`` may have been left behind."""
    placeholder = opcode.placeholder
    if opcode.mnemonic == "bit" and opcode.mode == "#n8":
        placeholder = "nm"
    return opcode.size - 1 + (placeholder in settings.wide)


# ---------------------------------------------------------------- modes and bytes


def _emit(
    asm: Assembly, modes: Mapping[str, Encoding], opcode: Encoding, expr: Expr | None
) -> None:
    if expr is None:
        asm.segments.emit(bytes([opcode.byte]))
        return
    size = _operand_size(asm.settings, opcode)
    _warn_missing_hash(asm.feed, modes, opcode, expr)
    if opcode.mode in IMMEDIATE and "force_range" in asm.settings.syntax.features:
        expr = expressions.bound(expr, size)
    relaxed = asm.options.relax_checks and asm.settings.syntax.dialect.wrap_is_error
    if opcode.mode == "(a16)" and asm.settings.cpu in ("6502", "6502X") and not relaxed:
        _assert_no_page_wrap(asm, expr)
    if opcode.mode in _IN_BANK and asm.settings.cpu == "65816":
        expr = _near(asm.feed, expr)
    asm.segments.emit(bytes([opcode.byte]))
    asm.segments.emit_expr(expr, size, operand=True)


def _near(feed: Feed, expr: Expr) -> Expr:
    """The address within its bank."""
    if isinstance(expr, Literal) and expr.value > 0xFFFF:
        feed.error(
            "Range error: constant too large for assumed near address.",
            feed.operand,
            help="this instruction has no long address; take the low word: .loword(...)",
        )
    return expressions.unary(UnaryOp.NEAR, expr)


def _fitting(asm: Assembly, forms: list[str], expr: Expr) -> tuple[list[str], Expr]:
    """Drop the forms that are too small for what is known of the value."""
    known = asm.evaluator.study(expr)
    if known.is_constant:
        expr = Literal(known.value)
    forms, guessed = _forms_for(forms, known.size)
    if guessed:
        _remember_guess(asm.feed, expr)
    return forms, expr


def _forms_for(forms: list[str], size: AddressSize) -> tuple[list[str], bool]:
    """The forms that an address size leaves; and whether it was a guess that ruled out others."""
    guessed = False
    if size is AddressSize.DEFAULT:
        size = _assume_size(forms)
        guessed = size is AddressSize.ABSOLUTE and not _SMALL.isdisjoint(forms)
    if size in (AddressSize.ABSOLUTE, AddressSize.FAR):
        forms = [form for form in forms if form not in _SMALL]
    if size is AddressSize.FAR:
        forms = [form for form in forms if form not in _NEAR]
    return forms, guessed


def _assume_size(forms: list[str]) -> AddressSize:
    """The size of an address of which nothing is known: what fits all modes, or a word."""
    for size, modes in ((AddressSize.ZEROPAGE, _SMALL), (AddressSize.FAR, _LONG)):
        if modes.issuperset(forms):
            return size
    return AddressSize.ABSOLUTE


def _remember_guess(feed: Feed, expr: Expr) -> None:
    """Mark the symbols whose size had to be guessed, to warn if they are zero page."""
    for leaf in leaves(expr):
        if isinstance(leaf, SymbolRef):
            symbol = leaf.symbol
            if symbol.guessed_at is None and not symbol.defined:
                symbol.guessed_at = feed.statement


def _warn_missing_hash(
    feed: Feed, modes: Mapping[str, Encoding], opcode: Encoding, expr: Expr
) -> None:
    """``lda <label`` where ``lda #<label`` was probably meant."""
    if opcode.mode != "a8" or not any(mode in modes for mode in IMMEDIATE):
        return
    match expr:
        case Unary(UnaryOp.BYTE0 | UnaryOp.BYTE1, SymbolRef(symbol)):
            if symbol.address_size is not AddressSize.ZEROPAGE:
                feed.warning("Suspicious address expression", help="check whether a '#' is missing")
        case _:
            pass


def _assert_no_page_wrap(asm: Assembly, expr: Expr) -> None:
    """The NMOS 6502 fetches the high byte of ``jmp ($xxFF)`` from the same page."""
    low = expressions.unary(UnaryOp.BYTE0, expr)
    asm.assertions.add(
        Binary(BinaryOp.NE, low, Literal(0xFF)),
        Action.ERROR if asm.settings.syntax.dialect.wrap_is_error else Action.WARNING,
        '"jmp (abs)" across page border',
    )


def _modes_help(modes: Mapping[str, Encoding]) -> str:
    shown = sorted({op.syntax for op in modes.values()})
    return "there are: " + ", ".join(shown)
