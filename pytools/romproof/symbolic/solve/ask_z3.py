"""Questions to z3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import z3

from romproof.symbolic.solve.answer import Answer, AnswerKind, Reply, give_up
from romproof.symbolic.solve.deadline import Deadline, within
from romproof.symbolic.solve.effort import Z3 as NAME
from romproof.symbolic.solve.lower import Lowering
from romproof.symbolic.solve.z3_formulas import Z3Formulas
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import ARRAY, Term

INTERRUPTED = "interrupted from keyboard"
"""How z3 tells of a Ctrl-C that it took for itself: Python hears nothing of it."""

STOPPED = ("canceled", "interrupted", "timeout", "max. resource limit exceeded")
"""How it tells that it came to a limit, or was stopped."""


class Z3:
    """z3. What its work is counted as changes with names and with what its context was used for
    before: each question has a context of its own, and names of their own come with formulas."""

    name = NAME
    unit = "resource units"

    def ask(
        self, conditions: Sequence[Term], limit: int, deadline: Deadline, thorough: bool
    ) -> Reply:
        """See Backend: ``limit`` in resource units."""
        question = _Question(conditions, thorough)
        return Reply(question.answer(limit, deadline), question.work)

    def text(self, conditions: Sequence[Term]) -> str:
        """The question in SMT-LIB's language, to be put to any solver by hand."""
        question = _Question(conditions, thorough=False)
        names = [f"; {name}: {v.name}\n" for v, name in question.lowering.variables.items()]
        return "".join([*names, question.solver.to_smt2()])


class _Question:
    """All that belongs to one question, so that z3 may be left alone with it."""

    def __init__(self, conditions: Sequence[Term], thorough: bool) -> None:
        self.formulas = Z3Formulas()
        self.lowering = Lowering(self.formulas)
        if thorough:
            self.lowering.prepare(conditions)
        truths = [self.lowering.truth(condition) for condition in conditions]
        has_arrays = any(variable.op is ARRAY for variable in self.lowering.variables)
        self.solver = self.formulas.solver(thorough and not has_arrays)
        hold = self.formulas.asserter(self.solver)
        for truth in [*truths, *self.lowering.bounds]:
            hold(truth)

    def answer(self, limit: int, deadline: Deadline) -> Answer:
        """z3's answer."""
        self.solver.set("rlimit", limit)
        self._hold(True)
        result = within(deadline, self._check, self.formulas.context.interrupt)
        reason = self.solver.reason_unknown() if result == z3.unknown else ""
        if reason == INTERRUPTED:
            raise KeyboardInterrupt
        if reason:
            deadline.check()
        self._hold(False)
        if reason:
            return give_up(Z3(), limit, "" if reason in STOPPED else reason)
        if result != z3.sat:
            return Answer(AnswerKind.UNSAT)
        try:
            return Answer(AnswerKind.SAT, self.model())
        except z3.Z3Exception:  # it was told to stop just when it had come to an end
            deadline.check()
            raise

    def _check(self) -> Any:
        # of the whole question: it lives as long as z3 is at work, though nobody waits for it
        return self.solver.check()

    def _hold(self, on: bool) -> None:
        """Whether z3 keeps what it has when the question goes: where the seconds are over, there
        are none left to tidy up in, which can take longer than the work did."""
        context = self.formulas.context
        context.owner = not on
        count = z3.Z3_solver_inc_ref if on else z3.Z3_solver_dec_ref
        count(context.ref(), self.solver.solver)

    @property
    def work(self) -> int:
        """Resource units that it took."""
        return int(self.solver.statistics().get_key_value("rlimit count"))

    def model(self) -> Model:
        """What z3 found, by the names of the variables."""
        model = self.solver.model()
        values: dict[str, int] = {}
        arrays: dict[str, bytes] = {}
        for variable, name in self.lowering.variables.items():
            cells = self.formulas.variables[name]
            value = model.eval(cells, True)
            if variable.op is ARRAY:
                arrays[variable.name] = _bytes(model, cells, value)
            elif variable.width == 1:
                values[variable.name] = int(z3.is_true(value))
            else:
                values[variable.name] = value.as_long()
        return Model(values, arrays)


def _bytes(model: Any, cells: Any, value: Any) -> bytes:
    """The bytes of an array: one for all addresses, but for some."""
    values: dict[int, int] = {}
    while z3.is_store(value):
        array, address, byte = value.children()
        values.setdefault(address.as_long(), byte.as_long())
        value = array
    if z3.is_const_array(value):
        data = bytearray([value.children()[0].as_long()]) * 0x10000
        for place, byte in values.items():
            data[place] = byte
        return bytes(data)
    numbers = (z3.BitVecVal(address, 16, cells.ctx) for address in range(0x10000))
    return bytes(model.eval(cells[number], True).as_long() for number in numbers)
