"""Executed instructions as a table: source line, registers after it, memory it read and wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from romproof.engine.registers import RegisterFile
from romproof.harness.replay.run import Trace
from romproof.harness.replay.trace import TracedAccess, TraceStep
from romproof.isa.abi import Abi
from romproof.isa.codec import decode, format_instruction
from romproof.program.image import Image

WIDTH = 100
"""Columns that a table takes where the names of variables are not too long."""
_LEAST_TEXT, _MAX_TEXT = 20, 36
_MEMORY = 21
"""Columns for an access: ``w $0010 score+1=12``, two blanks after it."""


def instructions(image: Image, trace: Trace, steps: Sequence[TraceStep], abi: Abi) -> list[str]:
    """The table of ``steps``, the last of ``trace`` that are to be shown; a line of its own says
    which routine and file come."""
    heading = (
        f"last {len(steps)} of {trace.instructions:,} instructions ({trace.cycles:,} {abi.cycles} "
        "used); registers after each; r read, w written:"
    )
    digits = max(5, *(len(str(step.cycle)) for step in steps)) if steps else 5
    registers = _titles(abi)
    room = WIDTH - (digits + 1 + 6 + 6 + 2 + 2 + len(registers) + 2 + _MEMORY)
    room = max(_LEAST_TEXT, min(_MAX_TEXT, room))
    titles = f"  {'cycle':>{digits}} {'addr':<5} {'line':>5}  {'source':<{room}}"
    lines = [heading, f"{titles}  {registers}  memory"]
    before = ""
    for index, step in enumerate(steps):
        following = steps[index + 1] if index + 1 < len(steps) else None
        if following is not None and _goes_on_waiting(step, following):
            continue  # of a CPU that waits the last cycle is enough
        image = step.image or image
        place, number, text = _source(image, step, abi)
        if place != before:
            lines.append(f"  {place}")
            before = place
        state = _values(step.after, abi) if step.after is not None else "refused"
        head = f"  {step.cycle:>{digits}} ${step.address:04X} {number:>5}  "
        head += f"{_cut(text, room):<{room}}  {state:<{len(registers)}}  "
        accesses = _accesses(image, step.accesses, step.stub)
        for row, line in enumerate(_pack(accesses, WIDTH - len(head))):
            lines.append(((" " * len(head) if row else head) + line).rstrip())
    return lines


def _goes_on_waiting(step: TraceStep, following: TraceStep) -> bool:
    """Whether two steps are cycles in which the CPU waits at the same place."""
    waits = not (step.is_instruction or step.accesses or step.note or step.stub)
    waits_on = not (
        following.is_instruction or following.accesses or following.note or following.stub
    )
    return waits and waits_on and step.address == following.address


def disassemble_step(image: Image, step: TraceStep, abi: Abi) -> str:
    """An executed instruction with the program's names."""
    if step.stub:
        return f"(stub of {step.stub})"
    if not step.is_instruction:
        return "(interrupt)" if step.accesses else "(waits)"
    instruction = decode(step.data, step.address, abi.cpu)
    if instruction is None:
        return step.data.hex(" ").upper()

    def name(address: int) -> str | None:
        label = image.label_at(address)
        return label.name if label else None

    return format_instruction(instruction, name)


def memory_name(image: Image, address: int) -> str:
    """``score+1`` where a label is known before an address, with all names of the object, else
    ``$0011``."""
    return image.all_named(address) or f"${address:04X}"


def _source(image: Image, step: TraceStep, abi: Abi) -> tuple[str, str, str]:
    """The routine and file a step is in, the number of its line, and the text of that."""
    routine = re.split(r"[@.]", image.variable_at(step.address))[0] or "?"
    line = image.line_at(step.address) if step.is_instruction else None
    if line is None:
        return routine, "", disassemble_step(image, step, abi)
    text = statement(line.span.text)
    return f"{routine}, {line.span.source.name}", str(line.span.line), text


def statement(text: str) -> str:
    """A source line without its comment, its blanks made one each."""
    quote = ""
    for at, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            # an apostrophe opens a character only where it is closed: 'a' of ca65
            quote = letter if letter in text[at + 1 :] else ""
        elif letter == ";":
            text = text[:at]
            break
    return " ".join(text.split())


def _titles(abi: Abi) -> str:
    names = [f"{name.upper():<{abi.widths[name] // 4}}" for name in abi.shown]
    return " ".join([*names, "".join(flag.name[0] for flag in abi.flags)])


def _values(state: RegisterFile, abi: Abi) -> str:
    values = [f"{abi.get(state, name):0{abi.widths[name] // 4}X}" for name in abi.shown]
    return " ".join([*values, abi.format_flags(abi.flags_of(state))])


def _accesses(image: Image, accesses: Sequence[TracedAccess], stub: str) -> list[str]:
    """Each access as a word, with ``r`` or ``w`` where that is another one than before; a byte that
    is read and written back is one: ``rw $0010 score=12→13``."""
    words: list[str] = []
    before: TracedAccess | None = None
    for access in accesses:
        kind = "w " if access.is_write else "r "
        name = image.format_address(access.address)
        at = f"${access.address:04X}" + (f" {name}" if name else "")
        if before is not None and before.address == access.address and kind == "w ":
            words[-1] = f"rw {at}={before.value:02X}→{access.value:02X}"
        else:
            same = before is not None and before.is_write == access.is_write
            words.append(f"{'' if same else kind}{at}={access.value:02X}")
        if access.by and not stub:
            words[-1] += f" by {access.by}"
        before = access
    return words


def _pack(words: Sequence[str], width: int) -> Iterator[str]:
    """``words`` in lines of ``width`` characters, at least one line, at least a word in each."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
