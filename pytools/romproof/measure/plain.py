"""Recorded profiles as text, from one process to another of the same test run."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import astuple, replace
from typing import Any

from romproof.measure.model import (
    Cost,
    Edge,
    LineProfile,
    PageAccess,
    PathProfile,
    Profile,
    RoutineProfile,
    Spot,
)
from romproof.measure.recorded import Recorded


def as_text(programs: Iterable[Recorded]) -> str:
    """The profiles as text."""
    return json.dumps([_plain(program) for program in programs], separators=(",", ":"))


def from_text(text: str) -> list[Recorded]:
    """The profiles that a text of ``as_text`` holds."""
    return [_to_recorded(plain) for plain in json.loads(text)]


def _plain(program: Recorded) -> list[Any]:
    profile = program.profile
    rows = (
        profile.routines,
        profile.edges,
        profile.costs,
        profile.paths,
        profile.accesses,
        program.lines,
    )
    return [
        (program.title, program.cpu, program.what, program.runs, program.context),
        (profile.cycles, profile.instructions),
        *([astuple(row) for row in part] for part in rows),
    ]


def _to_recorded(plain: list[Any]) -> Recorded:
    (title, cpu, what, runs, context), (cycles, instructions), *rows = plain
    routines, edges, costs, paths, accesses, lines = rows
    profile = Profile(
        cycles,
        instructions,
        tuple(replace(RoutineProfile(*row), also=tuple(row[-1])) for row in routines),
        tuple(Edge(*row) for row in edges),
        tuple(Cost(n, Spot(*spot), count, spent) for n, spot, count, spent in costs),
        tuple(PathProfile(p, n, s and Spot(*s), calls, own) for p, n, s, calls, own in paths),
        tuple(PageAccess(*row) for row in accesses),
    )
    near = tuple((name, line, text) for name, line, text in context)
    return Recorded(title, cpu, what, runs, profile, tuple(LineProfile(*x) for x in lines), near)
