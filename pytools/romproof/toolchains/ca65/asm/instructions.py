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
from romproof.toolchains.ca65.asm.tokens import REGISTER
from romproof.toolchains.ca65.obj.dialect import Change
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

_SMALL: Final = frozenset(("a8", "n8", "a8,x", "a8,y", "(a8)", "(a8),z", "(a8,x)"))
"""Modes that a larger address rules out. ``(a8),y`` has no larger brother: the
range of its operand is checked when its value is known."""
_NEAR: Final = frozenset(("a16", "a16,x"))
"""Modes that a long address rules out."""
_LONG: Final = frozenset(("a24", "a24,x"))
_IN_BANK: Final = frozenset(("a16", "a16,x", "a16,y"))
"""Of the 65816: the operand is an address within a bank."""
SWEET16_REGISTERS: Final = 16
IMMEDIATE: Final = ("#nm", "#nx", "#n8", "#n16")


def assemble_instruction(asm: Assembly) -> None:
    """Assemble the instruction whose mnemonic is the current token."""
    feed, cpu, dialect = asm.feed, asm.settings.cpu, asm.settings.syntax.dialect
    mnemonic = feed.tok.text.lower()
    modes = instruction_set(cpu, dialect)[mnemonic]
    asm.settings.used.add(dialect.cpus[cpu])
    feed.next()
    asm.segments.line_is_code = True
    first = next(iter(modes.values()))
    put = _WITH_OPERANDS_OF_THEIR_OWN.get(first.placeholder)
    if cpu == "sweet16":
        _of_sweet16(asm, modes)
    elif "a,e8" in modes:
        _bit_branch_of_the_m740(asm, modes)
    elif r"\n8" in modes:
        _call_of_the_m740(asm, modes)
    elif put is not None:
        put(asm, first)
    elif mnemonic in ("rep", "sep") and asm.settings.smart:
        _track(asm, mnemonic, _general(asm, modes))
    elif mnemonic == "tma":
        _check_bank(asm, _general(asm, modes))
    elif cpu == "65816" and mnemonic in _NEAR_JUMPS and not _promotes_jumps(asm):
        _general(asm, {form: code for form, code in modes.items() if form != "a24"})
    elif mnemonic == "rts" and cpu == "65816":
        back = instruction_set(cpu, dialect)["rtl"][""] if _in_far_scope(asm) else first
        asm.segments.emit(bytes([back.byte]))
    else:
        _general(asm, modes)


def _promotes_jumps(asm: Assembly) -> bool:
    syntax = asm.settings.syntax
    return Change.NEAR_JUMPS not in syntax.dialect or "long_jsr_jmp_rts" in syntax.features


def _general(asm: Assembly, modes: Mapping[str, Encoding]) -> Expr | None:
    """An instruction with one operand or none; gives the value that was emitted."""
    feed = asm.feed
    start = feed.tok
    forms, expr = read_operand(asm)
    forms = [form for form in forms if form in modes]
    if expr is not None:
        forms, expr = _fitting(asm, forms, expr)
    if forms and expr is not None and not (start.kind == "z:" and _is_explicit(asm)):
        _warn_missing_hash(feed, modes, modes[forms[0]], expr)
    if forms:
        _emit(asm, modes[forms[0]], expr)
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


def _word_branch(asm: Assembly, opcode: Encoding) -> None:
    """``lbra`` and its kin of the 65CE02, which counts from the second byte of the distance."""
    distance = asm.segments.distance(asm.expressions.expression(), 2)
    asm.segments.emit(bytes([opcode.byte]))
    asm.segments.emit_expr(distance, 2, signed=True)


def _block_transfer(asm: Assembly, opcode: Encoding) -> None:
    """``tii`` and its kin of the HuC6280: source, destination, length."""
    asm.segments.emit(bytes([opcode.byte]))
    for separator in (",", ",", ""):
        asm.segments.emit_expr(asm.expressions.expression(), 2)
        if separator:
            asm.feed.expect(separator)


def _test(asm: Assembly, opcode: Encoding) -> None:
    """``tst`` of the HuC6280: a mask, then what it is held against."""
    feed = asm.feed
    if not feed.accept("#"):
        feed.error_skip("Illegal addressing mode", help="there are: tst #n8,a8 and the like")
        return
    mask = asm.expressions.expression()
    feed.expect(",")
    modes = instruction_set(asm.settings.cpu, asm.settings.syntax.dialect)[opcode.mnemonic]
    start = feed.tok
    forms, expr = read_operand(asm)
    forms = [form for form in forms if f"#n8,{form}" in modes]
    if expr is not None:
        forms, expr = _fitting(asm, forms, expr)
    if forms and expr is not None:
        chosen = modes[f"#n8,{forms[0]}"]
        asm.segments.emit(bytes([chosen.byte]))
        asm.segments.emit_expr(mask, 1, operand=True)
        asm.segments.emit_expr(expr, chosen.size - 2)
    elif not feed.has_reported_here():
        feed.error("Illegal addressing mode", start, help=_modes_help(modes))


def _move_number(asm: Assembly, opcode: Encoding) -> None:
    """``ldm`` of the M740: an address in the zero page, then a number."""
    asm.segments.emit(bytes([opcode.byte]))
    asm.segments.emit_expr(asm.expressions.expression(), 1)
    asm.feed.expect(",")
    asm.feed.expect("#")
    asm.segments.emit_expr(asm.expressions.expression(), 1)


def _bit_branch_of_the_m740(asm: Assembly, modes: Mapping[str, Encoding]) -> None:
    """``bbs0`` and its kin: the accumulator or a byte in the zero page, then the target. With the
    accumulator ca65 counts from three bytes behind the opcode, though the instruction has two."""
    if not asm.feed.accept("A"):
        _bit_branch(asm, modes["a8,e8"])
        return
    asm.segments.emit(bytes([modes["a,e8"].byte]))
    asm.feed.expect(",")
    target = asm.expressions.expression()
    asm.segments.emit_expr(asm.segments.distance(target, 2), 1, signed=True)


def _call_of_the_m740(asm: Assembly, modes: Mapping[str, Encoding]) -> None:
    """``jsr``; of a known address in the last page only the low byte is written."""
    forms, expr = read_operand(asm)
    value = None if expr is None else asm.evaluator.constant_value(expr)
    if value is not None and value & 0xFF00 == 0xFF00 and "a16" in forms:
        asm.segments.emit(bytes([modes[r"\n8"].byte]))
        asm.segments.emit_expr(Literal(value & 0xFF), 1)
    elif expr is not None and "a16" in forms:
        _emit(asm, modes["a16"], expr)
    elif expr is not None and "(a8)" in forms:
        _emit(asm, modes["(a8)"], expr)
    elif not asm.feed.has_reported_here():
        asm.feed.error("Illegal addressing mode", help=_modes_help(modes))


def _of_sweet16(asm: Assembly, modes: Mapping[str, Encoding]) -> None:
    """An instruction of Sweet16: alone, with a target, or with a register, of which the number is
    enough."""
    feed, start = asm.feed, asm.feed.tok
    if "e8" in modes:
        _short_branch(asm, modes["e8"])
        return
    form, expr = "", None
    if not feed.tok.ends_line:
        form = "@" if feed.accept("@") else ""
        form += f"r{_register(asm)}"
        if not form.startswith("@") and feed.accept(","):
            form, expr = f"{form},n16", asm.expressions.expression()
    opcode = modes.get(form)
    if opcode is not None:
        asm.segments.emit(bytes([opcode.byte]))
        if expr is not None:
            asm.segments.emit_expr(expr, 2, operand=True)
    elif not feed.has_reported_here():
        feed.error("Illegal addressing mode", start, help=_modes_help(modes))


def _register(asm: Assembly) -> int:
    feed = asm.feed
    if feed.at(REGISTER):
        number = feed.tok.number
        feed.next()
        return number
    start = feed.tok
    value = asm.evaluator.constant_value(asm.expressions.expression())
    if value is None or not 0 <= value < SWEET16_REGISTERS:
        feed.error("Register expected", start, help="it is r0 to r15, or its number")
        return 0
    return value


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


_NMOS = ("6502", "6502X", "6502DTV")
_NEAR_JUMPS = frozenset({"jmp", "jsr", "rts"})
"""What the 65816 has a long form of by another name."""

_WITH_OPERANDS_OF_THEIR_OWN: Mapping[str, Callable[[Assembly, Encoding], None]] = MappingProxyType(
    {"e8": _short_branch, "e16": _long_branch, "a8,e8": _bit_branch, "#n8,#n8": _block_move}
    | {"d16": _word_branch, "n16,n16,n16": _block_transfer, "#n8,a8": _test, "a8,#n8": _move_number}
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


def _check_bank(asm: Assembly, expr: Expr | None) -> None:
    """``tma`` of the HuC6280 reads one of the eight banks' registers."""
    value = None if expr is None else asm.evaluator.constant_value(expr)
    if value is None or value < 0:
        asm.feed.warning("Cannot check argument of TMA instruction")
    elif value & (value - 1):
        asm.feed.error("Argument of TMA must be a power of two", asm.feed.operand)


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
    return opcode.size - len(opcode.prefix) - 1 + (placeholder in settings.wide)


# ---------------------------------------------------------------- modes and bytes


def _is_explicit(asm: Assembly) -> bool:
    return Change.EXPLICIT_ZEROPAGE in asm.settings.syntax.dialect


def _emit(asm: Assembly, opcode: Encoding, expr: Expr | None) -> None:
    for byte in opcode.prefix:
        asm.segments.emit(bytes([byte]))
    if expr is None:
        asm.segments.emit(bytes([opcode.byte]))
        return
    size = _operand_size(asm.settings, opcode)
    if opcode.mode in IMMEDIATE and "force_range" in asm.settings.syntax.features:
        expr = expressions.bound(expr, size)
    dialect = asm.settings.syntax.dialect
    relaxed = Change.WRAP_IS_ERROR in dialect and asm.options.relax_checks
    if opcode.mode == "(a16)" and asm.settings.cpu in _NMOS and not relaxed:
        _assert_no_page_wrap(asm, expr)
    in_bank = opcode.mode in _IN_BANK or (
        opcode.mode == "(a16,x)" and Change.NEAR_TABLES in dialect
    )
    if in_bank and asm.settings.cpu == "65816":
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
        Action.ERROR if Change.WRAP_IS_ERROR in asm.settings.syntax.dialect else Action.WARNING,
        '"jmp (abs)" across page border',
    )


def _modes_help(modes: Mapping[str, Encoding]) -> str:
    shown = sorted({op.syntax for op in modes.values()})
    return "there are: " + ", ".join(shown)
