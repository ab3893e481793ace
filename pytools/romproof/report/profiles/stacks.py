"""Profiles as stacks: for speedscope, and collapsed for flamegraph.pl and its relatives.

Calls along the same path of routines are added up; their order in time is not kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from romproof.measure.paths import merge_paths, names_of, totals
from romproof.measure.recorded import RecordedProfile

_SCHEMA = "https://www.speedscope.app/file-format-schema.json"
_NOT_IN_NAMES = re.compile(r"[;\s]+")


def collapse(programs: Sequence[RecordedProfile]) -> str:
    """A line for each path, ``main;fill;step 87``: its own cycles; blanks in names are "_". With
    several programs the first name is the program's."""
    lines: list[str] = []
    for program in programs:
        names = [_NOT_IN_NAMES.sub("_", name) for name in names_of(program.profile)]
        first = (_NOT_IN_NAMES.sub("_", program.title),) if len(programs) > 1 else ()
        stacks: list[tuple[str, ...]] = []
        for path in merge_paths(program.profile.paths):
            above = first if path.parent < 0 else stacks[path.parent]
            stacks.append((*above, names[path.routine]))
            if path.cycles:
                lines.append(f"{';'.join(stacks[-1])} {path.cycles}")
    return "".join(f"{line}\n" for line in lines)


def speedscope(programs: Sequence[RecordedProfile]) -> str:
    """A file for speedscope, with an evented profile for each program."""
    frames: list[dict[str, object]] = []
    profiles: list[dict[str, object]] = []
    for program in programs:
        base, profile = len(frames), program.profile
        for name, routine in zip(names_of(profile), (*profile.routines, None), strict=True):
            frame: dict[str, object] = {"name": name}
            if routine is not None and routine.source is not None and routine.line is not None:
                frame |= {"file": routine.source, "line": routine.line}
            frames.append(frame)
        other = base + len(profile.routines)
        profiles.append(
            {
                "type": "evented",
                "name": f"{program.title}: {program.what} ({program.unit})",
                "unit": "none",
                "startValue": 0,
                "endValue": sum(path.cycles for path in profile.paths),
                "events": _events(program, base, other),
            }
        )
    file = {
        "$schema": _SCHEMA,
        "shared": {"frames": frames},
        "profiles": profiles,
        "name": ", ".join(program.title for program in programs),
        "activeProfileIndex": 0,
        "exporter": "romproof",
    }
    return json.dumps(file, ensure_ascii=False, separators=(",", ":")) + "\n"


def _events(program: RecordedProfile, base: int, other: int) -> list[dict[str, object]]:
    paths = merge_paths(program.profile.paths)
    spent = totals(paths)
    events: list[dict[str, object]] = []
    open_paths: list[tuple[int, int, int]] = []
    """Each one's number, its frame, and the cycle in which it ends."""
    now = 0
    for number, path in enumerate(paths):
        while open_paths and open_paths[-1][0] != path.parent:
            _, frame, now = open_paths.pop()
            events.append({"type": "C", "at": now, "frame": frame})
        frame = other if path.routine < 0 else base + path.routine
        events.append({"type": "O", "at": now, "frame": frame})
        open_paths.append((number, frame, now + spent[number]))
        now += path.cycles
    for _, frame, now in reversed(open_paths):
        events.append({"type": "C", "at": now, "frame": frame})
    return events
