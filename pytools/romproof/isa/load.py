"""Reads an instruction table and refuses one that contradicts itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType

from romproof.isa.flow import Flow, is_conditional
from romproof.isa.model import (
    FORMS,
    OPERAND_SIZES,
    Cycles,
    Opcode,
    OpcodeVariant,
    OperandAccess,
    TableForm,
)
from romproof.text.errors import RomproofError

# the columns are two or more spaces apart; a syntax may have single spaces in it
_ROW = re.compile(
    r"(?P<op>(?:[0-9a-f]{2}){1,2}) +(?P<mnemonic>[a-z]+[0-7]?)(?: (?P<mode>\S+(?: \S+)*))? {2,}"
    r"(?P<cycles>\S+) +(?P<access>[.rwm]) +(?P<flags>[-01A-Z]+)(?: +(?P<tag>\S+))?$"
)
_EXTENDS = re.compile(r"extends (?P<table>\w+)$")
_CYCLES = re.compile(
    r"(?:(?P<base>\d)(?P<taken>\+(?P<more>\d)?t)?(?P<page>\+p)?(?P<decimal>\+d)?|-)$"
)
_PLACEHOLDER = re.compile("|".join(sorted(OPERAND_SIZES, key=len, reverse=True)))


_TABLES = MappingProxyType({"perfect6502": "mos6502", "ricoh2a03": "mos6502"})
"""CPUs with the instructions of another, whose table they share."""
_UNDESCRIBED = "  -  .  "
"""Cycles and access of a row that has no such columns."""


class BadTable(RomproofError):
    """An instruction table has a row that cannot be right."""


@cache
def load(name: str = "mos6502") -> tuple[Opcode, ...]:
    """The opcodes of a CPU, one of FORMS or one that shares their table. Raises BadTable.

    The first 256 are indexed by the opcode byte. The SM83 has 256 more: 256 plus the byte
    that follows the prefix $CB.
    """
    if name in _TABLES:
        return load(_TABLES[name])
    from importlib.resources import files

    text = files("romproof.isa").joinpath(f"{name}.tbl").read_text("utf-8")
    return parse(text, name, FORMS[name])


def opcodes_with(*flows: Flow, cpu: str = "mos6502") -> frozenset[int]:
    """The indices of all opcodes with one of these flows."""
    return frozenset(opcode.index for opcode in load(cpu) if opcode.flow in flows)


def parse(text: str, name: str, form: TableForm = FORMS["mos6502"]) -> tuple[Opcode, ...]:
    """Parse and validate the text of a table; ``name`` is for messages.

    A line ``extends <table>`` takes over the rows of another one; the rows here replace them.
    """
    opcodes: dict[str, Opcode] = {}
    inherited: dict[str, Opcode] = {}
    places: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        row = (line.partition("#")[0] if line.lstrip().startswith("#") else line).strip()
        if not row:
            continue
        extends = _EXTENDS.match(row)
        if extends is not None:
            rows = load(extends["table"])
            inherited = {_code(row.prefix, row.byte): replace(row, cpu=name) for row in rows}
            continue
        try:
            opcode = _opcode(row, name, form)
            code = _code(opcode.prefix, opcode.byte)
            if code in opcodes:
                raise ValueError(f"opcode {code} has two rows")
        except ValueError as fault:
            raise BadTable(f"{name}.tbl:{number}: {fault}") from None
        opcodes[code] = opcode
        places[code] = number
    opcodes = inherited | opcodes
    encodings = _encodings(opcodes, name, places)
    prefixes = [b"", form.prefix] if form.prefix else [b""]
    codes = [_code(prefix, byte) for prefix in prefixes for byte in range(256)]
    missing = [code for code in codes if code not in opcodes]
    if missing:
        raise BadTable(f"{name}.tbl: no row for {' '.join(missing)}")
    for opcode in opcodes.values():
        if not opcode.canonical and (opcode.mnemonic, opcode.mode) not in encodings:
            raise BadTable(f"{name}.tbl: '{opcode.syntax}' has only -alt rows")
    return tuple(opcodes[code] for code in codes)


def _encodings(
    opcodes: Mapping[str, Opcode], name: str, places: Mapping[str, int]
) -> dict[tuple[str, str], str]:
    """Which opcode the assembler chooses for each mnemonic and operand; ``places`` are lines."""
    encodings: dict[tuple[str, str], str] = {}
    for code, opcode in opcodes.items():
        key = (opcode.mnemonic, opcode.mode)
        if opcode.canonical:
            if key in encodings:
                raise BadTable(
                    f"{name}.tbl:{places[code]}: '{opcode.syntax}' is also opcode {encodings[key]}"
                )
            encodings[key] = code
    return encodings


def _code(prefix: bytes, byte: int) -> str:
    """Prefix and opcode as the table writes them."""
    return f"{prefix.hex()}{byte:02x}"


def _opcode(row: str, cpu: str, form: TableForm) -> Opcode:
    match = _ROW.match(row if form.described else _describe(row, form))
    if match is None:
        raise ValueError("expected: op syntax cycles access flags [tag]")
    code = bytes.fromhex(match["op"])
    prefix = code[:-1]
    if prefix and prefix != form.prefix:
        raise ValueError(f"{prefix.hex()} is not a prefix")
    mnemonic, mode = match["mnemonic"], match["mode"] or ""
    names = _PLACEHOLDER.findall(mode)
    if len(names) > 1:
        raise ValueError(f"operand '{mode}' has more than one placeholder")
    placeholder = names[0] if names else ""
    tag, _, alternate = (match["tag"] or "").partition("-")
    if alternate not in ("", "alt"):
        raise ValueError(f"unknown tag '{match['tag']}'")
    access = OperandAccess(match["access"])
    if access is not OperandAccess.NONE and placeholder[:2] not in ("a8", "a1") and "[" not in mode:
        raise ValueError("an access needs an address operand")
    cycles = _cycles(match["cycles"])
    variant = OpcodeVariant(tag)
    never_ends, conditional = cycles.base is None, is_conditional(mnemonic, mode)
    if form.described and (
        never_ends != (variant in (OpcodeVariant.JAM, OpcodeVariant.STOP))
        or bool(cycles.taken) != conditional
    ):
        raise ValueError(f"cycles '{match['cycles']}' do not fit the instruction")
    if (variant is OpcodeVariant.PREFIX) != (not prefix and code == form.prefix):
        raise ValueError(f"the tag 'prefix' belongs to opcode {form.prefix.hex()} alone")
    return Opcode(
        cpu=cpu,
        prefix=prefix,
        byte=code[-1],
        mnemonic=mnemonic,
        mode=mode,
        placeholder=placeholder,
        size=len(code) + OPERAND_SIZES.get(placeholder, 0),
        cycles=cycles,
        access=access,
        flags=_flags(match["flags"], form.flags),
        variant=variant,
        canonical=not alternate,
    )


def _describe(row: str, form: TableForm) -> str:
    """A row of opcode and syntax, perhaps with a tag, with columns that say nothing."""
    code, _, rest = row.partition(" ")
    syntax, _, tag = rest.strip().partition("  ")
    return f"{code} {syntax}{_UNDESCRIBED}{'-' * len(form.flags)} {tag.strip()}".rstrip()


def _flags(text: str, letters: str) -> str:
    in_order = len(text) == len(letters) and all(
        have in ("-", "0", "1", want) for have, want in zip(text, letters, strict=True)
    )
    if not in_order:
        raise ValueError(f"flags '{text}' are not in the order {letters}")
    return text


def _cycles(text: str) -> Cycles:
    match = _CYCLES.match(text)
    if match is None:
        raise ValueError(f"cannot read cycles '{text}'")
    base = int(match["base"]) if match["base"] else None
    taken = int(match["more"] or 1) if match["taken"] else 0
    return Cycles(base, bool(match["page"]), taken, bool(match["decimal"]))
