"""Game Boy programs for the tests, written as assembly."""

from __future__ import annotations

import re
from collections.abc import Mapping

from romproof.isa.codec import encode, encodings
from romproof.isa.model import Opcode

ENTRY, MAIN = 0x0100, 0x0150
LIMIT = 2_000_000
"""M-cycles that are enough for each of the programs."""


def cartridge(
    main: str,
    parts: Mapping[int, str] | None = None,
    *,
    kind: int = 0,
    banks: int = 2,
    ram: int = 0,
    color: int = 0,
) -> bytes:
    """A ROM that runs ``main`` from $0150, with other code at the addresses of ``parts``.

    ``kind``, ``ram`` and ``color`` are the bytes at $0147, $0149 and $0143. Each of the ``banks``
    holds its number in its last two bytes, the low one first.
    """
    rom = bytearray(banks * 0x4000)
    for bank in range(banks):
        rom[bank * 0x4000 + 0x3FFE : (bank + 1) * 0x4000] = bank.to_bytes(2, "little")
    code = {ENTRY: "nop\n jp $0150", MAIN: main} | dict(parts or {})
    for address, source in code.items():
        data = assemble(source, address)
        rom[address : address + len(data)] = data
    rom[0x134:0x138], rom[0x143] = b"TEST", color
    rom[0x147], rom[0x148], rom[0x149] = kind, banks.bit_length() - 2, ram
    rom[0x14D] = 0x55  # nobody checks it, but it must not be 0 for the flags after booting
    return bytes(rom)


def assemble(source: str, origin: int) -> bytes:
    """One instruction, ``label:`` or ``db`` of one byte on a line; ``;`` starts a comment."""
    lines = [line.split(";")[0].strip() for line in source.splitlines()]
    labels: dict[str, int] = {}
    for _ in range(2):  # the first time only for the labels
        data = bytearray()
        for line in filter(None, lines):
            here = origin + len(data)
            if line.endswith(":"):
                labels[line[:-1]] = here
            elif line.startswith("db "):
                data.append(_value(line[3:], labels))
            else:
                data += _instruction(line, labels, here)
    return bytes(data)


def _instruction(line: str, labels: dict[str, int], here: int) -> bytes:
    mnemonic, _, operands = line.partition(" ")
    table = encodings("sm83")[mnemonic]
    if operands in table:
        return encode(table[operands])
    for template, opcode in table.items():
        found = _match(template, opcode, operands)
        if found is not None:
            value = _value(found, labels)
            if opcode.placeholder == "e8":
                value = value - (here + opcode.size) if found in labels else value
            bits = 16 if opcode.placeholder in ("n16", "a16") else 8
            return encode(opcode, value & ((1 << bits) - 1))
    raise ValueError(line)


def _match(template: str, opcode: Opcode, operands: str) -> str | None:
    """The text in place of the template's placeholder."""
    if not opcode.placeholder:
        return None
    before, _, after = template.partition(opcode.placeholder)
    found = re.fullmatch(re.escape(before) + r"([$\w-]+)" + re.escape(after), operands)
    return found[1] if found else None


def _value(text: str, labels: dict[str, int]) -> int:
    if text in labels:
        return labels[text]
    if text.startswith("$"):
        return int(text[1:], 16)
    return 0 if text[0].isalpha() else int(text)
