"""Formulas of Bitwuzla."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bitwuzla import Kind, TermManager

from romproof.symbolic.solve.formulas import Formula


class BitwuzlaFormulas:
    """The formulas of one manager, which belongs to this object.

    ``variables`` has those that were made, by their names.
    """

    def __init__(self) -> None:
        self.manager = TermManager()
        self.variables: dict[str, Any] = {}
        self._make = self.manager.mk_term

    def number(self, value: int, width: int) -> Formula:
        return self.manager.mk_bv_value(self.manager.mk_bv_sort(width), value)

    def truth(self, value: bool) -> Formula:
        return self.manager.mk_true() if value else self.manager.mk_false()

    def variable(self, name: str, width: int) -> Formula:
        make = self.manager
        if not width:
            sort = make.mk_array_sort(make.mk_bv_sort(16), make.mk_bv_sort(8))
        else:
            sort = make.mk_bool_sort() if width == 1 else make.mk_bv_sort(width)
        made = self.variables[name] = make.mk_const(sort, name)
        return made

    def opposite(self, truth: Formula) -> Formula:
        return self._make(Kind.NOT, [truth])

    def every(self, truths: Sequence[Formula]) -> Formula:
        return self._make(Kind.AND, list(truths)) if len(truths) > 1 else truths[0]

    def unlike(self, one: Formula, other: Formula) -> Formula:
        return self._make(Kind.XOR, [one, other])

    def same(self, one: Formula, other: Formula) -> Formula:
        return self._make(Kind.EQUAL, [one, other])

    def less(self, one: Formula, other: Formula) -> Formula:
        return self._make(Kind.BV_ULT, [one, other])

    def choice(self, condition: Formula, then: Formula, otherwise: Formula) -> Formula:
        return self._make(Kind.ITE, [condition, then, otherwise])

    def invert(self, bits: Formula) -> Formula:
        return self._make(Kind.BV_NOT, [bits])

    def both(self, one: Formula, other: Formula) -> Formula:
        return self._make(Kind.BV_AND, [one, other])

    def differing(self, one: Formula, other: Formula) -> Formula:
        return self._make(Kind.BV_XOR, [one, other])

    def plus(self, one: Formula, other: Formula) -> Formula:
        return self._make(Kind.BV_ADD, [one, other])

    def minus(self, one: Formula, other: Formula) -> Formula:
        return self._make(Kind.BV_SUB, [one, other])

    def times(self, one: Formula, other: Formula) -> Formula:
        return self._make(Kind.BV_MUL, [one, other])

    def concat(self, parts: Sequence[Formula]) -> Formula:
        return self._make(Kind.BV_CONCAT, list(parts)) if len(parts) > 1 else parts[0]

    def cut(self, bits: Formula, low: int, width: int) -> Formula:
        return self._make(Kind.BV_EXTRACT, [bits], [low + width - 1, low])

    def zero_extend(self, bits: Formula, more: int) -> Formula:
        return self._make(Kind.BV_ZERO_EXTEND, [bits], [more])

    def store(self, array: Formula, address: Formula, byte: Formula) -> Formula:
        return self._make(Kind.ARRAY_STORE, [array, address, byte])

    def load(self, array: Formula, address: Formula) -> Formula:
        return self._make(Kind.ARRAY_SELECT, [array, address])
