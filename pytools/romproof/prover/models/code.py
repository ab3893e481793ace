"""What the code of a model does that is to be refused, by its bytecode."""

from __future__ import annotations

import dis
import importlib
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from numbers import Number
from types import CodeType, FunctionType, ModuleType
from typing import Any, NoReturn

from romproof.prover.models.allowed import advice
from romproof.prover.models.instructions import KNOWN, LATER
from romproof.symbolic.numbers.refusal import NotSymbolic

_GLOBALS = frozenset({"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"})
_ATTRIBUTES = frozenset({"LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR"})
_NAMED = _ATTRIBUTES | {"STORE_ATTR", "DELETE_ATTR"}
_SPECIAL = frozenset(["__init__", "__new__", "__post_init__", "__setattr__", "__name__", "__doc__"])
"""Attributes with such names that code may use; the others tell what is what."""
_INSIDE = frozenset(["gi_", "cr_", "ag_", "tb_", "f_", "co_"])
_FRAMES = frozenset(
    [
        "frame",
        "code",
        "yieldfrom",
        "await",
        "running",
        "suspended",
        "next",
        "lasti",
        "lineno",
        "globals",
        "locals",
        "back",
        "builtins",
        "trace",
    ]
)
_SKIPPED = frozenset({"EXTENDED_ARG", "CACHE", "NOP", "PUSH_NULL"})
_REFUSED = {
    "STORE_GLOBAL": "writes the global {0}: a call must not see results of an earlier call",
    "DELETE_GLOBAL": "deletes the global {0}",
    "BEFORE_WITH": "has a 'with' statement, which may swallow an exception",
    "BEFORE_ASYNC_WITH": "has an 'async with'",
    "LOAD_SPECIAL": "has a 'with' statement, which may swallow an exception",
    "LOAD_BUILD_CLASS": "defines a class: define it outside the model",
    "CHECK_EG_MATCH": "has an 'except*' clause: name single exceptions",
}

UNKNOWN = object()
"""The value of what is not known before the code runs."""


@dataclass(frozen=True)
class ModelCode:
    """A code object with what its names mean.

    ``around`` are values of variables from around it, as far as they never change.
    ``generated``: it is code of a dataclass.
    """

    code: CodeType
    globals: Mapping[str, Any] = field(repr=False)
    builtins: Mapping[str, Any] = field(repr=False)
    around: Mapping[str, Any] = field(repr=False)
    generated: bool = False

    @property
    def instructions(self) -> list[dis.Instruction]:
        """Those that do something."""
        instructions = dis.get_instructions(self.code)
        return [each for each in instructions if each.opname not in _SKIPPED]

    def line(self, at: dis.Instruction) -> str:
        """``file:line`` of an instruction."""
        lines = at.positions.lineno if at.positions is not None else None
        return f"{self.code.co_filename}:{lines or self.code.co_firstlineno}"

    def refuse(self, at: dis.Instruction, what: str) -> NoReturn:
        """Raises NotSymbolic."""
        raise NotSymbolic(f"the model {what}", self.line(at))

    def find_global(self, name: str) -> Any:
        """What a global name means, UNKNOWN if nothing."""
        return self.globals.get(name, self.builtins.get(name, UNKNOWN))


def source(code: ModelCode, steps: list[dis.Instruction], last: int) -> tuple[Any, int]:
    """The value that the instructions up to ``last`` load, and where they begin; -1: nobody
    knows."""
    names: list[str] = []
    while last >= 0 and steps[last].opname in _ATTRIBUTES:
        names.append(steps[last].argval)
        last -= 1
    step = steps[last]
    if last < 0 or not (step.opname in _GLOBALS or step.opname in _LOADS):
        return UNKNOWN, -1
    value = UNKNOWN
    if step.opname in _GLOBALS:
        value = code.find_global(step.argval)
    elif step.opname == "LOAD_CONST":
        value = step.argval
    elif step.opname == "LOAD_DEREF":
        value = code.around.get(step.argval, UNKNOWN)
    for name in reversed(names):
        known = isinstance(value, (ModuleType, type))
        value = getattr(value, name, UNKNOWN) if known else UNKNOWN
    return value, last


_LOADS = frozenset({"LOAD_CONST", "LOAD_DEREF", "LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_CLOSURE"})


def screen(code: ModelCode, refers: Callable[[Any, str, str], None]) -> None:
    """Raises NotSymbolic for what code must not do. ``refers`` hears of each value that it refers
    to: the value, its name, the line."""
    steps = code.instructions
    for number, step in enumerate(steps):
        name = step.opname
        if name not in KNOWN and name not in LATER:
            code.refuse(
                step, f"has the instruction {name}, whose effect on symbolic numbers is not known"
            )
        if name in _GLOBALS:
            _global(code, steps, number, refers)
        elif name in _NAMED and not code.generated:
            _attribute(code, step)
        elif name == "IS_OP" and not code.generated:
            _identity(code, steps, number)
        elif name == "IMPORT_NAME":
            _import(code, steps, number, refers)
        elif name in ("STORE_DEREF", "DELETE_DEREF") and step.argval in code.code.co_freevars:
            code.refuse(step, f"writes '{step.argval}' of the function around it (nonlocal)")
        elif name in _REFUSED:
            code.refuse(step, _REFUSED[name].format(f"'{step.argval}'"))


def _global(
    code: ModelCode,
    steps: list[dis.Instruction],
    number: int,
    refers: Callable[[Any, str, str], None],
) -> None:
    step = steps[number]
    name = str(step.argval)
    if name.startswith("@"):  # of pytest's assert, which fails when it is used
        return
    value = code.find_global(name)
    while isinstance(value, ModuleType) and number + 1 < len(steps):
        number += 1
        if steps[number].opname not in _ATTRIBUTES:
            break
        name = f"{name}.{steps[number].argval}"
        value = getattr(value, steps[number].argval, UNKNOWN)
    if value is not UNKNOWN:
        refers(value, f"'{name}'", code.line(step))


def _attribute(code: ModelCode, step: dis.Instruction) -> None:
    name = str(step.argval)
    dunder = name.startswith("__") and name.endswith("__") and name not in _SPECIAL
    stem, _, rest = name.partition("_")
    if dunder or (f"{stem}_" in _INSIDE and rest in _FRAMES) or name.startswith("_symbolic_"):
        code.refuse(
            step,
            f"reads .{name}, which tells symbolic numbers from plain ones{advice(name)}",
        )


def _identity(code: ModelCode, steps: list[dis.Instruction], number: int) -> None:
    """``is`` is for what is not a number: two equal numbers may be one object or two."""
    right, begin = source(code, steps, number - 1)
    if _is_no_number(right):
        return
    if begin > 0 and _is_no_number(source(code, steps, begin - 1)[0]):
        return
    code.refuse(steps[number], f"compares with 'is'{advice('is_')}")


def _is_no_number(value: Any) -> bool:
    if value is UNKNOWN or isinstance(value, (Number, str, bytes, bytearray, tuple)):
        return False
    if value is None or value is ... or value is NotImplemented:
        return True
    return isinstance(value, (Enum, type, FunctionType))


def _import(
    code: ModelCode,
    steps: list[dis.Instruction],
    number: int,
    refers: Callable[[Any, str, str], None],
) -> None:
    """``from module import name`` is as good as at the top of the file."""
    step, level = steps[number], steps[number - 2].argval
    name = "." * level + str(step.argval)
    try:
        package = code.globals.get("__package__")
        module = importlib.import_module(name, package if level else None)
    except (ImportError, TypeError):
        code.refuse(step, f"imports {name}: import it at the top of the file")
    number += 1
    if number >= len(steps) or steps[number].opname != "IMPORT_FROM":
        code.refuse(step, f"imports {name}: import it at the top of the file")
    for following in steps[number:]:
        if following.opname == "IMPORT_FROM":
            value = getattr(module, following.argval, UNKNOWN)
            refers(value, f"'{following.argval}'", code.line(following))
        elif not following.opname.startswith("STORE_"):
            break
