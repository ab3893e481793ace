"""Which mnemonics each CPU name knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from romproof.isa.encodings import Encoding, EncodingRow, encoding_of, rows_of
from romproof.toolchains.ca65.asm.settings import Settings
from romproof.toolchains.ca65.obj.dialect import Change, Dialect

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
        "W65C02": _CMOS,
        "HuC6280": _CMOS,
        **dict.fromkeys(("65CE02", "4510", "45GS02"), _CMOS | {"eom": ("nop", "")}),
        "65816": _CMOS
        | {"swa": ("xba", ""), "tad": ("tcd", ""), "tas": ("tcs", "")}
        | {"tda": ("tdc", ""), "tsa": ("tsc", "")},
    }
)
"""Further names of instructions, and the operand that each one has."""
_QUADS: Final = MappingProxyType(
    {
        **{f"{name}q": name for name in ("adc", "and", "asl", "asr", "bit", "cmp", "eor")},
        **{f"{name}q": name for name in ("lsr", "rol", "ror", "sbc")},
        **{"ldq": "lda", "stq": "sta", "orq": "ora", "inq": "inc", "deq": "dec"},
    }
)
"""Instructions of the 45GS02 for A, X, Y and Z at once, and those for A behind their prefix."""
_QUAD_MODES: Final = frozenset({"a", "a8", "a16", "a8,x", "a16,x", "(a8),z"})
_INDEXED_QUADS: Final = frozenset({"aslq", "asrq", "lsrq", "rolq", "rorq", "inq", "deq"})
"""Those that take an index."""
_FAR_MODES: Final = ("ora", "and", "eor", "adc", "sta", "lda", "cmp", "sbc")
"""Instructions of the 45GS02 that take a pointer of 32 bits, behind a prefix."""
_QUAD_PREFIX: Final = b"\x42\x42"
_FAR_PREFIX: Final = b"\xea"
_OF_THE_DTV: Final = (
    *("alr", "anc", "ane", "arr", "axs", "las", "lax", "nop", "rla", "rra", "sha", "shx", "shy"),
)
"""What is left of the undocumented instructions of the 6502 in the chip of the C64 DTV."""
_SAME: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "65816": ("cpa", "cmp"),
        **dict.fromkeys(("65CE02", "4510", "45GS02"), ("phd", "phw")),
    }
)
"""A further name of one of the CPU's instructions with all of its operands."""
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
def instruction_set(cpu: str, dialect: Dialect) -> InstructionSet:
    """The instructions of one of the CPU names of a dialect."""
    variants = _VARIANTS.get(cpu, _DOCUMENTED)
    chosen: dict[str, list[EncodingRow]] = {}
    for mnemonic, rows in rows_of(dialect.cpus[cpu]).items():
        known = [row for row in rows if row[2] in variants]
        if known:
            chosen[mnemonic] = known
    table = InstructionSet(chosen)
    if cpu == "65816":
        _with_names_of_the_65816(table)
    if cpu in _SAME:
        alias, mnemonic = _SAME[cpu]
        table.add(alias, table[mnemonic])
    for alias, (mnemonic, mode) in _ALIASES.get(cpu, {}).items():
        table.add(alias, {"": table[mnemonic][mode]})
    if cpu == "6502DTV":
        _with_instructions_of_the_dtv(table, dialect)
    elif cpu == "HuC6280":
        _with_names_of_the_huc6280(table)
    elif cpu == "m740":
        for bit in range(8):
            table.add(f"rmb{bit}", table[f"clb{bit}"])
    elif cpu == "45GS02":
        _with_instructions_of_the_45gs02(table)
    if Change.SIGNATURES in dialect:
        _with_signatures(table, cpu)
    return table


def _with_instructions_of_the_dtv(table: InstructionSet, dialect: Dialect) -> None:
    undocumented = instruction_set("6502X", dialect)
    for mnemonic in _OF_THE_DTV:
        table.add(mnemonic, dict(undocumented[mnemonic]))
    table.add("bra", {"e8": Encoding(0x12, "bra", "e8", "e8", 2, "")})
    for mnemonic, byte in (("sac", 0x32), ("sir", 0x42)):
        table.add(mnemonic, {"#n8": Encoding(byte, mnemonic, "#n8", "n8", 2, "")})


def _with_names_of_the_huc6280(table: InstructionSet) -> None:
    """``tam0``: ``tam #$01``, and so on."""
    for mnemonic in ("tam", "tma"):
        code = bytes([table[mnemonic]["#n8"].byte])
        for bit in range(8):
            name = f"{mnemonic}{bit}"
            table.add(name, {"": Encoding(1 << bit, name, "", "", 2, "", code)})


def _with_instructions_of_the_45gs02(table: InstructionSet) -> None:
    far = {name: table[name]["(a8),z"].byte for name in _FAR_MODES}
    for name, base in _QUADS.items():
        modes = {
            mode: Encoding(code.byte, name, mode, code.placeholder, code.size + 2, "", _QUAD_PREFIX)
            for mode, code in table[base].items()
            if mode in _QUAD_MODES and (name in _INDEXED_QUADS or "x" not in mode)
        }
        if "a" in modes:
            modes["q"] = modes["a"]
        if base in far:
            prefix = _QUAD_PREFIX + _FAR_PREFIX
            modes["[a8]"] = Encoding(far[base], name, "[a8]", "a8", 5, "", prefix)
        if name == "ldq":
            modes["[a8],z"] = modes["[a8]"]
        table.add(name, modes)
    for name, byte in far.items():
        code = Encoding(byte, name, "[a8],z", "a8", 3, "", _FAR_PREFIX)
        table.add(name, {**table[name], "[a8],z": code})


def _with_signatures(table: InstructionSet, cpu: str) -> None:
    """``brk`` with the byte that is skipped, and without; the same of ``cop``, and ``wdm``, which
    has to have it."""
    for name, alone in (("brk", True), ("cop", True), ("wdm", False)):
        modes = table.get(name)
        if modes is None or cpu in ("45GS02", "m740"):
            continue
        code = next(iter(modes.values()))
        known = {"": Encoding(code.byte, name, "", "", 1, "")} if alone else {}
        for mode in ("n8", "#n8"):
            known[mode] = Encoding(code.byte, name, mode, "n8", 2, "")
        table.add(name, known)


def _with_names_of_the_65816(table: InstructionSet) -> None:
    for mnemonic, mode, other, operand in _LONG:
        table[mnemonic][mode] = table[other][operand]
    # without an operand ca65 leaves out the byte that the CPU skips
    brk = table["brk"]["n8"]
    table["brk"][""] = Encoding(brk.byte, "brk", "", "", 1, brk.variant)


def is_mnemonic(name: str, settings: Settings) -> bool:
    """Whether the current CPU has an instruction of this name, in any case."""
    return name.lower() in instruction_set(settings.cpu, settings.syntax.dialect)
