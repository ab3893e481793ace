"""The file of recorded costs: JSON with a line for each routine, sorted, for people to review.

{
 "romproof-cycles": 1,
 "programs": {
  "game.nes": {
   "add_points": {"calls": 3, "min": 17, "mean": 18.33, "max": 21, "code": "…", …}
  }
 }
}
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from romproof.measure.costs import Costs, RecordedCost
from romproof.text.diagnostic import BuildFailed, Diagnostic, Severity
from romproof.text.errors import BadInput
from romproof.text.span import Source, Span

VERSION = 1
_HEAD = "romproof-cycles"
_MAX = 10**12
"""No call takes so many cycles, and no test makes so many calls."""
_HELP = "restore it, or delete it and create it again with --romproof-cycles-update"


class BadCosts(BuildFailed, BadInput):
    """A file of recorded costs cannot be used; the message says where and why."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__([Diagnostic(Severity.ERROR, message, span, _HELP)])


def costs_text(costs: Costs) -> str:
    """The file; the same costs always give the same text."""
    programs = []
    for program in sorted(name for name, routines in costs.items() if routines):
        rows = [
            f"   {json.dumps(name)}: {_row(row)}" for name, row in sorted(costs[program].items())
        ]
        programs.append(f"  {json.dumps(program)}: {{\n" + ",\n".join(rows) + "\n  }")
    body = "{\n" + ",\n".join(programs) + "\n }" if programs else "{}"
    return f'{{\n "{_HEAD}": {VERSION},\n "programs": {body}\n}}\n'


def _row(row: RecordedCost) -> str:
    fields = {
        "calls": row.calls,
        "min": row.minimum,
        "mean": row.mean,
        "max": row.maximum,
        "code": row.code,
        "inputs": row.inputs,
        "most": row.most,
    }
    return json.dumps(fields)


def read_costs(source: Source) -> Costs:
    """What a file has recorded. Raises BadCosts with the place of the fault."""
    try:
        whole = json.loads(
            source.text, object_pairs_hook=_without_doubles, parse_constant=_no_constant
        )
    except json.JSONDecodeError as fault:
        line = min(fault.lineno, len(source.lines))
        raise BadCosts(f"this is not JSON: {fault.msg}", Span(source, line, fault.colno)) from None
    except _Refused as fault:
        raise BadCosts(str(fault), _place(source, [fault.near])) from None
    except (RecursionError, ValueError) as fault:  # nested too deeply; a number too long
        raise BadCosts(f"this JSON cannot be read: {fault}", Span(source, 1, 1)) from None
    if not isinstance(whole, dict) or _HEAD not in whole:
        raise BadCosts(
            f"this is not a file of recorded cycles: '{_HEAD}' is missing", Span(source, 1, 1)
        )
    if whole[_HEAD] != VERSION:
        raise BadCosts(
            f"'{_HEAD}' is {json.dumps(whole[_HEAD])[:40]}, but only version {VERSION} can be read",
            _place(source, [_HEAD]),
        )
    programs = whole.get("programs")
    if not isinstance(programs, dict):
        raise BadCosts("'programs' must be an object", _place(source, ["programs"]))
    result: dict[str, dict[str, RecordedCost]] = {}
    for program, routines in programs.items():
        if not isinstance(routines, dict):
            raise BadCosts(f"'{program}' must be an object", _place(source, ["programs", program]))
        result[program] = {
            name: _read_row(source, ["programs", program, name], row)
            for name, row in routines.items()
        }
    return result


def _read_row(source: Source, path: list[str], row: Any) -> RecordedCost:
    if not isinstance(row, dict):
        raise BadCosts(f"'{path[-1]}' must be an object", _place(source, path))

    def field(key: str, kind: type | tuple[type, ...], what: str) -> Any:
        value = row.get(key)
        if key not in row:
            raise BadCosts(f"'{path[-1]}' has no '{key}'", _place(source, path))
        if not isinstance(value, kind) or isinstance(value, bool):
            raise BadCosts(f"'{key}' must be {what}", _place(source, [*path, key]))
        if isinstance(value, int | float) and not 0 <= value <= _MAX:
            raise BadCosts(f"'{key}' must be within 0..{_MAX}", _place(source, [*path, key]))
        return value

    low, mean, high = (
        field(key, (int, float) if key == "mean" else int, "a number of cycles")
        for key in ("min", "mean", "max")
    )
    if not low <= mean <= high:
        raise BadCosts(
            f"'{path[-1]}' has min {low}, mean {mean}, max {high}, which are not in order",
            _place(source, [*path, "min"]),
        )
    calls = field("calls", int, "a number of calls")
    texts = [field(key, str, "a text") for key in ("code", "inputs", "most")]
    return RecordedCost(calls, low, float(mean), high, texts[0], texts[1], texts[2])


class _Refused(ValueError):
    """Something that JSON has and this file must not have, ``near`` a key or a word."""

    def __init__(self, message: str, near: str) -> None:
        super().__init__(message)
        self.near = near


def _without_doubles(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise _Refused(f"'{key}' appears twice", key)
        result[key] = value
    return result


def _no_constant(text: str) -> Any:
    raise _Refused(f"{text} is not a number", text)


def _place(source: Source, path: list[str]) -> Span:
    """Where the last of some keys stands, each looked for behind the one before."""
    at, length = 0, 1
    for key in path:
        written = {json.dumps(key), json.dumps(key, ensure_ascii=False), key}
        pattern = "|".join(
            rf"{re.escape(w)}(?=\s*:)" for w in sorted(written, key=len, reverse=True)
        )
        match = re.compile(pattern).search(source.text, at) or re.compile(re.escape(key)).search(
            source.text, at
        )
        if match is None:
            break
        at, length = match.start(), len(match[0])
    line = source.text.count("\n", 0, at) + 1
    column = at - (source.text.rfind("\n", 0, at) + 1) + 1
    return Span(source, line, column, length)
