"""Writes the pages that show each kind of instruction on the bus; ``make docs`` runs it.

All is read from the recorded microcode. Opcodes whose cycles look the same share a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cycle_words import names_of, text

from romproof.isa.algebra import Op, Value, input_of, register, substitute
from romproof.isa.cpu import Cpu
from romproof.isa.cpus import cpu_named
from romproof.isa.flow import Flow
from romproof.isa.microcode import CpuStop, Microcode, StepKind
from romproof.isa.model import OPERAND_SIZES, Opcode, OpcodeVariant, OperandAccess

FOLDER = Path(__file__).parents[1] / "docs"
FILES = {
    "cycles-6502.md": "mos6502",
    "cycles-65c02.md": "wdc65c02",
    "cycles-sm83.md": "sm83",
}
"""Name of the page -> CPU."""

HEAD = """\
# The bus cycles of the {name}

Written by `make docs` from the microcode of `pytools/romproof/isa/{cpu}.py`; change that, not this
page.

Each table is one kind of instruction; opcodes that lock the CPU are left out. `pc` is the address
of the opcode; registers are as they were before the instruction. `low` and `high` are the bytes of
a word that is read; the word is called `operand` (after the opcode) or `address` (in memory).
`$01:s` is the address with the high byte $01 and the low byte s: a sum on one side of the colon
carries nothing to the other. "Data" is the byte that the instruction uses, "result" the byte that
it computes.
A cycle whose number is in brackets does not always take place.

"""
NOTES = {
    "mos6502": """\
The 6502 reads or writes in every cycle; a byte that is read only because something must be is
ignored. "Poll" means that the interrupt lines are sampled just before this cycle: an interrupt
that comes later waits for the next instruction.
""",
    "wdc65c02": """\
The 65C02 of WDC. It reads or writes in every cycle; a byte that is read only because something
must be is ignored. "Poll" means that the interrupt lines are sampled just before this cycle.
""",
    "sm83": """\
A cycle is an M-cycle, four clocks. Operands are named as RGBDS does: `r8` and `r16` are registers,
`u3` the number of a bit, `cc` a condition, `vec` one of eight addresses. The interrupt lines are
sampled before each fetch of an opcode. After `halt` the bus is idle until one is pending.
""",
}
MODULES = {"wdc65c02": "mos65c02"}
NAMES = {"mos6502": "NMOS 6502", "wdc65c02": "65C02", "sm83": "SM83, the Game Boy's CPU,"}
WITHOUT_MEMORY, MEMORY, JUMPS = PARTS = ("Without memory", "Memory", "Stack and jumps")
SEQUENCES = {
    "interrupt": "An interrupt, in place of an instruction",
    "reset": "Reset",
    "waiting": "A cycle of a CPU that waits",
}
ACCESS = {
    OperandAccess.READ: "read",
    OperandAccess.WRITE: "write",
    OperandAccess.MODIFY: "read and write back",
}
SIGNALS = {"nmi irq": "poll", "nmi": "NMI decides on the vector", "pending": "IE and IF decide"}
CLASSES = {
    "r8": set("abcdehl"), "r16": {"bc", "de", "hl", "sp", "af"}, "u3": set("01234567"),
    "cc": {"nz", "z", "nc", "c"}, "vec": {f"${place:02x}" for place in range(0, 64, 8)},
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A cycle; ``moved`` is what is read, and left out of a write."""

    bus: str
    address: str
    moved: str = ""
    remark: str = ""
    sometimes: bool = False


@dataclass
class Table:
    """What shares a table; ``written`` is what each of the opcodes writes in each of the cycles."""

    part: str
    access: OperandAccess
    rows: tuple[Row, ...]
    opcodes: list[Opcode] = field(default_factory=list)
    written: list[tuple[str, ...]] = field(default_factory=list)

    @property
    def places(self) -> list[str]:
        """The operands that are in memory: all of a 6502's, the SM83's in brackets."""
        found = (re.search(r"\[.*\]|^[^,]*,?[xy)]*$", opcode.mode) for opcode in self.opcodes)
        return list(dict.fromkeys(match[0] for match in found if match))

    @property
    def order(self) -> tuple[object, ...]:
        """Where the table stands on its page."""
        first = self.opcodes[0]
        part = PARTS.index(self.part), list(Flow).index(first.flow)
        if self.access is OperandAccess.NONE:
            return *part, len(self.rows), first.index
        size = OPERAND_SIZES.get(first.placeholder, 0)
        access = list(ACCESS).index(self.access)
        return (
            *part,
            "(" in first.mode,
            size,
            len(first.prefix),
            self.places,
            access,
            first.variant.value,
        )

    @property
    def title(self) -> str:
        """What the opcodes have in common."""
        first = self.opcodes[0]
        kind = f"Operand `{first.placeholder}`" if first.placeholder else "Registers"
        kind += f": {len(self.rows)} cycle" + "s" * (len(self.rows) > 1)
        if self.part == MEMORY:
            kind = ", ".join(f"`{place}`" for place in self.places) + f": {ACCESS[self.access]}"
        prefixed = ", prefixed" if first.prefix else ""
        unstable = ", unstable" if first.variant is OpcodeVariant.UNSTABLE else ""
        return listed(self.opcodes) if self.part == JUMPS else kind + prefixed + unstable


def cycles_of(microcode: Microcode, opcode: Opcode | None) -> Iterator[tuple[Row, str]]:
    """The cycles, and what each writes; ``opcode`` is None for what no opcode starts."""
    fetched = ["prefix", "opcode"][-len(opcode.prefix) - 1 :] if opcode else ["ignored"]
    for number, code in enumerate(fetched):
        yield Row("read", f"pc + {number}" if number else "pc", code), ""
    pc = register("pc", 16)
    known = {pc: pc + len(fetched)} if opcode else {}
    names, done, signals = names_of(microcode, opcode), dict[Value, Value](), ""
    for number, step in enumerate(microcode.steps):
        signals = f"{signals} {step.signal}".strip() if step.kind is StepKind.SIGNAL else signals
        if not step.kind.is_cycle:
            continue
        address, value, when = (
            v and substitute(v, known, done) for v in (step.address, step.value, step.when)
        )
        remarks = [f"only if {text(when, names)}"] if when else []
        remarks += [SIGNALS[signals]] if signals else []
        signals = ""
        # an unstable store may have what it writes in the address
        own = names | {value: "result"} if value and value.op is Op.AND else names
        bus = "write" if step.kind.is_write else "idle" if step.kind is StepKind.IDLE else "read"
        place = text(address, own) if address else ""
        moved = names[input_of(number, 8)] if step.kind.is_read else ""
        row = Row(bus, place, moved, "; ".join(remarks), when is not None)
        yield row, text(value, names) if value else ""


def tables_of(cpu: Cpu) -> list[Table]:
    """All kinds of instructions, in order; opcodes that stop the CPU for good are of no kind."""
    found: dict[tuple[object, ...], Table] = {}
    for opcode in cpu.opcodes:
        microcode = cpu.microcode[opcode.index]
        if opcode.variant is OpcodeVariant.PREFIX or microcode.stop is CpuStop.JAM:
            continue
        rows, written = zip(*cycles_of(microcode, opcode), strict=True)
        accesses = {step.kind for step in microcode.steps} & {StepKind.READ, StepKind.WRITE}
        part = MEMORY if opcode.access is not OperandAccess.NONE else WITHOUT_MEMORY
        if opcode.flow is not Flow.NEXT or (accesses and part == WITHOUT_MEMORY):
            part = JUMPS
        table = found.setdefault(
            (part, opcode.access, opcode.flow, rows), Table(part, opcode.access, rows)
        )
        table.opcodes.append(opcode)
        table.written.append(written)
    return sorted(found.values(), key=lambda table: table.order)


def listed(opcodes: list[Opcode], mnemonics_only: bool = False) -> str:
    """The instructions in short, with names for operands of which there are many."""
    alike: dict[tuple[str, ...], list[list[str]]] = {}
    for opcode in opcodes:
        operands = [] if mnemonics_only else opcode.mode.split(", ")
        key = (opcode.mnemonic, *(part if "[" in part else "" for part in operands))
        alike.setdefault(key, []).append(operands)
    shown = []
    for (mnemonic, *_), rows in alike.items():
        columns = [_class_of(list(dict.fromkeys(column))) for column in zip(*rows, strict=True)]
        shown.append(f"`{mnemonic} {', '.join(columns)}".rstrip() + "`")
    return ", ".join(shown)


def _class_of(operands: list[str]) -> str:
    known = [name for name, members in CLASSES.items() if members.issuperset(operands)]
    return operands[0] if len(operands) == 1 else known[0] if known else "/".join(operands)


def table_lines(rows: Iterable[Row], written: list[tuple[str, ...]], other: str) -> list[str]:
    """A table; where opcodes write different things, it says ``other``."""
    lines = ["| cycle | bus | address | byte | remark |", "|---|---|---|---|---|"]
    for number, (row, what) in enumerate(zip(rows, zip(*written, strict=True), strict=True), 1):
        cycle = f"({number})" if row.sometimes else str(number)
        address = f"`{row.address}`" if row.address else ""
        byte = row.moved or (what[0] if len(set(what)) == 1 else other)
        lines.append(f"| {cycle} | {row.bus} | {address} | {byte} | {row.remark} |")
    return [*lines, ""]


def page(name: str) -> str:
    """The whole page of one CPU."""
    cpu = cpu_named(name)
    lines = [HEAD.format(name=NAMES[name], cpu=MODULES.get(name, name)) + NOTES[name]]
    part = ""
    for table in tables_of(cpu):
        if table.part != part:
            part = table.part
            lines += [f"## {part}", ""]
        lines += [f"### {table.title}", ""]
        usual = [o for o in table.opcodes if o.variant is OpcodeVariant.DOCUMENTED]
        odd = [o for o in table.opcodes if o.variant is not OpcodeVariant.DOCUMENTED]
        if table.part != JUMPS:
            # where a 6502's instruction finds its data the title says
            short = table.part == MEMORY and name == "mos6502"
            shown = [listed(usual, short)] if usual else []
            shown += [f"undocumented: {listed(odd, short)}"] if odd else []
            lines += ["; ".join(shown), ""]
        other = "result" if table.access is OperandAccess.MODIFY else "data"
        lines += table_lines(table.rows, table.written, other)
    for sequence, title in SEQUENCES.items():
        if sequence in cpu.sequences:
            cycles = cycles_of(cpu.microcode[cpu.sequences[sequence]], None)
            rows, written = zip(*cycles, strict=True)
            lines += [f"## {title}", "", *table_lines(rows, [written], "")]
    return "\n".join(lines).rstrip() + "\n"


def pages() -> dict[str, str]:
    """File name -> text, of all pages."""
    return {name: page(cpu) for name, cpu in FILES.items()}


if __name__ == "__main__":
    for name, content in pages().items():
        FOLDER.joinpath(name).write_text(content, "utf-8")
