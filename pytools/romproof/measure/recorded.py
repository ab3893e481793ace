"""A profile with its source lines, and all that is needed to show it where its program is not at
hand."""

from __future__ import annotations

from dataclasses import dataclass

from romproof.measure.code_locations import BANK, CodeLocations
from romproof.measure.frame_loads import FrameLoad
from romproof.measure.model import CycleProfile, LineProfile
from romproof.measure.waits import Wait
from romproof.text.span import Source

_AROUND = 2
"""Lines before and behind an executed one that are shown as well."""


@dataclass(frozen=True)
class RecordedProfile:
    """What was executed of the program ``title``: ``runs`` are the calls, or the frames, that
    ``what`` says; ``lines`` are all executed source lines, the costliest first. ``context`` are
    lines around them, which were not executed: file, number, text. ``waits`` are the loops in which
    the program waited, ``frames`` those that were run, from one vertical blank to the next."""

    title: str
    cpu: str
    what: str
    runs: int
    profile: CycleProfile
    lines: tuple[LineProfile, ...]
    context: tuple[tuple[str, int, str], ...] = ()
    waits: tuple[Wait, ...] = ()
    frames: tuple[FrameLoad, ...] = ()

    @property
    def waiting(self) -> int:
        """The cycles in which the program waited."""
        return sum(wait.cycles for wait in self.waits)

    @property
    def unit(self) -> str:
        """What is counted: the SM83's cycles are M-cycles."""
        return "M-cycles" if self.cpu == "sm83" else "cycles"


def record_profile(
    title: str,
    what: str,
    runs: int,
    profile: CycleProfile,
    places: CodeLocations,
    waits: tuple[Wait, ...] = (),
    frames: tuple[FrameLoad, ...] = (),
) -> RecordedProfile:
    """A profile with its source lines; ``places`` are those of its profiler."""
    lines = line_profiles(profile, places)
    context = _context(profile, lines, places)
    cpu = places.image.cpu
    return RecordedProfile(title, cpu, what, runs, profile, lines, context, waits, frames)


def _context(
    profile: CycleProfile, lines: tuple[LineProfile, ...], places: CodeLocations
) -> tuple[tuple[str, int, str], ...]:
    executed: dict[str, set[int]] = {}
    for line in lines:
        executed.setdefault(line.source, set()).add(line.line)
    sources: dict[str, Source] = {}
    for at in profile.addresses:
        image_line = places.image_at(at.address + (at.bank or 0) * BANK).line_at(at.address)
        if image_line is not None:
            sources.setdefault(image_line.span.source.name, image_line.span.source)
    around: list[tuple[str, int, str]] = []
    for name, numbers in sorted(executed.items()):
        texts = sources[name].text.split("\n")
        near = {n for number in numbers for n in range(number - _AROUND, number + _AROUND + 1)}
        around += [
            (name, number, texts[number - 1].rstrip("\r"))
            for number in sorted(near - numbers)
            if 1 <= number <= len(texts)
        ]
    return tuple(around)


def line_profiles(profile: CycleProfile, places: CodeLocations) -> tuple[LineProfile, ...]:
    """The executed source lines, the costliest first; ``places`` are those of the profiler.

    Code that no source line produced (an included binary, code written at run
    time to where the source only reserves memory) is left out.
    """
    counts: dict[tuple[str, int], int] = {}
    cycles: dict[tuple[str, int], int] = {}
    texts: dict[tuple[str, int], str] = {}
    for at in profile.addresses:
        image = places.image_at(at.address + (at.bank or 0) * BANK)
        line = image.line_at(at.address)
        if line is None or not line.data:
            continue
        key = (line.span.source.name, line.span.line)
        texts[key] = line.span.text
        cycles[key] = cycles.get(key, 0) + at.cycles
        counts[key] = counts.get(key, 0) + (at.count if at.address == line.address else 0)
    profiles = [LineProfile(*key, texts[key], counts[key], cycles[key]) for key in texts]
    return tuple(sorted(profiles, key=lambda line: (-line.cycles, line.source, line.line)))
