"""Which mnemonics each CPU name knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from romproof.isa.encodings import Encoding, EncodingRow, encoding_of, rows_of
from romproof.toolchains.ca65.obj.cpus import CPUS

_DOCUMENTED: Final = frozenset(("", "stop"))
_VARIANTS: Mapping[str, frozenset[str]] = MappingProxyType(
    {"6502X": _DOCUMENTED | {"undoc", "unstable", "jam"}, "none": frozenset()}
)
"""Tags of instructions that a CPU has besides the documented ones, or without them."""

_CMOS: Final = MappingProxyType({"dea": ("dec", "a"), "ina": ("inc", "a")})
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
_SAME: Final = MappingProxyType({"cpa": "cmp"})
"""Further names of the 65816's instructions with all of their operands."""
_LONG: Final = (
    ("jmp", "a24", "jml", "a24"),
    ("jml", "[a16]", "jmp", "[a16]"),
    ("jsr", "a24", "jsl", "a24"),
)
"""Of the 65816: mnemonic and operand that stand for others."""


class InstructionSet:
    """mnemonic -> operand template -> opcode; what a source does not name is never made."""

    __slots__ = ("_made", "_rows")

    def __init__(self, rows: dict[str, list[EncodingRow]]) -> None:
        self._rows = rows
        self._made: dict[str, dict[str, Encoding]] = {}

    def __contains__(self, mnemonic: object) -> bool:
        return mnemonic in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def get(self, mnemonic: str) -> dict[str, Encoding] | None:
        """What there is of a mnemonic; None if there is none of this name."""
        made = self._made.get(mnemonic)
        if made is None and mnemonic in self._rows:
            made = {row[1]: encoding_of(row) for row in self._rows[mnemonic]}
            self._made[mnemonic] = made
        return made

    def __getitem__(self, mnemonic: str) -> dict[str, Encoding]:
        made = self.get(mnemonic)
        if made is None:
            raise KeyError(mnemonic)
        return made

    def add(self, mnemonic: str, modes: dict[str, Encoding]) -> None:
        """Another mnemonic, or other operands of one."""
        self._rows.setdefault(mnemonic, [])
        self._made[mnemonic] = modes


@cache
def instruction_set(cpu: str) -> InstructionSet:
    """The instructions of one of the CPU names."""
    variants = _VARIANTS.get(cpu, _DOCUMENTED)
    chosen: dict[str, list[EncodingRow]] = {}
    for mnemonic, rows in rows_of(CPUS[cpu]).items():
        known = [row for row in rows if row[2] in variants]
        if known:
            chosen[mnemonic] = known
    table = InstructionSet(chosen)
    if cpu == "65816":
        _with_names_of_the_65816(table)
    for alias, (mnemonic, mode) in _ALIASES.get(cpu, {}).items():
        table.add(alias, {"": table[mnemonic][mode]})
    return table


def _with_names_of_the_65816(table: InstructionSet) -> None:
    for alias, mnemonic in _SAME.items():
        table.add(alias, table[mnemonic])
    for mnemonic, mode, other, operand in _LONG:
        table[mnemonic][mode] = table[other][operand]
    # without an operand ca65 leaves out the byte that the CPU skips
    brk = table["brk"]["n8"]
    table["brk"][""] = Encoding(brk.byte, "brk", "", "", 1, brk.variant)


def is_mnemonic(name: str, cpu: str) -> bool:
    """Whether the CPU has an instruction of this name, in any case."""
    return name.lower() in instruction_set(cpu)
