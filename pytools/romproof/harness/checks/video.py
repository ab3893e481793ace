"""The check ``video``: writes to video memory while the picture is drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from romproof.engine.checks import CheckMode
from romproof.engine.instruments import MemoryEvent, Watchpoint
from romproof.engine.protocol import EngineFault, FaultKind
from romproof.harness.checks.checks import warn
from romproof.machine.board import Board
from romproof.machine.video import DrawingPhase, MistimedWrite, VideoMemory
from romproof.program.image import Image


@dataclass(slots=True, eq=False)
class VideoCheck:
    """Looks at the writes on one board. ``loaded`` gives the part of the program that is in
    sight."""

    board: Board
    loaded: Callable[[], Image]
    _points: dict[CheckMode, tuple[Watchpoint, ...]] = field(default_factory=dict)
    _warned: set[tuple[str, int]] = field(default_factory=set)

    def points(self, level: CheckMode) -> tuple[Watchpoint, ...]:
        """What a run is to be told of; nothing where the check is off."""
        video = self.board.video
        if level == "off" or video is None:
            return ()
        if level not in self._points:
            look = partial(self._look, level)
            self._points[level] = tuple(
                Watchpoint(first, last, reads=False, callback=look) for first, last in video.ranges
            )
        return self._points[level]

    def forget(self) -> None:
        """Warn anew of what was warned of."""
        self._warned.clear()

    def _look(self, level: CheckMode, event: MemoryEvent) -> None:
        """Warn of a write that comes at a wrong time, or raise EngineFault."""
        video = self.board.video
        found = video and video.judge(event.address, event.value, event.cycle)
        if not found:
            return
        image, pc = self.loaded(), event.pc
        sentence = describe(event, found, image.describe(pc))  # of the bank in sight now
        if level == "error":
            sentence += " (checks={'video': 'off'} disables this check)"
            opcode = self.board.peek(pc)
            raise EngineFault(
                FaultKind.MISTIMED_WRITE, self.board.engine.name, pc, opcode, sentence
            )
        line = image.line_at(pc)
        place = ("", pc) if line is None else (line.span.source.name, line.span.line)
        if place not in self._warned:
            self._warned.add(place)
            warn(image, pc, sentence, "video")


def describe(event: MemoryEvent, found: MistimedWrite, at: str) -> str:
    """What is wrong with a write by the instruction ``at``."""
    where = f"in line {found.line}, dot {found.dot}"
    starts = f"the instruction at {at} writes ${event.value:02X} to ${event.address:04X}"
    if found.phase is not DrawingPhase.RENDER:
        drawing = f"in {found.phase.value} of the LCD"
        if found.by_dma:
            return f"{starts}: DMA still writes to VRAM {where}, {drawing}, and bytes are lost"
        return f"{starts} {where}: {drawing} writes to {found.memory.value} are lost"
    drawing = "while the PPU renders"
    if found.by_dma:
        return f"{starts}: DMA writes to OAM {where}, {drawing}, and bytes are lost"
    if found.memory is VideoMemory.OAM:
        return f"{starts} {where}, {drawing}: OAM stays as it is"
    return (
        f"{starts} {where}, {drawing}: the byte goes to the address that the PPU is drawing, "
        "which then is moved on"
    )
