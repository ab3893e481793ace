"""Reads an instruction table and refuses one that contradicts itself."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from romproof.isa.flow import Flow, is_conditional
from romproof.isa.model import FORMS, OPERAND_SIZES, Access, Cycles, Form, Opcode, Variant
from romproof.text.errors import RomproofError

# the columns are two or more spaces apart; a syntax may have single spaces in it
_ROW = re.compile(
    r"(?P<op>(?:[0-9a-f]{2}){1,2}) +(?P<mnemonic>[a-z]+)(?: (?P<mode>\S+(?: \S+)*))? {2,}"
    r"(?P<cycles>\S+) +(?P<access>[.rwm]) +(?P<flags>[-01A-Z]+)(?: +(?P<tag>\S+))?$"
)
_CYCLES = re.compile(r"(?:(?P<base>\d)(?P<taken>\+(?P<more>\d)?t)?(?P<page>\+p)?|-)$")
_PLACEHOLDER = re.compile("|".join(sorted(OPERAND_SIZES, key=len, reverse=True)))


_TABLES = MappingProxyType({"perfect6502": "mos6502", "ricoh2a03": "mos6502"})
"""CPUs with the instructions of another, whose table they share."""


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
    text = files("romproof.isa").joinpath(f"{name}.tbl").read_text("utf-8")
    return parse(text, name, FORMS[name])


def opcodes_with(*flows: Flow, cpu: str = "mos6502") -> frozenset[int]:
    """The indices of all opcodes with one of these flows."""
    return frozenset(opcode.index for opcode in load(cpu) if opcode.flow in flows)


def parse(text: str, name: str, form: Form = FORMS["mos6502"]) -> tuple[Opcode, ...]:
    """Parse and validate the text of a table; ``name`` is for messages."""
    opcodes: dict[str, Opcode] = {}
    encodings: dict[tuple[str, str], str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        row = line.partition("#")[0] if line.lstrip().startswith("#") else line
        if not row.strip():
            continue
        try:
            opcode = _opcode(row.strip(), name, form)
            code = _code(opcode.prefix, opcode.byte)
            if code in opcodes:
                raise ValueError(f"opcode {code} has two rows")
            key = (opcode.mnemonic, opcode.mode)
            if opcode.canonical and key in encodings:
                raise ValueError(f"'{opcode.syntax}' is also opcode {encodings[key]}")
        except ValueError as fault:
            raise BadTable(f"{name}.tbl:{number}: {fault}") from None
        opcodes[code] = opcode
        if opcode.canonical:
            encodings[key] = code
    prefixes = [b"", form.prefix] if form.prefix else [b""]
    codes = [_code(prefix, byte) for prefix in prefixes for byte in range(256)]
    missing = [code for code in codes if code not in opcodes]
    if missing:
        raise BadTable(f"{name}.tbl: no row for {' '.join(missing)}")
    for opcode in opcodes.values():
        if not opcode.canonical and (opcode.mnemonic, opcode.mode) not in encodings:
            raise BadTable(f"{name}.tbl: '{opcode.syntax}' has only -alt rows")
    return tuple(opcodes[code] for code in codes)


def _code(prefix: bytes, byte: int) -> str:
    """Prefix and opcode as the table writes them."""
    return f"{prefix.hex()}{byte:02x}"


def _opcode(row: str, cpu: str, form: Form) -> Opcode:
    match = _ROW.match(row)
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
    access = Access(match["access"])
    if access is not Access.NONE and placeholder not in ("a8", "a16") and "[" not in mode:
        raise ValueError("an access needs an address operand")
    cycles = _cycles(match["cycles"])
    variant = Variant(tag)
    never_ends, conditional = cycles.base is None, is_conditional(mnemonic, mode)
    if never_ends != (variant is Variant.JAM) or bool(cycles.taken) != conditional:
        raise ValueError(f"cycles '{match['cycles']}' do not fit the instruction")
    if (variant is Variant.PREFIX) != (not prefix and code == form.prefix):
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
    return Cycles(base, page=bool(match["page"]), taken=taken)
