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
    """An oracle call of a stage: it calls ``routine``, which was proved with ``exact=False``.

    ``question`` has the parameters of the stage, and returns a value for each name in ``given``:
    these are all inputs of the routine, by places in its contract. ``answer`` names the outputs
    that the model of the stage takes as further parameters. ``function`` computes them from plain
    values of ``given``, for runs.
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
    """The part of a model that begins at one place: ``takes`` maps names of values to places.

    ``model`` has these names as parameters, and those of the answer if something is ``asked``. It
    returns the label of the next place ("return" at the end) and a dict of the values there. If
    the machine holds the values in another form, ``means`` maps the contents of the places in
    ``takes`` to the values of the model, by name. A stage at the entry has no ``means``.
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
