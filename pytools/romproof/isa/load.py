"""Reads an instruction table and refuses one that contradicts itself."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from romproof.isa.model import OPERAND_SIZES, Access, Cycles, Opcode, Variant
from romproof.text.errors import RomproofError

_ROW = re.compile(
    r"(?P<op>[0-9a-f]{2}) +(?P<mnemonic>[a-z]{3})(?: (?P<mode>\S+))? +"
    r"(?P<cycles>\S+) +(?P<access>[.rwm]) +(?P<flags>[-NVBDIZC]{8})(?: +(?P<tag>\S+))?$"
)
_CYCLES = re.compile(r"(?:(?P<base>\d)(?P<taken>\+t)?(?P<page>\+p)?|-)$")
_PLACEHOLDER = re.compile("|".join(sorted(OPERAND_SIZES, key=len, reverse=True)))
_FLAG_ORDER = "NV-BDIZC"


class BadTable(RomproofError):
    """An instruction table has a row that cannot be right."""


@cache
def load(name: str = "mos6502") -> tuple[Opcode, ...]:
    """The 256 opcodes of a CPU, indexed by opcode byte. Raises BadTable."""
    text = files("romproof.isa").joinpath(f"{name}.tbl").read_text("utf-8")
    return parse(text, name)


def parse(text: str, name: str) -> tuple[Opcode, ...]:
    """Parse and validate the text of a table; ``name`` is for messages."""
    opcodes: dict[int, Opcode] = {}
    encodings: dict[tuple[str, str], int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        row = line.partition("#")[0] if line.lstrip().startswith("#") else line
        if not row.strip():
            continue
        try:
            opcode = _opcode(row.strip())
            if opcode.byte in opcodes:
                raise ValueError(f"opcode {opcode.byte:02x} has two rows")
            key = (opcode.mnemonic, opcode.mode)
            if opcode.canonical and key in encodings:
                raise ValueError(f"'{opcode.syntax}' is also opcode {encodings[key]:02x}")
        except ValueError as fault:
            raise BadTable(f"{name}.tbl:{number}: {fault}") from None
        opcodes[opcode.byte] = opcode
        if opcode.canonical:
            encodings[key] = opcode.byte
    missing = [byte for byte in range(256) if byte not in opcodes]
    if missing:
        raise BadTable(f"{name}.tbl: no row for " + " ".join(f"{b:02x}" for b in missing))
    for opcode in opcodes.values():
        if not opcode.canonical and (opcode.mnemonic, opcode.mode) not in encodings:
            raise BadTable(f"{name}.tbl: '{opcode.syntax}' has only -alt rows")
    return tuple(opcodes[byte] for byte in range(256))


def _opcode(row: str) -> Opcode:
    match = _ROW.match(row)
    if match is None:
        raise ValueError("expected: op syntax cycles access flags [tag]")
    mode = match["mode"] or ""
    names = _PLACEHOLDER.findall(mode)
    if len(names) > 1:
        raise ValueError(f"operand '{mode}' has more than one placeholder")
    placeholder = names[0] if names else ""
    tag, _, alternate = (match["tag"] or "").partition("-")
    if alternate not in ("", "alt"):
        raise ValueError(f"unknown tag '{match['tag']}'")
    access = Access(match["access"])
    if access is not Access.NONE and placeholder not in ("a8", "a16"):
        raise ValueError("an access needs an address operand")
    flags = match["flags"]
    if any(have not in ("-", want) for have, want in zip(flags, _FLAG_ORDER, strict=True)):
        raise ValueError(f"flags '{flags}' are not in the order {_FLAG_ORDER}")
    cycles = _cycles(match["cycles"])
    variant = Variant(tag)
    if (cycles.base is None) != (variant is Variant.JAM) or cycles.taken != (placeholder == "e8"):
        raise ValueError(f"cycles '{match['cycles']}' do not fit the instruction")
    return Opcode(
        byte=int(match["op"], 16),
        mnemonic=match["mnemonic"],
        mode=mode,
        placeholder=placeholder,
        size=1 + OPERAND_SIZES.get(placeholder, 0),
        cycles=cycles,
        access=access,
        flags=flags,
        variant=variant,
        canonical=not alternate,
    )


def _cycles(text: str) -> Cycles:
    match = _CYCLES.match(text)
    if match is None:
        raise ValueError(f"cannot read cycles '{text}'")
    base = int(match["base"]) if match["base"] else None
    return Cycles(base, page=bool(match["page"]), taken=bool(match["taken"]))
