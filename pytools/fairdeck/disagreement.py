"""What is said when machine code and model differ."""

from __future__ import annotations

from romproof import RomproofError


class Disagreement(RomproofError):
    """A machine and the model came to different results."""
