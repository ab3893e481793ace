"""The arguments of a macro call."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class MacroArguments:
    """The texts a macro was called with; ``shifted`` of them are out of sight."""

    texts: tuple[str, ...]
    shifted: int = 0

    @property
    def count(self) -> int:
        """How many there are to see (``_NARG``)."""
        return len(self.texts) - self.shifted

    def get(self, number: int) -> str | None:
        """Argument ``number``, from 1, or from -1 backwards; None if there is none."""
        index = number - 1 + self.shifted if number > 0 else len(self.texts) + number
        return self.texts[index] if self.shifted <= index < len(self.texts) else None

    def all(self) -> str:
        """All in sight with commas between them, and one behind an empty last one."""
        seen = self.texts[self.shifted :]
        return ",".join(seen) + ("," if seen and not seen[-1] else "")

    def shift(self, count: int) -> str | None:
        """Move by ``count`` arguments; gives a complaint when there are not so many."""
        wanted = self.shifted + count
        self.shifted = max(0, min(wanted, len(self.texts)))
        if wanted > len(self.texts):
            return "Cannot shift macro arguments past their end"
        if wanted < 0:
            return "Cannot shift macro arguments past their beginning"
        return None
