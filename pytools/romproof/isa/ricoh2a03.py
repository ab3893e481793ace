"""The Ricoh 2A03, the CPU of the NES: a 6502 without decimal mode.

The flag D is there: ``sed``, ``cld``, ``plp`` and ``rti`` set it, ``php`` and interrupts push it.
Arithmetic does not see it (nesdev, "CPU": the transistors of the correction were cut). The 2A07
of PAL consoles is the same to programs. What else is on the chip, sound and DMA, belongs to
``romproof.machine.nes``.
"""

from __future__ import annotations

from functools import cache

from romproof.isa.cpu import Cpu
from romproof.isa.model import Opcode
from romproof.isa.mos6502 import cpu_with, execute
from romproof.isa.mos6502_alu import Cpu6502
from romproof.isa.mos6502_undocumented import lax

ARITHMETIC = frozenset({"adc", "sbc", "rra", "isc", "arr"})
"""The operations of the 6502 that see D."""


LAX_IMMEDIATE = 0xAB
"""Which bits of A it sees differs from chip to chip; here it sees none: it loads A and X (blargg's
instr_test-v5, which was made on consoles)."""


def execute_binary(cpu: Cpu6502, opcode: Opcode) -> None:
    """All cycles of an opcode after its fetch; arithmetic takes D for 0 and leaves it alone."""
    if opcode.byte == LAX_IMMEDIATE:
        lax(cpu, cpu.operand())
        return
    decimal = cpu.d
    if opcode.mnemonic in ARITHMETIC:
        cpu.d = 0
    execute(cpu, opcode)
    if opcode.mnemonic in ARITHMETIC:
        cpu.d = decimal


@cache
def ricoh2a03() -> Cpu:
    """The CPU, recorded once."""
    return cpu_with("ricoh2a03", execute_binary)
