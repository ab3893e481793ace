"""Registers and flags as a test gives them, as the registers a call begins with."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from romproof.engine.registers import RegisterFile, registers_of
from romproof.harness.values import BadValue
from romproof.isa.abi import ABIS, Abi
from romproof.isa.cpus import cpu_named
from romproof.text.diagnostic import suggest

_OPTIONS = (
    "flags",
    "mem",
    "limit",
    "check",
    "allow_brk",
    "observer",
    "uninitialised",
    "interrupt",
    "bank",
)
"""Other arguments of a call, which may be misspelt too."""


def start_registers(
    abi: Abi, pc: int, given: Mapping[str, int | None], flags: Mapping[str, int] | None
) -> RegisterFile:
    """The registers at ``pc``: those ``given`` and ``flags``, ``abi.poison`` for the others.

    Registers and pairs have their names in lower case; None is the same as not given. Raises
    BadValue.
    """
    registers: RegisterFile = registers_of(cpu_named(abi.cpu))
    for name, value in {**abi.poison, "pc": pc}.items():
        abi.set(registers, name, value)
    owners: dict[str, str] = {}
    for name, wanted in given.items():
        if wanted is None:
            continue
        if name not in abi.settable:
            raise BadValue(_no_register(abi, name))
        for part in abi.pairs.get(name, (name,)):
            if part in owners:
                raise BadValue(f"{owners[part]}= and {name}= both set register {part.upper()}")
            owners[part] = name
        abi.set(registers, name, fitted(name, wanted, abi.settable[name]))
    byte = abi.flags_of(registers)
    for letter, value in (flags or {}).items():
        mask = abi.letters.get(letter.lower())
        if mask is None or value not in (0, 1):
            known = f"flags are {' '.join(abi.letters)}, each 0 or 1"
            hint = known if mask is not None else suggest(letter, abi.letters) or known
            raise BadValue(f"flags={{{letter!r}: {value!r}}} is not a flag; {hint}")
        byte = byte | mask if value else byte & ~mask
    abi.set(registers, abi.flag_byte, byte)
    return registers


def given_names(
    abi: Abi, given: Mapping[str, int | None], flags: Mapping[str, int] | None
) -> frozenset[str]:
    """The single registers and flags a test sets, by the names contracts have for them."""
    registers = [
        n for name, v in given.items() if v is not None for n in abi.pairs.get(name, (name,))
    ]
    letters = {letter.lower() for letter in flags or ()}
    names: Collection[str] = [flag.name for flag in abi.flags if flag.letter in letters]
    return frozenset([*(name.upper() for name in registers), *names])


def fitted(name: str, value: int, bits: int) -> int:
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
    if name.lower() in abi.letters:
        return f"{name}=: that is a flag; write flags={{'{name.lower()}': 1}}"
    hint = suggest(name, (*abi.settable, *_OPTIONS))
    return f"{name}= is not a register and no option of a call; {hint or known}"
