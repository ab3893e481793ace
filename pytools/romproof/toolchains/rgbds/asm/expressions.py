"""Making expressions: folding what is known, leaving the rest to the linker."""

from __future__ import annotations

from romproof.toolchains.rgbds.asm.model import Expression, Symbol, SymbolType, known
from romproof.toolchains.rgbds.asm.report import Reporter, check_bits
from romproof.toolchains.rgbds.asm.sections import Sections
from romproof.toolchains.rgbds.asm.symbols import Symbols
from romproof.toolchains.rgbds.obj.opmath import BINARY, UNARY, low
from romproof.toolchains.rgbds.obj.rpn import RpnOp
from romproof.toolchains.rgbds.obj.types import SectionType

_NUMBERS = (SymbolType.EQU, SymbolType.VAR)
_MIN = -0x8000_0000


class Expressions:
    """Makes expressions, and folds what can be folded."""

    def __init__(self, report: Reporter, symbols: Symbols, sections: Sections) -> None:
        self.report = report
        self._symbols = symbols
        self._sections = sections
        self.short_high = False
        """Whether LDH takes the low byte of an address alone, as it did up to RGBDS 0.9."""

    def constant(self, expression: Expression) -> int:
        """The value if it is known; else an error, and 0."""
        if expression.value is None:
            self.report.error(f"Expected constant expression: {expression.reason}")
            return 0
        return expression.value

    # -- operands ---------------------------------------------------------------------------

    def symbol(self, name: str) -> Expression:
        """The value of a symbol."""
        symbols, report = self._symbols, self.report
        symbol = symbols.find(name)
        if symbol is not None and symbol.type in _NUMBERS and symbol.computed is None:
            return known(symbol.value)
        if symbol is not None and symbol.name == "@" and self._sections.current is None:
            report.error("PC has no value outside of a section")
            return known(0)
        if symbol is not None and not symbol.is_numeric and not symbol.is_label:
            report.error(f"`{name}` is not a numeric symbol")
            return known(0)
        if symbol is not None and symbols.is_constant(symbol):
            return known(symbols.constant(symbol))
        if symbol is not None and symbol.name == "@":
            reason = "PC is not constant at assembly time"
        else:
            purged = "; it was purged" if symbols.was_purged(name) else ""
            defined = symbol is not None and symbol.is_defined
            reason = (
                f"`{name}` is not constant at assembly time"
                if defined
                else f"undefined symbol `{name}`"
            ) + purged
        return Expression(None, reason, (RpnOp.SYMBOL, symbol or symbols.reference(name)))

    def bank_of_symbol(self, name: str) -> Expression:
        """BANK of a label, or of the current section (``@``)."""
        symbols, report = self._symbols, self.report
        symbol = symbols.find(name)
        if symbol is not None and symbol.name == "@":
            output = self._sections.output
            if output is None:
                report.error("PC has no bank outside of a section")
                return known(1)
            if output.bank is None:
                reason = "Current section's bank is not known"
                return Expression(None, reason, (RpnOp.BANK_SELF, None))
            return known(output.bank)
        if symbol is not None and not symbol.is_label:
            report.error("`BANK` argument must be a label")
            return known(1)
        symbol = symbols.reference(name)
        if symbol.section is not None and symbol.section.bank is not None:
            return known(symbol.section.bank)
        purged = "; it was purged" if symbols.was_purged(name) else ""
        reason = f"`{name}`'s bank is not known{purged}"
        return Expression(None, reason, (RpnOp.BANK_SYMBOL, symbol))

    def bank_of_section(self, name: str) -> Expression:
        """BANK of the section of that name."""
        section = self._sections.find(name)
        if section is not None and section.bank is not None:
            return known(section.bank)
        reason = f'Section "{name}"\'s bank is not known'
        return Expression(None, reason, (RpnOp.BANK_SECTION, name))

    def size_of_section(self, name: str) -> Expression:
        """SIZEOF the section of that name, in bytes."""
        section = self._sections.find(name)
        if section is not None and self._sections.is_size_known(section):
            return known(section.size)
        reason = f'Section "{name}"\'s size is not known'
        return Expression(None, reason, (RpnOp.SIZEOF_SECTION, name))

    def start_of_section(self, name: str) -> Expression:
        """STARTOF the section of that name."""
        section = self._sections.find(name)
        if section is not None and section.address is not None:
            return known(section.address)
        reason = f'Section "{name}"\'s start is not known'
        return Expression(None, reason, (RpnOp.STARTOF_SECTION, name))

    @staticmethod
    def size_of_type(kind: SectionType) -> Expression:
        """SIZEOF a kind of memory: the linker's options decide."""
        return Expression(None, "Section type's size is not known", (RpnOp.SIZEOF_TYPE, int(kind)))

    @staticmethod
    def start_of_type(kind: SectionType) -> Expression:
        """STARTOF a kind of memory."""
        return Expression(
            None, "Section type's start is not known", (RpnOp.STARTOF_TYPE, int(kind))
        )

    # -- operators --------------------------------------------------------------------------

    def unary(self, op: RpnOp, operand: Expression) -> Expression:
        """An operator, or a function, of one operand."""
        if operand.value is not None:
            return known(UNARY[op](operand.value))
        if op is RpnOp.LOGIC_NOT and self._known_bits(operand):
            return known(0)
        if op is RpnOp.LOW:
            offset = self._offset_by_alignment(operand, bits=8)
            if offset is not None:
                return known(low(offset))
        return Expression(None, operand.reason, (op, None), (operand,))

    def binary(self, op: RpnOp, left: Expression, right: Expression) -> Expression:
        """An operator of two operands. Fatal for a division by zero."""
        if left.value is not None and right.value is not None:
            return known(self._compute(op, left.value, right.value))
        folded = self._fold(op, left, right)
        if folded is not None:
            return known(folded)
        reason = left.reason if left.value is None else right.reason
        return Expression(None, reason, (op, None), (left, right))

    def _fold(self, op: RpnOp, left: Expression, right: Expression) -> int | None:
        """What comes out although an operand is not known, or None."""
        if op is RpnOp.SUB and self.have_constant_distance(left.symbol, right.symbol):
            assert left.symbol is not None
            assert right.symbol is not None
            symbols = self._symbols
            return symbols.offset(left.symbol) - symbols.offset(right.symbol)
        value = left.value if left.value is not None else right.value
        if op in (RpnOp.LOGIC_AND, RpnOp.AND) and value == 0:
            return 0
        if op is RpnOp.LOGIC_OR and value:
            return 1
        if op is RpnOp.AND and value is not None:
            label = left if left.value is None else right
            return self._mask(label, value)
        return None

    def have_constant_distance(self, one: Symbol | None, other: Symbol | None) -> bool:
        """Whether two labels are in the same section."""
        if one is None or other is None:
            return False
        if one.type is not SymbolType.LABEL or other.type is not SymbolType.LABEL:
            return False
        section = self._symbols.section_of(one)
        return section is not None and section is self._symbols.section_of(other)

    def _offset_by_alignment(self, operand: Expression, bits: int) -> int | None:
        """What is known of the lowest ``bits`` bits of a label, if all of them are."""
        symbol = operand.symbol
        if symbol is None or not symbol.is_defined:
            return None
        section = self._symbols.section_of(symbol)
        if section is None or section.alignment < bits:
            return None
        return self._symbols.offset(symbol) + section.align_offset

    def _known_bits(self, operand: Expression) -> bool:
        """Whether a bit of a label is known to be set."""
        offset = self._offset_by_alignment(operand, bits=0)
        if offset is None or operand.symbol is None:
            return False
        section = self._symbols.section_of(operand.symbol)
        return section is not None and offset & _mask(section.alignment) != 0

    def _mask(self, label: Expression, mask: int) -> int | None:
        """Bits of a label that its alignment fixes, if ``mask`` asks for no others."""
        offset = self._offset_by_alignment(label, bits=0)
        if offset is None or label.symbol is None:
            return None
        section = self._symbols.section_of(label.symbol)
        if section is None or mask & ~_mask(section.alignment) & 0xFFFF:
            return None
        return offset & mask

    def _compute(self, op: RpnOp, left: int, right: int) -> int:
        report = self.report
        if op in (RpnOp.SHL, RpnOp.SHR, RpnOp.USHR):
            _warn_of_shift(report, op, left, right)
        elif op in (RpnOp.DIV, RpnOp.MOD):
            what = "Division" if op is RpnOp.DIV else "Modulo"
            if right == 0:
                report.fatal(f"{what} by zero")
            if left == _MIN and right == -1:
                result = _MIN if op is RpnOp.DIV else 0
                report.warning("div", f"{what} of {_MIN} by -1 yields {result}")
        elif op is RpnOp.EXP and right < 0:
            report.fatal("Exponentiation by negative power")
        return BINARY[op](left, right)

    # -- checks -----------------------------------------------------------------------------

    def check_bits(self, expression: Expression, bits: int) -> None:
        """Warn when a known value needs more than ``bits`` bits."""
        value = expression.value
        if value is not None and not -1 << bits - 1 <= value < 1 << bits:
            check_bits(self.report, value, bits)

    def check_hram(self, expression: Expression) -> Expression:
        """The low byte of an address from $FF00 on; an error for others."""
        if expression.value is None:
            return Expression(None, expression.reason, (RpnOp.LDH, None), (expression,))
        short = self.short_high and 0 <= expression.value <= 0xFF
        if short or 0xFF00 <= expression.value <= 0xFFFF:
            return known(expression.value & 0xFF)
        self.report.error(
            f"Source address ${expression.value & 0xFFFFFFFF:x} not between $FF00 to $FFFF"
        )
        return known(expression.value & 0xFF)

    def check_rst(self, expression: Expression) -> Expression:
        """The opcode of RST to a vector; an error if it is none."""
        if expression.value is None:
            return Expression(None, expression.reason, (RpnOp.RST, None), (expression,))
        if expression.value & ~0x38:
            self.report.error(f"Invalid address ${expression.value & 0xFFFFFFFF:x} for `RST`")
        return known(0xC7 | expression.value & 0xFF)

    def check_bit_index(self, expression: Expression, mask: int, mnemonic: str) -> Expression:
        """The opcode of BIT, RES or SET with a bit's number; ``mask`` are its other bits."""
        if expression.value is None:
            return Expression(None, expression.reason, (RpnOp.BIT_INDEX, mask), (expression,))
        if expression.value & ~7:
            self.report.error(f"Invalid bit index {expression.value} for `{mnemonic.upper()}`")
        return known((mask | expression.value << 3) & 0xFF)


def _mask(alignment: int) -> int:
    return (1 << alignment) - 1


def _warn_of_shift(report: Reporter, op: RpnOp, value: int, count: int) -> None:
    side = "left" if op is RpnOp.SHL else "right"
    if op is RpnOp.SHR and value < 0:
        report.warning("shift", f"Shifting right negative value {value}")
    if count < 0:
        report.warning("shift-amount", f"Shifting {side} by negative amount {count}")
    if count >= 32:
        report.warning("shift-amount", f"Shifting {side} by large amount {count}")
