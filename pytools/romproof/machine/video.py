"""Writes to video memory while the picture is drawn: what a board says of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol


class VideoMemory(Enum):
    """What the CPU can write in blanking only."""

    VRAM = "VRAM"
    OAM = "OAM"
    PALETTES = "the palettes"


class DrawingPhase(Enum):
    """What the picture is at, while the CPU writes."""

    SEARCH = "mode 2"
    """Game Boy: sprites are searched in OAM."""
    DRAW = "mode 3"
    """Game Boy: the pixels of a line are drawn."""
    RENDER = "rendering"
    """NES: the PPU uses its memory and its address register itself."""


@dataclass(frozen=True, slots=True)
class MistimedWrite:
    """A write that does not do what it says, as the picture is drawn. ``line`` and ``dot`` are
    where; of DMA, where the first byte is lost."""

    memory: VideoMemory
    phase: DrawingPhase
    line: int
    dot: int
    by_dma: bool = False


class VideoWrites(Protocol):
    """What judges the writes to a board's video memory."""

    @property
    def ranges(self) -> Sequence[tuple[int, int]]:
        """The addresses through which the CPU writes there, others among them: the first and
        the last."""

    def judge(self, address: int, value: int, cycle: int) -> MistimedWrite | None:
        """What is wrong with a write that has just been made in a cycle; None for nothing."""
