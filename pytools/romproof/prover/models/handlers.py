"""The exceptions that the code of a model catches: only those that numbers of all kinds raise."""

from __future__ import annotations

import dis
from typing import Any

from romproof.prover.models.allowed import CATCHABLE
from romproof.prover.models.code import ModelCode, source
from romproof.symbolic.numbers.refusal import NotSymbolic

_ENDS = frozenset({"RETURN_VALUE", "RETURN_CONST", "RERAISE", "RAISE_VARARGS"})
_GOES = frozenset({"JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_ABSOLUTE"})
_JUMPS = frozenset({*dis.hasjrel, *dis.hasjabs})
_SAYS = "catches {0}: name those that it expects, such as IndexError, KeyError, ZeroDivisionError"


def screen_handlers(code: ModelCode) -> None:
    """Raises NotSymbolic where code may catch what a plain number would not have raised."""
    steps = code.instructions
    table: Any = dis.Bytecode(code.code)
    entries = table.exception_entries
    places = {step.offset: number for number, step in enumerate(steps)}
    for target in sorted({entry.target for entry in entries}):
        number = places.get(target)
        if number is not None and steps[number].opname == "PUSH_EXC_INFO":
            _handler(code, steps, places, number)


def _handler(
    code: ModelCode, steps: list[dis.Instruction], places: dict[int, int], begin: int
) -> None:
    """One handler: what none of its clauses names, it has to raise again."""
    todo, seen = [begin], set[int]()
    while todo:
        number = todo.pop()
        if number in seen or number >= len(steps):
            continue
        seen.add(number)
        step = steps[number]
        if step.opname == "CHECK_EXC_MATCH":
            todo.append(places[_clause(code, steps, number)])
            continue
        leaves = step.opname == "POP_EXCEPT" and steps[number + 1].opname != "RERAISE"
        if leaves or step.opname in ("RETURN_VALUE", "RETURN_CONST"):
            code.refuse(steps[begin], _SAYS.format("every exception"))
        if step.opcode in _JUMPS:
            todo.append(places[step.argval])
        if step.opname not in _ENDS and step.opname not in _GOES:
            todo.append(number + 1)


def _clause(code: ModelCode, steps: list[dis.Instruction], number: int) -> int:
    """Where it goes on when an exception is none of those of ``except ...:``."""
    kinds = _kinds(code, steps, number - 1)
    for kind in kinds:
        if not _is_harmless(kind):
            name = getattr(kind, "__name__", "a class that is not known before it runs")
            code.refuse(steps[number], _SAYS.format(name))
    jump = steps[number + 1]
    if jump.opcode not in _JUMPS or "FALSE" not in jump.opname:
        code.refuse(steps[number], _SAYS.format("exceptions in a way that is not known"))
    following = steps[number + 2].opname
    if following.startswith("STORE_") and any(kind in CATCHABLE for kind in kinds):
        code.refuse(steps[number + 2], "inspects an exception: only its type is known")
    return int(jump.argval)


def _kinds(code: ModelCode, steps: list[dis.Instruction], last: int) -> list[Any]:
    if steps[last].opname != "BUILD_TUPLE":
        value = source(code, steps, last)[0]
        return list(value) if isinstance(value, tuple) else [value]
    kinds: list[Any] = []
    at = last - 1
    for _ in range(int(steps[last].arg or 0)):
        value, begin = source(code, steps, at) if at >= 0 else (None, -1)
        kinds.append(value)
        at = begin - 1
    return kinds


def _is_harmless(kind: Any) -> bool:
    """An exception that only the model itself raises, or numbers of all kinds alike."""
    if kind in CATCHABLE:
        return True
    if not isinstance(kind, type) or not issubclass(kind, Exception):
        return False
    own = [each for each in kind.__mro__ if each.__module__ == "builtins"]
    return (
        kind.__module__ != "builtins"
        and not issubclass(NotSymbolic, kind)
        and all(each in CATCHABLE or each in (Exception, BaseException, object) for each in own)
    )
