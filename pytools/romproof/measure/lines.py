"""Cycles beside source lines."""

from __future__ import annotations

from romproof.measure.code_locations import BANK, CodeLocations
from romproof.measure.model import CycleProfile, LineProfile


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
