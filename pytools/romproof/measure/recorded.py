"""A profile with all that is needed to show it where its program is not at hand."""

from __future__ import annotations

from dataclasses import dataclass

from romproof.measure.lines import line_profiles
from romproof.measure.model import LineProfile, Profile
from romproof.measure.places import Places


@dataclass(frozen=True)
class Recorded:
    """What was executed of the program ``title``: ``runs`` are the calls, or the frames, that
    ``what`` says; ``lines`` are all executed source lines, the costliest first."""

    title: str
    cpu: str
    what: str
    runs: int
    profile: Profile
    lines: tuple[LineProfile, ...]

    @property
    def unit(self) -> str:
        """What is counted: the SM83's cycles are M-cycles."""
        return "M-cycles" if self.cpu == "sm83" else "cycles"


def recorded(title: str, what: str, runs: int, profile: Profile, places: Places) -> Recorded:
    """A profile with its source lines; ``places`` are those of its profiler."""
    cpu = places.image.cpu
    return Recorded(title, cpu, what, runs, profile, line_profiles(profile, places))
