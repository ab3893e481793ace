"""Writes docs/isa-6502.md from the instruction table; ``make docs`` runs it."""

from __future__ import annotations

from pathlib import Path

from romproof.isa.codec import format_cycles
from romproof.isa.load import load
from romproof.isa.model import Access, Opcode, Variant

PAGE = Path(__file__).with_name("isa-6502.md")
HEAD = """\
# The instructions of the NMOS 6502

Written by `make docs` from `pytools/romproof/isa/mos6502.tbl`; change that table, not this page.

Operands: `n8` immediate, `a8` zero page, `a16` absolute, `e8` branch distance.
Cycles: `+p` one more when an index crosses a page; a branch takes `not taken/taken`,
one more (`+p`) when its target lies on another page; `-` never ends.
Access: what the instruction does with the memory its operand names.
Kind: empty means documented; "undoc" is undocumented but stable, "unstable" depends on analogue
effects of the chip, "jam" stops it; "alt" is a second byte that the assembler never chooses.
"""
_ACCESS = {
    Access.NONE: "",
    Access.READ: "read",
    Access.WRITE: "write",
    Access.MODIFY: "read, write",
}


def page() -> str:
    """The whole page."""
    opcodes = load("mos6502")
    documented = sum(opcode.variant is Variant.DOCUMENTED for opcode in opcodes)
    lines = [
        HEAD,
        f"{len(opcodes)} opcodes, {documented} of them documented.",
        "",
        "| opcode | instruction | bytes | cycles | access | flags NV-BDIZC | kind |",
        "|---|---|---|---|---|---|---|",
        *map(_row, opcodes),
    ]
    return "\n".join(lines) + "\n"


def _row(opcode: Opcode) -> str:
    kind = " ".join([opcode.variant.value, *([] if opcode.canonical else ["alt"])]).strip()
    cells = (
        f"${opcode.byte:02X}",
        f"`{opcode.syntax}`",
        str(opcode.size),
        format_cycles(opcode.cycles),
        _ACCESS[opcode.access],
        f"`{opcode.flags}`",
        kind,
    )
    return "| " + " | ".join(cells) + " |"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
