"""The texts of a first project: its table in a pyproject.toml, its test."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from romproof.cli.starting.first_test import FirstTest
from romproof.text.errors import RomproofError

_WIDTH = 100
_PYTEST = '\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n'
_HEADING = re.compile(r"^\s*\[\[?\s*(?:\"?tool\"?)\s*\.\s*\"?romproof\"?\s*(?:\.|\])")


def table_text(table: Mapping[str, Any], comments: Sequence[str]) -> str:
    """The table [tool.romproof] as TOML."""
    lines = ["[tool.romproof]"]
    for key, value in table.items():
        line = f"{key} = {_value(value)}"
        if len(line) > _WIDTH and isinstance(value, list):
            items = "".join(f"    {_value(item)},\n" for item in value)
            line = f"{key} = [\n{items}]"
        lines.append(line)
    return "\n".join([*lines, *(f"# {comment}" for comment in comments)]) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{key} = {_value(item)}" for key, item in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, list):
        return f"[{', '.join(_value(item) for item in value)}]"
    if isinstance(value, str):  # JSON's strings are TOML's, but for DEL
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)


def has_table(text: str) -> bool:
    """Whether a pyproject.toml has the table. Raises RomproofError for one that is no TOML."""
    tool = _parse(text).get("tool")
    return isinstance(tool, dict) and "romproof" in tool


def with_table(text: str | None, table: str) -> str:
    """A pyproject.toml with the table, in place of the one it has; None: a new file.

    Everything else stays as it is. Raises RomproofError where that cannot be done.
    """
    if text is None:
        return table + _PYTEST
    before = _parse(text)
    kept = _without_table(text) if has_table(text) else text
    end = "" if not kept.strip() else "\n" if kept.endswith("\n") else "\n\n"
    made = kept + end + table
    try:
        after = tomllib.loads(made)
    except ValueError:
        after = {}
    if _others(after) != _others(before) or not isinstance(after.get("tool"), dict):
        raise RomproofError(
            "pyproject.toml: a table cannot be added to this file without changing the rest; add "
            "it by hand (--dry-run shows it)"
        )
    return made


def _parse(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except ValueError as fault:
        raise RomproofError(f"pyproject.toml: {fault}") from None


def _without_table(text: str) -> str:
    """The text without the lines of [tool.romproof] and of the tables in it."""
    kept, inside = [], False
    for line in text.splitlines(keepends=True):
        if line.lstrip().startswith("["):
            inside = _HEADING.match(line) is not None
        if not inside:
            kept.append(line)
    return "".join(kept)


def _others(parsed: Mapping[str, Any]) -> dict[str, Any]:
    """What a file says of other things."""
    tool = parsed.get("tool", {})
    others = {key: value for key, value in tool.items() if key != "romproof"}
    rest = {key: value for key, value in parsed.items() if key != "tool"}
    return {**rest, **({"tool": others} if others else {})}


def test_file_text(name: str, tests: Sequence[FirstTest]) -> str:
    """The file with the first tests."""
    head = (
        f'"""First tests of {name}, as "romproof init" wrote them: change them, add more.\n\n'
        f'rom.call("NAME", a=1, mem={{"VARIABLE": 2}}) calls a routine; rom.machine() is a\n'
        f'machine with the program, freshly switched on.\n"""\n'
    )
    return "\n\n".join([head, *(test.text for test in tests)])


def name_test_file(name: str) -> str:
    """What the file with the tests of a program is called."""
    return f"test_{re.sub(r'[^a-z0-9]+', '_', name.lower()).strip('_') or 'rom'}.py"
