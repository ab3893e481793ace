"""Working out the expressions that the assembler left to the linker."""

from __future__ import annotations

from romproof.text.diagnostic import Severity, suggest
from romproof.text.span import Span
from romproof.toolchains.rgbds.link.state import Definition, LinkState, Module
from romproof.toolchains.rgbds.obj.model import Assertion, Patch
from romproof.toolchains.rgbds.obj.opmath import BINARY, UNARY, as_unsigned
from romproof.toolchains.rgbds.obj.rpn import NAME_ARGUMENT, RpnOp, RpnStep
from romproof.toolchains.rgbds.obj.types import SectionType

_TYPES = frozenset(map(int, SectionType))
_MIN = -0x8000_0000
_LISTED = 3
"""How many private symbols of the same name a message lists."""

LinkValue = tuple[int, bool]
"""A number, and whether it only replaces one that could not be evaluated.

What went wrong has been reported then, and what follows from it is not reported again.
"""

Where = Patch | Assertion


class Evaluator:
    """Evaluates expressions once all sections have their places; reports what is wrong in them."""

    def __init__(self, state: LinkState) -> None:
        self._state = state
        self._values = {module: _symbol_values(state, module) for module in state.modules}

    def value(self, module: Module, where: Where, pc_shift: int = 0) -> LinkValue:
        """The value of the expression of ``where``, which is of ``module``.

        ``pc_shift`` is added to the offset that ``where`` has for ``@``.
        """
        rpn = where.rpn
        if len(rpn) == 1 and rpn[0].op is RpnOp.SYMBOL:  # most are nothing else
            known = self._symbol_value(module, rpn[0])
            if known is not None:
                return known, False
        stack: list[LinkValue] = []
        for step in rpn:
            if step.op in BINARY:
                right = stack.pop()
                stack[-1] = self._binary(step.op, stack[-1], right, where)
            elif step.op is RpnOp.CONST:
                assert isinstance(step.argument, int)
                stack.append((step.argument, False))
            elif step.op in UNARY:
                operand, failed = stack[-1]
                stack[-1] = UNARY[step.op](operand), failed
            elif step.op in (RpnOp.LDH, RpnOp.RST, RpnOp.BIT_INDEX):
                stack[-1] = self._operand(step, stack[-1], where)
            else:
                stack.append(self._leaf(step, module, where, pc_shift))
        return stack[-1]

    def warn(self, name: str, message: str, where: Where, failed: bool, level: int = 1) -> bool:
        """Report a warning about a value; gives whether the value failed, before or by this."""
        state = self._state
        severity = state.warnings.severity(name, level)
        if severity is None:
            return failed
        is_error = severity is Severity.ERROR
        if not (is_error and failed):
            state.warnings.report(state.diagnostics, name, message, self.span(where), level)
        return failed or is_error

    def fail(self, message: str, where: Where, known: bool = False) -> LinkValue:
        """Report an error, unless what leads to it is ``known``; gives a replacement."""
        if not known:
            self._state.diagnostics.error(message, self.span(where))
        return 0, True

    def span(self, where: Where) -> Span:
        """Where a patch or assertion was written."""
        return self._state.places.span(where.place)

    def _binary(self, op: RpnOp, left: LinkValue, right: LinkValue, where: Where) -> LinkValue:
        a, b = left[0], right[0]
        failed = left[1] or right[1]
        if op in (RpnOp.DIV, RpnOp.MOD):
            what = "division" if op is RpnOp.DIV else "modulo"
            if b == 0:
                return self.fail(f"{what} by 0", where, known=right[1])
            if a == _MIN and b == -1:
                result = _MIN if op is RpnOp.DIV else 0
                message = f"{what} of {_MIN} by -1 yields {result}"
                failed = self.warn("div", message, where, failed)
        elif op is RpnOp.EXP and b < 0:
            return self.fail(f"exponent by negative value {b}", where, known=right[1])
        elif op in (RpnOp.SHL, RpnOp.SHR, RpnOp.USHR):
            failed = self._shift(op, left, right, where)
        return BINARY[op](a, b), failed

    def _shift(self, op: RpnOp, left: LinkValue, right: LinkValue, where: Where) -> bool:
        """Warn about strange shifts; gives whether the result has failed."""
        direction = "left" if op is RpnOp.SHL else "right"
        (value, _), (amount, failed) = left, right
        if op is RpnOp.SHR:
            failed = failed or left[1]
            if value < 0:
                failed = self.warn("shift", f"shifting right negative value {value}", where, failed)
        if not 0 <= amount < 32:
            kind = "negative" if amount < 0 else "large"
            message = f"shifting {direction} by {kind} amount {amount}"
            failed = self.warn("shift-amount", message, where, failed)
        return failed or left[1]

    def _operand(self, step: RpnStep, operand: LinkValue, where: Where) -> LinkValue:
        """Check an instruction's operand, and make it the byte that denotes it."""
        value, failed = operand
        shown = f"${as_unsigned(value):x}"
        if step.op is RpnOp.LDH:
            if not 0xFF00 <= value <= 0xFFFF:
                message = f"address {shown} for LDH is not in HRAM range; use LD instead"
                return self.fail(message, where, known=failed)
            return value & 0xFF, failed
        if step.op is RpnOp.RST:
            if value & ~0x38:
                message = f"value {shown} is not an RST vector; use CALL instead"
                return 0xC7, self.fail(message, where, known=failed)[1]
            return value | 0xC7, failed
        assert isinstance(step.argument, int)
        if value & ~0x07:
            message = f"value {shown} is not a bit index"
            return step.argument, self.fail(message, where, known=failed)[1]
        return step.argument | value << 3, failed

    def _leaf(self, step: RpnStep, module: Module, where: Where, pc_shift: int) -> LinkValue:
        op = step.op
        if op in NAME_ARGUMENT:
            return self._of_section(step, where)
        if op in (RpnOp.SIZEOF_TYPE, RpnOp.STARTOF_TYPE):
            assert isinstance(step.argument, int)
            if step.argument not in _TYPES:
                return self.fail(f"there is no section type {step.argument}", where)
            memory = self._state.memories[SectionType(step.argument)]
            return (memory.size if op is RpnOp.SIZEOF_TYPE else memory.start), False
        if op is RpnOp.BANK_SELF or step.argument == -1:
            return self._pc(op, module, where, pc_shift)
        value = self._symbol_value(module, step)
        if value is None:
            return self._undefined_value(step, module, where)
        if op is RpnOp.BANK_SYMBOL:
            definition = self._definition(module, step)
            if definition is None or definition.piece is None:
                name = self._name(module, step)
                return self.fail(f"requested BANK() of non-label symbol `{name}`", where)
            return definition.piece.section.in_bank, False
        return value, False

    def _pc(self, op: RpnOp, module: Module, where: Where, pc_shift: int) -> LinkValue:
        """The address of ``@``, or its bank."""
        if where.pc_section is None:
            what = "bank" if op is RpnOp.BANK_SELF else "value"
            return self.fail(f"PC has no {what} outside of a section", where)
        section = module.pieces[where.pc_section].section
        if op is RpnOp.BANK_SELF:
            return section.in_bank, False
        return section.at + where.pc_offset + pc_shift, False

    def _of_section(self, step: RpnStep, where: Where) -> LinkValue:
        section = self._state.sections.get(str(step.argument))
        if section is None:
            what = step.op.name.partition("_")[0]
            hint = suggest(str(step.argument), self._state.sections)
            message = f'requested {what}() of undefined section "{step.argument}"'
            self._state.diagnostics.error(message, self.span(where), hint)
            return 0, True
        values = {
            RpnOp.BANK_SECTION: section.in_bank,
            RpnOp.SIZEOF_SECTION: section.size,
            RpnOp.STARTOF_SECTION: section.at,
        }
        return values[step.op], False

    def _undefined_value(self, step: RpnStep, module: Module, where: Where) -> LinkValue:
        name = self._name(module, step)
        asked = "requested BANK() of undefined" if step.op is RpnOp.BANK_SYMBOL else "undefined"
        privates = self._state.privates.get(name, [])
        notes = tuple(
            ("defined, but not exported,", self._state.places.span(private.symbol.place))
            for private in privates[:_LISTED]
            if private.symbol.place is not None
        )
        hint = suggest(name, self._state.exports)
        if privates:
            more = f" ({len(privates)} objects have one)" if len(privates) > _LISTED else ""
            hint = f"export it there{more}: `{name}::` or EXPORT {name}"
        self._state.diagnostics.error(f"{asked} symbol `{name}`", self.span(where), hint, notes)
        return 0, True

    def _symbol_value(self, module: Module, step: RpnStep) -> int | None:
        """The value of the symbol that ``step`` names; None for ``@`` and what is undefined."""
        assert isinstance(step.argument, int)
        return self._values[module][step.argument] if step.argument >= 0 else None

    def _definition(self, module: Module, step: RpnStep) -> Definition | None:
        assert isinstance(step.argument, int)
        own = module.definitions[step.argument]
        return own or self._state.exports.get(self._name(module, step))

    @staticmethod
    def _name(module: Module, step: RpnStep) -> str:
        assert isinstance(step.argument, int)
        return module.obj.symbols[step.argument].name


def _symbol_values(state: LinkState, module: Module) -> list[int | None]:
    """The values of all symbols of an object by index; None where an import leads nowhere."""
    definitions = (
        definition or state.exports.get(symbol.name)
        for definition, symbol in zip(module.definitions, module.obj.symbols, strict=True)
    )
    return [None if definition is None else definition.value for definition in definitions]
