"""What was seen of a call that was followed, as text and for JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from romproof.engine.registers import RegisterFile
from romproof.harness.replay.excerpt import chain, listing_at, registers, source_of
from romproof.harness.replay.follow import Visit, WatchedAccess
from romproof.harness.replay.instructions import disassemble_step
from romproof.harness.replay.run import CallFrame
from romproof.harness.replay.trace import TraceStep
from romproof.isa.abi import Abi, abi_of
from romproof.isa.codec import decode
from romproof.program.image import Image
from romproof.report.json_object import JsonObject


def step_json(image: Image, step: TraceStep, with_accesses: bool = True) -> JsonObject:
    """See docs/json.md, "romproof run". ``with_accesses``: they were looked at."""
    abi = abi_of(image.cpu)
    instruction = decode(step.data, step.address, abi.cpu)
    size = instruction.opcode.size if instruction is not None else 0
    line = image.line_at(step.address) if step.is_instruction else None
    row: dict[str, object] = {
        "cycle": step.cycle,
        "cycles": step.cycles,
        "address": step.address,
        "symbol": image.format_address(step.address),
        "bytes": step.data[:size].hex(),
        "instruction": disassemble_step(image, step, abi),
        "file": line.span.source.name if line is not None else None,
        "line": line.span.line if line is not None else None,
        "registers": registers_json(step.before, abi),
    }
    if with_accesses:
        row["accesses"] = [
            {
                "address": access.address,
                "symbol": image.format_address(access.address),
                "value": access.value,
                "write": access.is_write,
            }
            for access in step.accesses
        ]
    return row


def visit_text(image: Image, visit: Visit, number: int, memory: Mapping[str, bytes]) -> str:
    """A break: where, the registers, the source lines around it, the call chain."""
    abi = abi_of(image.cpu)
    trace = visit.trace
    times = f"visit {number}, " if number > 1 else ""
    lines = [f"break at {image.describe(visit.address)}: {times}{abi.cycle} {trace.cycles:,}"]
    lines += [f"  {registers(trace.registers, abi)}", *listing_at(image, visit.address)]
    lines += [f"  {name}: {data.hex(' ')}" for name, data in memory.items()]
    return "\n".join([*lines, "call chain:", *chain(image, trace.frames)])


def visit_json(image: Image, visit: Visit, number: int, memory: Mapping[str, bytes]) -> JsonObject:
    """See docs/json.md, "romproof run"."""
    abi = abi_of(image.cpu)
    return {
        "address": visit.address,
        "symbol": image.format_address(visit.address),
        "visit": number,
        "cycle": visit.trace.cycles,
        "registers": registers_json(visit.trace.registers, abi),
        "calls": _calls_json(image, visit.trace.frames),
        "memory": {name: data.hex() for name, data in memory.items()},
    }


def watch_text(image: Image, watched: WatchedAccess) -> str:
    """An access to a watched byte, in a line."""
    access, abi = watched.access, abi_of(image.cpu)
    name = image.format_address(access.address)
    at = f"${access.address:04X}" + (f" {name}" if name else "")
    what = "write" if access.is_write else "read "
    return (
        f"{abi.cycle} {watched.cycle:>7,}  {what} {at} = ${access.value:02X}  "
        f"at {image.describe(watched.site)} in {_routine(image, watched.routine)}"
        f"{source_of(image, watched.site)}"
    )


def watch_json(image: Image, watched: WatchedAccess) -> JsonObject:
    """See docs/json.md, "romproof run"."""
    access = watched.access
    return {
        "cycle": watched.cycle,
        "address": access.address,
        "symbol": image.format_address(access.address),
        "value": access.value,
        "write": access.is_write,
        "site": watched.site,
        "routine": _routine(image, watched.routine),
    }


def registers_json(state: RegisterFile, abi: Abi) -> JsonObject:
    """The registers, of all bits one by one, with the program counter."""
    singles = [r.attribute for r in (*abi.registers, abi.stack_pointer)]
    return {name: abi.get(state, name) for name in (*singles, abi.flag_byte, "pc")}


def _calls_json(image: Image, frames: Sequence[CallFrame]) -> list[JsonObject]:
    return [
        {
            "entry": frame.entry,
            "symbol": image.format_address(frame.entry),
            "site": frame.site,
            "interrupt": frame.interrupted,
        }
        for frame in frames
    ]


def _routine(image: Image, entry: int) -> str:
    return image.format_address(entry) or f"${entry:04X}"
