"""Profiles as JSON; docs/json.md describes the keys."""

from __future__ import annotations

import json
from collections.abc import Sequence

from romproof.measure.model import CycleProfile, RoutineProfile
from romproof.measure.paths import merge_paths
from romproof.measure.recorded import RecordedProfile
from romproof.report.json_object import JsonObject
from romproof.report.waits import waits_json


def profile_json(programs: Sequence[RecordedProfile]) -> str:
    """An object with all profiles; its schema is romproof.profile/1."""
    fields = {
        "schema": "romproof.profile/1",
        "programs": [
            {
                "rom": program.title,
                "cpu": program.cpu,
                "what": program.what,
                "runs": program.runs,
                "cycles": program.profile.cycles,
                "instructions": program.profile.instructions,
                "routines": [routine_json(r) for r in program.profile.routines],
                "calls": calls_json(program.profile),
                "lines": [
                    {
                        "file": line.source,
                        "line": line.line,
                        "text": line.text,
                        "count": line.count,
                        "cycles": line.cycles,
                    }
                    for line in program.lines
                ],
                **paths_json(program.profile),
                **waits_json(program),
            }
            for program in programs
        ],
    }
    return json.dumps(fields, indent=1, ensure_ascii=False) + "\n"


def routine_json(routine: RoutineProfile) -> dict[str, object]:
    """The keys of a routine that are its own."""
    return {
        "name": routine.name,
        "also": list(routine.also),
        "kind": routine.kind,
        "address": routine.address if routine.address >= 0 else None,
        "bank": routine.bank,
        "file": routine.source,
        "line": routine.line,
        "calls": routine.calls,
        "exclusive": routine.exclusive,
        "inclusive": routine.inclusive,
        "minimum": routine.minimum,
        "mean": routine.mean,
        "maximum": routine.maximum,
    }


def calls_json(profile: CycleProfile) -> list[JsonObject]:
    """The calls from routine to routine."""
    return [
        {"caller": edge.caller, "callee": edge.callee, "calls": edge.calls, "cycles": edge.cycles}
        for edge in profile.edges
    ]


def paths_json(profile: CycleProfile) -> dict[str, object]:
    """The key ``paths`` and, where they were counted, ``accesses``."""
    fields: dict[str, object] = {
        "paths": [
            {
                "parent": path.parent if path.parent >= 0 else None,
                "routine": path.routine if path.routine >= 0 else None,
                "calls": path.calls,
                "cycles": path.cycles,
            }
            for path in merge_paths(profile.paths)
        ],
    }
    if profile.accesses:
        fields["accesses"] = [
            {"routine": a.routine, "page": a.page, "reads": a.reads, "writes": a.writes}
            for a in profile.accesses
        ]
    return fields
