"""Questions to Bitwuzla."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bitwuzla import Bitwuzla as Solving
from bitwuzla import Kind, Option, Options, Result

from romproof.symbolic.solve.answer import Answer, AnswerKind, Reply, give_up
from romproof.symbolic.solve.bitwuzla_formulas import BitwuzlaFormulas
from romproof.symbolic.solve.deadline import Deadline
from romproof.symbolic.solve.effort import BITWUZLA
from romproof.symbolic.solve.lower import Lowering
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import ARRAY, Term


class Bitwuzla:
    """Bitwuzla. It has no limit but on seconds and memory. It asks though, every few conflicts and
    between its stages, whether to go on: how often is the same in every run, so it is counted."""

    name = BITWUZLA
    unit = "steps"

    def ask(
        self, conditions: Sequence[Term], limit: int, deadline: Deadline, thorough: bool
    ) -> Reply:
        """See Backend: ``limit`` is how often it may ask whether to go on."""
        options = Options()
        options.set(Option.PRODUCE_MODELS, True)
        formulas = BitwuzlaFormulas()
        lowering = Lowering(formulas)
        if thorough:
            lowering.prepare(conditions)
        truths = [lowering.truth(condition) for condition in conditions]
        solving = Solving(formulas.manager, options)
        for truth in [*truths, *lowering.bounds]:
            solving.assert_formula(truth)
        steps = _Steps(limit, deadline)
        solving.configure_terminator(steps)
        result = solving.check_sat()
        if steps.failed is not None:
            raise steps.failed
        if result == Result.UNSAT:
            return Reply(Answer(AnswerKind.UNSAT), steps.count)
        if result == Result.SAT:
            return Reply(Answer(AnswerKind.SAT, _model(solving, formulas, lowering)), steps.count)
        return Reply(give_up(self, limit), steps.count)


class _Steps:
    """Told of each step: whether that was the last one. ``failed`` is why it must be."""

    def __init__(self, limit: int, deadline: Deadline) -> None:
        self.count = 0
        self.failed: BaseException | None = None
        self._limit = limit
        self._deadline = deadline

    def __call__(self) -> bool:
        # what is raised in here would be printed and forgotten: it is kept for the one who asked
        try:
            self.count += 1
            self._deadline.check()
        except BaseException as error:
            self.failed = self.failed or error
        return self.failed is not None or self.count > self._limit


def _model(solving: Any, formulas: BitwuzlaFormulas, lowering: Lowering) -> Model:
    values: dict[str, int] = {}
    arrays: dict[str, bytes] = {}
    for variable, name in lowering.variables.items():
        value = solving.get_value(formulas.variables[name])
        if variable.op is ARRAY:
            arrays[variable.name] = _bytes(value)
        elif variable.width == 1:
            values[variable.name] = int(value.is_true())
        else:
            values[variable.name] = int(value.value(10))
    return Model(values, arrays)


def _bytes(value: Any) -> bytes:
    """The bytes of an array: one for all addresses, but for some."""
    values: dict[int, int] = {}
    while value.kind() == Kind.ARRAY_STORE:
        value, address, byte = value.children()
        values.setdefault(int(address.value(10)), int(byte.value(10)))
    assert value.kind() == Kind.CONST_ARRAY, (
        "stores into an array of one byte, according to its manual"
    )
    data = bytearray([int(value.children()[0].value(10))]) * 0x10000
    for place, byte in values.items():
        data[place] = byte
    return bytes(data)
