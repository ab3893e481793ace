"""Watching a model while it runs: whatever code it reaches is checked before it is run."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from inspect import unwrap
from types import CodeType, FrameType, FunctionType, MethodType
from typing import Any

from romproof.prover.models.allowed import may_run
from romproof.prover.models.code import ModelCode, screen
from romproof.prover.models.handlers import screen_handlers
from romproof.prover.models.values import Captured
from romproof.symbolic.numbers.author import Author, author_of, users_line
from romproof.symbolic.numbers.refusal import NotSymbolic
from romproof.symbolic.terms.term import Term

Feasible = Callable[[Sequence[Term]], bool]


class ModelScreen:
    """What is known of one model: code that is in order, and the values that it refers to."""

    def __init__(self, model: Callable[..., Any]) -> None:
        self._model = model
        # by their ids, which are quicker than the hash of all their bytecode
        self._known: dict[int, CodeType] = {}
        self._around = _closure(model)
        self._is_begun = False
        self.captured = Captured()

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Code that is run meanwhile is checked. Raises NotSymbolic, from inside of it."""
        if not self._is_begun:
            self.captured.add(self._model, "the model itself", line_of(self._model))
            self._is_begun = True
        self.captured.forget_results()
        before, collecting = sys.getprofile(), gc.isenabled()
        try:  # from here on: Ctrl-C may come between any two of these
            gc.disable()  # what others want to be called then is none of the model's code
            sys.setprofile(self._event)
            yield
        finally:
            sys.setprofile(before if callable(before) else None)
            if collecting:
                gc.enable()

    def run_unwatched(self, feasible: Feasible) -> Feasible:
        """A question to the solver: its code is none of the model's."""

        def ask(conditions: Sequence[Term]) -> bool:
            watching = sys.getprofile()
            try:
                sys.setprofile(None)
                return feasible(conditions)
            finally:
                sys.setprofile(watching)

        return ask

    def _event(self, frame: FrameType, event: str, argument: object) -> None:
        if event != "call" or id(frame.f_code) in self._known:
            return
        code = frame.f_code
        whose = author_of(code.co_filename)
        if whose is Author.OWN:
            self._known[id(code)] = code
            return
        if whose is not Author.USER and _is_called_by_us(frame):
            return
        if whose in (Author.STANDARD, Author.PACKAGE):
            if whose is Author.PACKAGE or not may_run(code.co_filename):
                raise NotSymbolic(
                    f"the model runs {code.co_qualname} ({code.co_filename}), which may behave "
                    f"differently with symbolic numbers",
                    users_line(frame),
                )
        else:
            self._look_at(frame, whose is Author.GENERATED)
        self._known[id(code)] = code

    def _look_at(self, frame: FrameType, generated: bool) -> None:
        around: Mapping[str, Any] = self._around if frame.f_code in self._own_code else {}
        if generated:
            around = {name: frame.f_locals[name] for name in frame.f_code.co_freevars}
            for name, value in around.items():
                if "dflt" in name:
                    self.captured.add(value, f"'{name}'", users_line(frame))
        code = ModelCode(frame.f_code, frame.f_globals, frame.f_builtins, around, generated)
        screen(code, self.captured.add)
        screen_handlers(code)

    @property
    def _own_code(self) -> list[CodeType]:
        function = _function(self._model)
        return [] if function is None else [function.__code__]


def _is_called_by_us(frame: FrameType) -> bool:
    """Whether romproof, and not the model, uses a library here."""
    caller = frame.f_back
    while caller is not None:
        whose = author_of(caller.f_code.co_filename)
        if whose in (Author.OWN, Author.USER):
            return whose is Author.OWN
        caller = caller.f_back
    return False


def line_of(model: Any) -> str:
    """``file:line`` of a model; "" if it has none."""
    function = _function(model)
    code = None if function is None else unwrap(function).__code__
    return f"{code.co_filename}:{code.co_firstlineno}" if code is not None else ""


def _function(model: Any) -> FunctionType | None:
    """The Python function that a model is, if it is one."""
    while True:
        if isinstance(model, partial):
            model = model.func
        elif isinstance(model, MethodType):
            model = model.__func__
        elif isinstance(model, FunctionType):
            return model
        else:
            return None


def _closure(model: Any) -> Mapping[str, Any]:
    function = _function(model)
    cells: dict[str, Any] = {}
    if function is not None:
        for name, cell in zip(
            function.__code__.co_freevars, function.__closure__ or (), strict=True
        ):
            try:
                cells[name] = cell.cell_contents
            except ValueError:  # it has none yet
                continue
    return cells
