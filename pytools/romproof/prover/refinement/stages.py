"""A model that goes from place to place, each time with the values that it has there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Any

ENTRY, END = "", "return"
"""The first place of a model, and the last one."""

ModelValues = Mapping[str, Any]


@dataclass(frozen=True)
class Asked:
    """What a stage asks of a routine called ``routine``, proved before with ``exact=False``.

    ``question`` takes what the stage takes, and gives a value for each name in ``given``: those are
    all inputs of the routine, by places in its contract. ``answer`` names those of its outputs that
    the stage's model takes besides. ``function`` gives them for plain values of ``given``: it is
    there for runs.
    """

    routine: str
    question: Callable[..., ModelValues]
    given: Mapping[str, str]
    answer: Mapping[str, str]
    function: Callable[..., ModelValues] = field(repr=False)

    @classmethod
    def of_stages(
        cls,
        routine: str,
        stages: Mapping[str, Stage],
        gives: Mapping[str, str],
        question: Callable[..., ModelValues],
    ) -> Asked:
        """A routine that is a model of ``stages`` itself: it is given what its entry takes, and
        the answer is all that it ``gives``, each by its name with ``_after`` behind it."""

        def after(values: ModelValues) -> dict[str, Any]:
            return {f"{name}_after": value for name, value in values.items()}

        def function(**values: Any) -> ModelValues:
            own = {n: v if isinstance(v, int) else list(v) for n, v in values.items()}
            return after(run(stages, own))

        return cls(routine, question, stages[ENTRY].takes, after(gives), function)


@dataclass(frozen=True)
class Stage:
    """What a model does from one place: ``takes`` says where its values are there, by their names.

    ``model`` takes them by these names, and the answer by its names where something is ``asked``.
    It gives the label of the next place ("return" at the end) and a dict of the values there.
    Where the machine holds them in another form, ``means`` gives the model's values, by its names,
    for what ``takes`` says is in the machine. At the entry nothing can be meant.
    """

    takes: Mapping[str, str]
    model: Callable[..., tuple[str, ModelValues]]
    asked: Asked | None = None
    means: Callable[..., ModelValues] | None = None


def run(stages: Mapping[str, Stage], values: ModelValues) -> ModelValues:
    """What comes of a model, with plain numbers: the values at the end, for those at the entry."""
    place = ENTRY
    while place != END:
        stage = stages[place]
        answer: ModelValues = {}
        if stage.asked is not None:
            # in a proof a question has arrays of its own, too
            given = {name: copy(value) for name, value in values.items()}
            answer = stage.asked.function(**stage.asked.question(**given))
        place, values = stage.model(**values, **answer)
    return values
