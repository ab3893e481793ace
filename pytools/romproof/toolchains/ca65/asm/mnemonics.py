"""Which mnemonics each CPU name knows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from romproof.isa.encodings import Encoding, encodings_of
from romproof.text.records import replace
from romproof.toolchains.ca65.obj.cpus import CPUS

_DOCUMENTED = frozenset(("", "stop"))
_VARIANTS: Mapping[str, frozenset[str]] = MappingProxyType(
    {"6502X": _DOCUMENTED | {"undoc", "unstable", "jam"}, "none": frozenset()}
)
"""Tags of instructions that a CPU has besides the documented ones, or without them."""

_CMOS = MappingProxyType({"dea": ("dec", "a"), "ina": ("inc", "a")})
_ALIASES: Mapping[str, Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "65SC02": _CMOS,
        "65C02": _CMOS,
        "65816": _CMOS
        | {"swa": ("xba", ""), "tad": ("tcd", ""), "tas": ("tcs", "")}
        | {"tda": ("tdc", ""), "tsa": ("tsc", "")},
    }
)
"""Further names of instructions, and the operand that each one has."""
_SAME = MappingProxyType({"cpa": "cmp"})
"""Further names of the 65816's instructions with all of their operands."""
_LONG = (
    ("jmp", "a24", "jml", "a24"),
    ("jml", "[a16]", "jmp", "[a16]"),
    ("jsr", "a24", "jsl", "a24"),
)
"""Of the 65816: mnemonic and operand that stand for others."""


@cache
def instruction_set(cpu: str) -> dict[str, dict[str, Encoding]]:
    """mnemonic -> operand template -> opcode, for one of the CPU names."""
    variants = _VARIANTS.get(cpu, _DOCUMENTED)
    table: dict[str, dict[str, Encoding]] = {}
    for mnemonic, modes in encodings_of(CPUS[cpu]).items():
        chosen = {mode: op for mode, op in modes.items() if op.variant in variants}
        if chosen:
            table[mnemonic] = chosen
    if cpu == "65816":
        _with_names_of_the_65816(table)
    for alias, (mnemonic, mode) in _ALIASES.get(cpu, {}).items():
        table[alias] = {"": table[mnemonic][mode]}
    return table


def _with_names_of_the_65816(table: dict[str, dict[str, Encoding]]) -> None:
    for alias, mnemonic in _SAME.items():
        table[alias] = table[mnemonic]
    for mnemonic, mode, other, operand in _LONG:
        table[mnemonic][mode] = table[other][operand]
    # without an operand ca65 leaves out the byte that the CPU skips
    brk = table["brk"]["n8"]
    table["brk"][""] = replace(brk, mode="", placeholder="", size=1)


def is_mnemonic(name: str, cpu: str) -> bool:
    """Whether the CPU has an instruction of this name, in any case."""
    return name.lower() in instruction_set(cpu)
