"""A list of the hashes that were published before games, by the ids of the games."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import PurePath

from fairdeck.tenhou.links import game_id
from fairdeck.tenhou.logs import LogFile
from romproof import BadInput

HASH = re.compile(r"[0-9A-Fa-f]{128}")
"""SHA-512 in hexadecimal digits."""
_WORD = re.compile(r"[^\s,;]+")
_MAX_FAULTS = 20
"""Faults of one list that are shown."""


class BadList(BadInput):
    """A list of hashes cannot be read; the message names each line and its fault."""


@dataclass(slots=True)
class PublishedHashes:
    """Hashes by the ids of games, or the names of logs; ``used`` are those that were asked for."""

    by_name: dict[str, str]
    used: set[str] = field(default_factory=set)

    def find(self, log: LogFile) -> str | None:
        """The hash of a log: that of the id in its name, else of its name, else of its stem."""
        path = PurePath(log.member if log.member is not None else log.path)
        for name in (game_id(path.name), path.name, path.name.partition(".")[0]):
            if name is not None and name in self.by_name:
                self.used.add(name)
                return self.by_name[name]
        return None


def read_list(text: str, where: str) -> PublishedHashes:
    """The list in a text: lines of an id (or a link, or a log's name) and a hash, ``#`` before
    comments; or a JSON object of hashes by ids. Raises BadList."""
    if text.lstrip().startswith("{"):
        return PublishedHashes(_read_json(text, where))
    found: dict[str, str] = {}
    faults: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = list(_WORD.finditer(line.partition("#")[0]))
        fault = _add(found, words) if words else None
        if fault is not None:
            what, column = fault
            faults.append(f"{where}:{number}:{column + 1}: {what}\n{_point_at(line, column)}")
    if faults:
        more = len(faults) - _MAX_FAULTS
        raise BadList("\n".join(faults[:_MAX_FAULTS] + [f"and {more:,} more"] * (more > 0)))
    return PublishedHashes(found)


def _add(found: dict[str, str], words: list[re.Match[str]]) -> tuple[str, int] | None:
    """Put a line's hash in; else what is wrong, and the column from 0."""
    if len(words) != 2:
        return f"a line has an id and a hash, this one {len(words)} words", words[-1].start()
    first, second = words
    name, text = (first[0], second[0]) if HASH.fullmatch(second[0]) else (second[0], first[0])
    if not HASH.fullmatch(text):
        return "not a hash: a hash has 128 hexadecimal digits (SHA-512)", second.start()
    name = game_id(name) or name
    if found.setdefault(name, text.lower()) != text.lower():
        return f"a second hash for '{name}', and another one", first.start()
    return None


def _point_at(line: str, column: int) -> str:
    """The part of a line around a column, and a caret below it."""
    start = max(0, column - 40)
    shown = line[start : start + 100].replace("\t", " ")
    return f"    {shown}\n    {' ' * (column - start)}^"


def _read_json(text: str, where: str) -> dict[str, str]:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as fault:
        place = f"{where}:{fault.lineno}:{fault.colno}"
        line = text.split("\n")[fault.lineno - 1]
        raise BadList(f"{place}: {fault.msg}\n{_point_at(line, fault.colno - 1)}") from None
    except RecursionError:
        raise BadList(f"{where}: JSON that is nested too deep") from None
    for name, value in found.items():
        if not isinstance(value, str) or not HASH.fullmatch(value):
            what = "has no hash: one has 128 hexadecimal digits (SHA-512)"
            raise BadList(f"{where}: '{name}' {what}")
    return {game_id(name) or name: value.lower() for name, value in found.items()}
