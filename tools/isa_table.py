"""Writes the pages of docs/ made from the instruction tables; ``make docs`` runs it."""

from __future__ import annotations

from pathlib import Path

from romproof.isa.codec import format_cycles
from romproof.isa.load import load
from romproof.isa.model import FORMS, Opcode, OpcodeVariant, OperandAccess

FOLDER = Path(__file__).parents[1] / "docs"
HEADS = {
    "mos6502": """\
# The instructions of the NMOS 6502

Written by `make docs` from `pytools/romproof/isa/mos6502.tbl`; change that table, not this page.

Operands: `n8` immediate, `a8` zero page, `a16` absolute, `e8` branch distance.
Cycles: `+p` one more when an index crosses a page; a branch takes `not taken/taken`,
one more (`+p`) when its target lies on another page; `-` never ends.
Access: the accesses of the instruction to the memory that its operand names.
Kind: empty means documented; "undoc" is undocumented but stable, "unstable" depends on analogue
effects of the chip, "jam" stops it; "alt" is a second byte that the assembler never chooses.
""",
    "wdc65c02": """\
# The instructions of the 65C02

Written by `make docs` from `pytools/romproof/isa/wdc65c02.tbl` and the tables it extends, for
Rockwell's chip, for all CMOS chips and for the NMOS 6502; change these, not this page.

WDC's 65C02 has all of them. Rockwell's has no `wai` and `stp`; a 65SC02 has no instructions whose
name ends in a digit either (`rmb0` …). An opcode that a chip lacks takes one byte and one cycle
there.

Operands: `n8` immediate, `a8` zero page, `a16` absolute, `e8` branch distance.
Cycles: `+p` one more when an index crosses a page, `+d` one more in decimal mode; a branch takes
`not taken/taken`, one more (`+p`) when its target lies on another page; `wai` takes three, and
all until an interrupt is requested; `-` never ends.
Access: the accesses of the instruction to the memory that its operand names.
Kind: empty means documented; "undoc" is not defined and does nothing; "stop" rests until the chip
is reset; "alt" is a second byte that the assembler never chooses.
""",
    "sm83": """\
# The instructions of the SM83, the Game Boy's CPU

Written by `make docs` from `pytools/romproof/isa/sm83.tbl`; change that table, not this page.

Instructions are written as RGBDS has them. Operands: `n8` and `n16` immediate, `a8` an address
from $FF00 on (the byte is its low half), `a16` any address, `e8` a signed distance; operands in
brackets are memory.
Cycles: M-cycles of four clocks, prefix included; with a condition `not taken/taken`; `-` never
ends. `halt` and `stop` take one themselves and then wait. For the CPU `stop` is one byte long;
assemblers put a $00 after it.
Access: the accesses of the instruction to the memory in brackets.
Flags: a letter means that the flag may change, 0 or 1 is its new value, `-` leaves it.
Kind: empty means documented; "jam" is undefined and locks the CPU, "alt" is one more such byte;
"prefix" is not an instruction: the byte after it is the opcode.
""",
}
"""What stands above the table of a CPU."""

FILES = {"isa-6502.md": "mos6502", "isa-65c02.md": "wdc65c02", "isa-sm83.md": "sm83"}
"""Name of the page -> CPU."""

_ACCESS = {
    OperandAccess.NONE: "",
    OperandAccess.READ: "read",
    OperandAccess.WRITE: "write",
    OperandAccess.MODIFY: "read, write",
}


def pages() -> dict[str, str]:
    """File name -> text, of all pages."""
    return {name: page(cpu) for name, cpu in FILES.items()}


def page(cpu: str) -> str:
    """The whole page of one CPU."""
    opcodes = load(cpu)
    documented = sum(o.variant in (OpcodeVariant.DOCUMENTED, OpcodeVariant.STOP) for o in opcodes)
    lines = [
        HEADS[cpu],
        f"{len(opcodes)} opcodes, {documented} of them documented.",
        "",
        f"| opcode | instruction | bytes | cycles | access | flags {FORMS[cpu].flags} | kind |",
        "|---|---|---|---|---|---|---|",
        *map(_row, opcodes),
    ]
    return "\n".join(lines) + "\n"


def _row(opcode: Opcode) -> str:
    kind = " ".join([opcode.variant.value, *([] if opcode.canonical else ["alt"])]).strip()
    cells = (
        f"${opcode.prefix.hex().upper()}{opcode.byte:02X}",
        f"`{opcode.syntax}`",
        str(opcode.size),
        format_cycles(opcode.cycles),
        _ACCESS[opcode.access],
        f"`{opcode.flags}`",
        kind,
    )
    return "| " + " | ".join(cells) + " |"


if __name__ == "__main__":
    for name, text in pages().items():
        FOLDER.joinpath(name).write_text(text, "utf-8")
