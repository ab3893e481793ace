"""What a program has come to that ran for some frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rich.console import RenderableType
from rich.text import Text

from romproof.engine.registers import RegisterFile
from romproof.isa.abi import Abi
from romproof.report.json_object import JsonObject


@dataclass(frozen=True)
class FramesReport:
    """``frames`` of the program ``rom`` on ``machine``: ``cycles`` are those of this run,
    ``registers`` and the ``beam``, line and dot, those at its end. ``memory`` holds
    what was asked for, by name; ``state`` is the file of the state, ``traced`` has further keys of
    the JSON object."""

    rom: str
    machine: str
    abi: Abi
    frames: int
    cycles: int
    registers: RegisterFile
    beam: tuple[int, int]
    memory: Mapping[str, bytes]
    state: str | None = None
    traced: JsonObject = field(default_factory=dict)


def frames_head(report: FramesReport) -> list[RenderableType]:
    """The lines above the memory that was asked for."""
    abi = report.abi
    title = Text(report.rom, style="bold")
    plural = "" if report.frames == 1 else "s"
    title.append(
        f"  {report.frames:,} frame{plural} on '{report.machine}', {report.cycles:,} {abi.cycles}",
        style="not bold",
    )
    registers = Text()
    for name in (*abi.shown, abi.flag_byte, "pc"):
        width = 4 if name == "pc" else abi.widths[name] // 4
        registers.append(f"{name.upper()} ", style="cyan")
        registers.append(f"${abi.get(report.registers, name):0{width}X}  ")
    beam = f"the picture is at line {report.beam[0]}, dot {report.beam[1]}"
    parts: list[RenderableType] = [title, registers, beam]
    if report.state is not None:
        parts.append(f"state written to {report.state}")
    return parts


def frames_json(report: FramesReport) -> JsonObject:
    """See docs/json.md, "romproof run"."""
    abi = report.abi
    singles = [r.attribute for r in (*abi.registers, abi.stack_pointer)]
    names = (*singles, abi.flag_byte, "pc")
    return {
        "rom": report.rom,
        "machine": report.machine,
        "frames": report.frames,
        "cycles": report.cycles,
        "registers": {name: abi.get(report.registers, name) for name in names},
        "beam": {"line": report.beam[0], "dot": report.beam[1]},
        "memory": {name: data.hex() for name, data in report.memory.items()},
        "state": report.state,
        **report.traced,
    }
