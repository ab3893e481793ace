"""Which mnemonics each CPU name knows."""

from __future__ import annotations

from functools import cache

from romproof.isa.codec import encodings
from romproof.isa.model import Opcode, Variant

_INSTRUCTION_SETS = {
    "6502": frozenset({Variant.DOCUMENTED}),
    "6502X": frozenset(Variant),
    "none": frozenset[Variant](),
}


@cache
def instruction_set(cpu: str) -> dict[str, dict[str, Opcode]]:
    """mnemonic -> operand template -> opcode, for one of the CPU names."""
    variants = _INSTRUCTION_SETS[cpu]
    table: dict[str, dict[str, Opcode]] = {}
    for mnemonic, modes in encodings().items():
        chosen = {mode: op for mode, op in modes.items() if op.variant in variants}
        if chosen:
            table[mnemonic] = chosen
    return table


def is_mnemonic(name: str, cpu: str) -> bool:
    """Whether the CPU has an instruction of this name, in any case."""
    return name.lower() in instruction_set(cpu)
