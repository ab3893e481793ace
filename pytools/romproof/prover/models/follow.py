"""A model followed on symbolic numbers: watched, and twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from inspect import unwrap
from typing import Any

from romproof.prover.models.screen import Feasible, ModelScreen
from romproof.prover.models.values import Captured
from romproof.symbolic.numbers.integers import SymInt, range_of
from romproof.symbolic.numbers.model_run import Explorer, Path
from romproof.symbolic.numbers.refusal import NotSymbolic
from romproof.symbolic.numbers.symbytes import ArrayBytes, SymBytes
from romproof.symbolic.terms.term import Term

ModelCall = Callable[[], Any]


@dataclass(frozen=True)
class Followed:
    """All paths through a model, and the values that it refers to."""

    paths: tuple[Path, ...]
    captured: Captured = field(repr=False)

    def hold_still(self) -> None:
        """Raises NotSymbolic when a run has changed something."""
        changed = self.captured.find_change()
        if changed:
            raise NotSymbolic(
                f"the model changes state that outlives its call ({changed}): a call must not "
                f"see results of an earlier one"
            )


def follow(
    model: Callable[..., Any], call: ModelCall, assuming: Iterable[Term], feasible: Feasible
) -> Followed:
    """All paths through a ``model``, which ``call`` calls with its arguments.

    Raises NotSymbolic for what numbers cannot do, or what a model must not do.
    """
    screen = ModelScreen(model)
    explorer = Explorer(assuming, screen.run_unwatched(feasible))

    def once() -> Any:
        with screen.watch():
            return call()

    paths = explorer.run(once)
    followed = Followed(paths, screen.captured)
    followed.hold_still()
    if list(map(_outcome, explorer.run(once))) != list(map(_outcome, paths)):
        raise NotSymbolic("the model behaves differently from call to call")
    followed.hold_still()
    return followed


def terms_in(value: Any) -> Iterator[Term]:
    """The terms of the numbers in a result, or in an argument."""
    if isinstance(value, SymInt):
        yield range_of(value).term
    elif isinstance(value, ArrayBytes):
        yield value.array
    elif isinstance(value, (list, tuple, SymBytes)):
        for each in value:
            yield from terms_in(each)
    elif isinstance(value, dict):
        yield from terms_in(list(value.values()))


def _outcome(path: Path) -> tuple[Sequence[Term], Any, str]:
    """What makes two paths the same. Equal terms are one object."""
    return path.conditions, _shape(path.result), type(path.error).__name__


def _shape(value: Any) -> Any:
    if isinstance(value, SymInt):
        return tuple(range_of(value))
    if isinstance(value, ArrayBytes):
        return value.array, value.base, len(value)
    if isinstance(value, (list, tuple, SymBytes)):
        return type(value), [_shape(each) for each in value]
    if isinstance(value, dict):
        return [(key, _shape(each)) for key, each in value.items()]
    return value


def place_of(model: Any) -> str:
    """What a function is called and where it stands, for messages."""
    function = unwrap(model) if callable(model) else model
    name = getattr(function, "__qualname__", type(function).__name__).rpartition("<locals>.")[2]
    code = getattr(function, "__code__", None)
    return f"'{name}'" + (f" ({code.co_filename}:{code.co_firstlineno})" if code else "")
