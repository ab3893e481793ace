"""Registers and flags as a test gives them, as the registers a call begins with."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from romproof.engine.registers import RegisterFile, registers_of
from romproof.harness.state.values import BadValue
from romproof.isa.abi import ABIS, Abi, Flag, abi_of
from romproof.isa.cpus import cpu_named
from romproof.text.diagnostic import suggest

_OPTIONS = (
    "flags",
    "mem",
    "limit",
    "check",
    "checks",
    "allow_brk",
    "observer",
    "uninitialised",
    "interrupt",
    "bank",
)
"""Other arguments of a call, which may be misspelt too."""


_NONE: frozenset[str] = frozenset()


def start_registers(
    abi: Abi, pc: int, given: Mapping[str, int | None], flags: Mapping[str, int] | None
) -> RegisterFile:
    """The registers at ``pc``: those ``given`` and ``flags``, ``abi.poison`` for the others.

    Registers and pairs have their names in lower case; None is the same as not given. A flag is
    among ``given`` by the name contracts have for it, in lower case (``c``; SM83: ``cf``), and
    among ``flags`` by that or by its letter. Raises BadValue.
    """
    registers = _poison(abi.cpu).copy()
    abi.set(registers, "pc", pc)
    if not given and not flags:
        return registers
    owners: dict[str, str] = {}
    for name, wanted in given.items():
        if wanted is None or name in abi.flags_by_name:
            continue
        if name not in abi.settable:
            raise BadValue(_no_register(abi, name))
        for part in abi.pairs.get(name, (name,)):
            if part in owners:
                raise BadValue(f"{owners[part]}= and {name}= both set register {part.upper()}")
            owners[part] = name
        abi.set(registers, name, fit(name, wanted, abi.settable[name]))
    byte = abi.flags_of(registers)
    for flag, value in _flags_of(abi, given, flags).items():
        byte = byte | flag.mask if value else byte & ~flag.mask
    abi.set(registers, abi.flag_byte, byte)
    return registers


@cache
def _poison(cpu: str) -> RegisterFile:
    """The registers of a call that gives none."""
    abi = abi_of(cpu)
    registers: RegisterFile = registers_of(cpu_named(cpu))
    for name, value in abi.poison.items():
        abi.set(registers, name, value)
    return registers


def input_names(
    abi: Abi, given: Mapping[str, int | None], flags: Mapping[str, int] | None
) -> frozenset[str]:
    """The single registers and flags a test sets, by the names contracts have for them."""
    if not given and not flags:
        return _NONE
    known = abi.flags_by_name
    registers = [
        n
        for name, v in given.items()
        if v is not None and name not in known
        for n in abi.pairs.get(name, (name,))
    ]
    names = [flag.name for flag in _flags_of(abi, given, flags)]
    return frozenset([*(name.upper() for name in registers), *names])


def _flags_of(
    abi: Abi, given: Mapping[str, int | None], flags: Mapping[str, int] | None
) -> Mapping[Flag, int]:
    """The flags that a call sets, each 0 or 1. Raises BadValue."""
    wanted: dict[Flag, int] = {}
    if not given and not flags:
        return wanted
    by_name, by_letter = abi.flags_by_name, abi.flags_by_letter
    for name, value in given.items():
        if value is None or name not in by_name:
            continue
        if value not in (0, 1):
            raise BadValue(f"{name}={value!r}: a flag is 0 or 1")
        wanted[by_name[name]] = int(value)
    for letter, value in (flags or {}).items():
        flag = by_letter.get(letter.lower()) or by_name.get(letter.lower())
        if flag is None or value not in (0, 1):
            known = f"flags are {' '.join(abi.letters)}, each 0 or 1"
            hint = known if flag is not None else suggest(letter, abi.letters) or known
            raise BadValue(f"flags={{{letter!r}: {value!r}}} is not a flag; {hint}")
        if flag in wanted:
            raise BadValue(f"{flag.name.lower()}= and flags={{{letter!r}: …}} both set a flag")
        wanted[flag] = value
    return wanted


def fit(name: str, value: int, bits: int) -> int:
    """``value`` in ``bits`` bits; -1 has all of them set. Raises BadValue."""
    if not -(1 << bits - 1) <= value < 1 << bits:
        unit = "bit" if bits == 1 else "bits"
        raise BadValue(f"{name}={value} does not fit into a register of {bits} {unit}")
    return int(value) & ((1 << bits) - 1)


def _no_register(abi: Abi, name: str) -> str:
    """What to say of an argument that is not a register's name."""
    known = f"registers are {' '.join(abi.settable)}"
    if any(name in other.settable for other in ABIS):
        return f"{name}=: the {abi.cpu} has no such register; {known}"
    flags = " ".join(abi.flags_by_name)
    if any(name.lower() in (*other.letters, *other.flags_by_name) for other in ABIS):
        return f"{name}=: the flags of the {abi.cpu} are {flags}; {known}"
    hint = suggest(name, (*abi.settable, *abi.flags_by_name, *_OPTIONS))
    return f"{name}= is neither a register nor an option of a call; {hint or known}"
