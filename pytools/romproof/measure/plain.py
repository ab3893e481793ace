"""Recorded profiles as text, from one process to another of the same test run."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import astuple, replace
from typing import Any

from romproof.measure.frame_loads import FrameLoad
from romproof.measure.model import (
    CallEdge,
    CodeSpot,
    CycleProfile,
    LineProfile,
    PageAccess,
    PathProfile,
    RoutineProfile,
    SpotCost,
)
from romproof.measure.recorded import RecordedProfile
from romproof.measure.waits import Wait, WaitKind


def as_text(programs: Iterable[RecordedProfile]) -> str:
    """The profiles as text."""
    return json.dumps([_list_fields(program) for program in programs], separators=(",", ":"))


def from_text(text: str) -> list[RecordedProfile]:
    """The profiles that a text of ``as_text`` holds."""
    return [_to_recorded(plain) for plain in json.loads(text)]


def _list_fields(program: RecordedProfile) -> list[Any]:
    profile = program.profile
    rows = (
        profile.routines,
        profile.edges,
        profile.costs,
        profile.paths,
        profile.accesses,
        program.lines,
        program.frames,
    )
    return [
        (program.title, program.cpu, program.what, program.runs, program.context),
        (profile.cycles, profile.instructions),
        *([astuple(row) for row in part] for part in rows),
        [[wait.kind.value, *astuple(wait)[1:]] for wait in program.waits],
    ]


def _to_recorded(plain: list[Any]) -> RecordedProfile:
    (title, cpu, what, runs, context), (cycles, instructions), *rows = plain
    routines, edges, costs, paths, accesses, lines, frames, waits = rows
    profile = CycleProfile(
        cycles,
        instructions,
        tuple(replace(RoutineProfile(*row), also=tuple(row[-1])) for row in routines),
        tuple(CallEdge(*row) for row in edges),
        tuple(SpotCost(n, CodeSpot(*spot), count, spent) for n, spot, count, spent in costs),
        tuple(PathProfile(p, n, s and CodeSpot(*s), calls, own) for p, n, s, calls, own in paths),
        tuple(PageAccess(*row) for row in accesses),
    )
    near = tuple((name, line, text) for name, line, text in context)
    return RecordedProfile(
        title,
        cpu,
        what,
        runs,
        profile,
        tuple(LineProfile(*x) for x in lines),
        near,
        tuple(Wait(WaitKind(kind), CodeSpot(*spot), *rest) for kind, spot, *rest in waits),
        tuple(FrameLoad(*x) for x in frames),
    )
