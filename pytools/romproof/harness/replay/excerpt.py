"""The end of a run as text: listing lines, executed instructions, call chain."""

from __future__ import annotations

from collections.abc import Sequence

from romproof.engine.registers import RegisterFile
from romproof.harness.replay.run import CallFrame, Trace
from romproof.harness.replay.trace import TraceStep
from romproof.isa.abi import Abi, abi_of
from romproof.isa.codec import decode, format_cycles, format_instruction
from romproof.program.image import Image, ImageLine

CONTEXT = 3
"""Source lines that are shown before and after the one that matters."""

CHAIN_ENDS = 6
"""Routines of a long call chain that are shown at each of its ends."""

_MAX_BYTES = 4


def end_of_run(image: Image, trace: Trace) -> str:
    """Registers, listing lines around the last instruction, and the call chain."""
    abi = abi_of(image.cpu)
    lines = ["registers:", f"  {registers(trace.registers, abi)}  {abi.cycles}={trace.cycles}"]
    if trace.steps:
        last = trace.steps[-1]
        there = last.image or image
        lines += [f"last instruction: {there.describe(last.address)}"]
        lines += listing(there, last)
    outermost, *others = chain(image, trace.frames)
    if trace.unwatched:
        others.insert(0, f"  … calls of the first {trace.unwatched:,} {abi.cycles} are not listed")
    return "\n".join([*lines, "call chain:", outermost, *others])


def registers(state: RegisterFile, abi: Abi) -> str:
    """``A=$12 X=… P=nvdIzc PC=$C000`` (upper case: flag set)."""
    shown = [f"{n.upper()}=${abi.get(state, n):0{abi.widths[n] // 4}X}" for n in abi.shown]
    flags = f"{abi.flag_byte.upper()}={abi.format_flags(abi.flags_of(state))}"
    return " ".join([*shown, flags, f"PC=${abi.get(state, 'pc'):04X}"])


def chain(image: Image, frames: Sequence[CallFrame]) -> list[str]:
    """The routines that were open, outermost first, a line each."""
    lines = [_frame(image, frame) for frame in frames]
    left_out = len(lines) - 2 * CHAIN_ENDS
    if left_out > 0:
        lines[CHAIN_ENDS:-CHAIN_ENDS] = [f"  … and {left_out} more"]
    return lines


def listing(image: Image, step: TraceStep) -> list[str]:
    """The source lines around an instruction: number, address, bytes, cycles, text."""
    line = image.line_at(step.address)
    if line is None:
        return [f"  > {image.describe(step.address)}  {_disassembly(image, step)}"]
    return _show_around(image, line)


def listing_at(image: Image, address: int) -> list[str]:
    """The source lines around the instruction at ``address``; none where that is not known."""
    line = image.line_at(address)
    return [] if line is None else _show_around(image, line)


def _show_around(image: Image, line: ImageLine) -> list[str]:
    """The source lines around one."""
    source, number = line.span.source, line.span.line
    around: dict[int, list[ImageLine]] = {}
    for other in image.lines:
        if other.span.source is source and abs(other.span.line - number) <= CONTEXT:
            around.setdefault(other.span.line, []).append(other)
    first = max(1, number - CONTEXT)
    end = min(len(source.lines), number + CONTEXT)
    shown = [f"  {source.name}:{number}"]
    for at in range(first, end + 1):
        # a line of a macro or repeat stands for several places: show the one that ran
        here = [o for o in around.get(at, []) if o is line] or around.get(at, [])
        mark = ">" if at == number else " "
        columns = _columns(here[0], abi_of(image.cpu)) if here else ""
        shown.append(f"  {mark}{at:>5}  {columns:<24}| {source.line(at)}".rstrip())
    shown += [f"  {via.what} at {via.span}" for via in line.span.chain()]
    return shown


def _columns(line: ImageLine, abi: Abi) -> str:
    """Address, bytes and cycles of a statement."""
    data = line.data[:_MAX_BYTES].hex(" ").upper()
    if len(line.data) > _MAX_BYTES:
        data += " …"
    cycles = ""
    if line.is_code:
        instruction = decode(line.data, line.address, abi.cpu)
        if instruction is not None:
            cycles = format_cycles(instruction.opcode.cycles, instruction.crosses)
    return f"{line.address:04X}  {data:<11} {cycles:>4}"


def _disassembly(image: Image, step: TraceStep) -> str:
    instruction = decode(step.data, step.address, abi_of(image.cpu).cpu)
    if instruction is None:
        return step.data.hex(" ").upper()

    def name(address: int) -> str | None:
        label = image.label_at(address)
        return label.name if label else None

    data = step.data[: instruction.opcode.size].hex(" ").upper()
    return f"{data:<8}  {format_instruction(instruction, name)}"


def _frame(image: Image, frame: CallFrame) -> str:
    image = frame.image or image
    entry = image.describe(frame.entry)
    if frame.site is None:
        return f"  {entry}, called by the test"
    how = "interrupting" if frame.interrupted else "called at"
    return f"  {entry}, {how} {image.describe(frame.site)}{source_of(image, frame.site)}"


def source_of(image: Image, address: int) -> str:
    """``  game.s:21``, nothing where no source line is known."""
    line = image.line_at(address)
    return f"  {line.span.source.name}:{line.span.line}" if line else ""
