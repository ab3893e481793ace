"""What a program waited for, and how full its frames were, in words and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from romproof.measure.frame_loads import FrameLoad
from romproof.measure.model import CodeSpot
from romproof.measure.recorded import RecordedProfile
from romproof.measure.waits import Wait, WaitKind
from romproof.report.json_object import JsonObject

_WORDS = {
    WaitKind.HALT: "an interrupt, in HALT",
    WaitKind.INTERRUPT: "interrupts",
    WaitKind.BLANK: "vertical blank",
    WaitKind.LINE: "a line",
    WaitKind.SPRITE_0: "sprite 0",
    WaitKind.VIDEO_MEMORY: "video memory",
    WaitKind.VALUE: "a value behind a pointer",
}


def awaited(wait: Wait) -> str:
    """What was waited for: ``vertical blank``."""
    read = wait.symbol or (None if wait.reads is None else f"${wait.reads:04X}")
    if wait.kind is WaitKind.FLAG:
        return f"the flag {read}"
    if wait.kind is WaitKind.PORT:
        return f"the port {read}"
    if wait.kind is WaitKind.LINE and wait.value is not None:
        return f"line {wait.value}"
    return _WORDS[wait.kind]


def where(spot: CodeSpot) -> str:
    """The source line of a spot, else its address."""
    if spot.source is not None:
        return f"{spot.source}:{spot.line}"
    bank = "" if spot.bank is None else f"{spot.bank:02X}:"
    return f"${bank}{spot.address:04X}"


def summary(recorded: RecordedProfile) -> str:
    """How much of an execution was waiting, in a line: with frames how full they were, too. Empty
    where it did not wait and no frames were asked for."""
    profile, frames = recorded.profile, recorded.frames
    if not recorded.waits and not frames:
        return ""
    if not frames:
        return f"waiting: {percent(profile.share(recorded.waiting))} of all {recorded.unit}"
    number = fullest(frames)
    return (
        f"waiting: {percent(1 - average(frames))} of the frame on average, "
        f"{percent(1 - frames[number].share)} of frame {number + 1:,}, the fullest of "
        f"{len(frames):,}"
    )


def percent(share: float) -> str:
    """``62.0 %``."""
    return f"{100 * share:.1f} %"


def average(frames: Sequence[FrameLoad]) -> float:
    """How full frames are together, 0.0 to 1.0."""
    cycles = sum(frame.cycles for frame in frames)
    return 1 - sum(frame.waiting for frame in frames) / cycles if cycles else 0.0


def fullest(frames: Sequence[FrameLoad]) -> int:
    """The index of the first of the fullest frames."""
    return max(range(len(frames)), key=lambda n: (frames[n].share, -n))


def waits_json(recorded: RecordedProfile) -> JsonObject:
    """The keys ``waiting``, ``waits`` and ``frame_loads``."""
    return {
        "waiting": recorded.waiting,
        "waits": [
            {
                "kind": wait.kind.value,
                "place": wait.place,
                "address": wait.spot.address,
                "bank": wait.spot.bank,
                "file": wait.spot.source,
                "line": wait.spot.line,
                "reads": wait.reads,
                "symbol": wait.symbol,
                "value": wait.value,
                "passes": wait.passes,
                "cycles": wait.cycles,
                "halted": wait.halted,
            }
            for wait in recorded.waits
        ],
        "frame_loads": [
            {"cycles": frame.cycles, "waiting": frame.waiting} for frame in recorded.frames
        ],
    }
