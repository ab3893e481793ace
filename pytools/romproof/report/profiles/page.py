"""Stand-in."""

from collections.abc import Sequence

from romproof.measure.recorded import Recorded


def page(programs: Sequence[Recorded]) -> str:
    """A page."""
    return ""
