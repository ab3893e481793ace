"""Machines about to execute each opcode of the SM83."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import cycle

from smt_cases import CODE, TABLE, TABLE_BYTES, Bounds, Registers, machine, word
from smt_machines import Machine

from romproof.isa.model import Opcode, OperandAccess
from romproof.symbolic.execute.layout import MemoryObject

BOTTOM = MemoryObject("bottom", 0x0000, 0x100)
LOW, HIGH = MemoryObject("low", 0xC000, 0x100), MemoryObject("high", 0xC100, 0x200)
TOP = MemoryObject("top", 0xFF00, 0x100)
STACKS = (0xC080, 0xC002, 0xC100, 0x0001, 0x0002, 0xFFFF)
PAIRS = {"bc": ("b", "c"), "de": ("d", "e"), "hl": ("h", "l")}
EI_DELAY, HALT_BUG = 1, 3


def cases_sm83(opcode: Opcode) -> list[Machine]:
    """Machines about to execute an opcode."""
    found = _cases_sm83(opcode)
    first = found[0]
    more: list[Registers] = [{"mode": (0, EI_DELAY)}]
    if opcode.size == 1:
        more.append({"mode": HALT_BUG})
    found += [replace(first, registers={**first.registers, **each}) for each in more]
    usual: Registers = {"sp": 0xC07F, "mode": 0}
    return [replace(each, registers={**usual, **each.registers}) for each in found]


def _cases_sm83(opcode: Opcode) -> list[Machine]:
    name, operands = opcode.mnemonic, opcode.mode.split(", ")
    if opcode.mnemonic in ("push", "call", "rst", "pop", "ret", "reti"):
        return _stack_sm83(opcode)
    if opcode.mode == "sp, hl":
        numbers = (0x00, 0x01, 0x80, 0xFE, 0xFF)
        return [machine(opcode, (), registers={"h": n, "l": n * 7 & 0xFF}) for n in numbers]
    if "sp" in opcode.mode and "[a16]" not in opcode.mode:
        return _stack_pointer(opcode)
    if (name, opcode.mode) == ("jp", "hl"):
        ways: list[Registers] = [{"h": (0x80, 0x83), "l": (0xFE, 0xFF)}, {"h": 0x12, "l": 0x34}]
        return [machine(opcode, (), registers=each) for each in ways]
    if "e8" in operands:
        return _relative(opcode)
    if name == "jp":
        bounds = {CODE + 1: (0xFE, 0xFF), CODE + 2: (0x80, 0x81)}
        return [machine(opcode, (), word(0x1234)), machine(opcode, (), bounds=bounds)]
    for operand in operands:
        if operand in _PLACES:
            return _PLACES[operand](opcode)
    return _registers_only(opcode)


def _registers_only(opcode: Opcode) -> list[Machine]:
    found = [machine(opcode, ()), machine(opcode, (), at=0xFFFF - opcode.size + 1)]
    if "n8" in opcode.mode:
        found += [machine(opcode, (), bytes([n])) for n in (0x00, 0x0F, 0x80, 0xFF)]
    return found


def _stack_sm83(opcode: Opcode) -> list[Machine]:
    objects = (BOTTOM, LOW, HIGH, TOP)
    found = []
    for number, sp in enumerate(STACKS):
        bounds: Bounds = {}
        if opcode.mnemonic.startswith("ret"):
            unknown = number == 0  # to find all targets takes time
            low, high = ((0xFE, 0xFF), (0x00, 0x03)) if unknown else ((0xFE, 0xFE), (0x12, 0x12))
            bounds = {sp: low, sp + 1 & 0xFFFF: high}
        operand = word(0x89AB) if opcode.placeholder else None
        found.append(machine(opcode, objects, operand, registers={"sp": sp}, bounds=bounds))
    if opcode.mnemonic == "call":
        targets = {CODE + 1: (0x00, 0x03), CODE + 2: (0x90, 0x91)}
        found.append(machine(opcode, (LOW,), bounds=targets))
    return found


def _stack_pointer(opcode: Opcode) -> list[Machine]:
    """What computes with SP; it must be known afterwards."""
    operands: tuple[bytes | None, ...] = (None,)
    if opcode.mnemonic == "add" and opcode.placeholder:
        operands = (b"\x00", b"\x01", b"\x7f", b"\x80", b"\xff")
    elif opcode.mode == "sp, n16":
        operands = (word(0x0000), word(0xC123))
    elif opcode.placeholder:
        operands = (None, b"\x80", b"\xff")
    return [
        machine(opcode, (), operand, registers={"sp": sp})
        for operand, sp in zip(cycle(operands), (*STACKS, 0x0FFF, 0x0F0F), strict=False)
    ]


def _relative(opcode: Opcode) -> list[Machine]:
    found = [
        machine(opcode, (), bytes([distance]), at=at)
        for distance, at in zip((0x00, 0x7F, 0x80, 0xFE), cycle((CODE, 0x04FE)), strict=False)
    ]
    found.append(machine(opcode, (), at=0x04F8, bounds={0x04F9: (3, 7)}))
    found.append(machine(opcode, (), bounds={CODE + 1: (0xF0, 0xF7)}))
    return found


def _pointer(opcode: Opcode, pair: str) -> list[Machine]:
    high, low = PAIRS[pair]
    ways: list[Registers] = [
        {high: (0xC1, 0xC2)},
        {high: (0xC0, 0xC2)},  # two objects
        {high: 0xC2},
        {high: 0xC0, low: 0xFF},
    ]
    return [machine(opcode, (LOW, HIGH), registers=each) for each in ways]


def _last_page(opcode: Opcode) -> list[Machine]:
    found = [machine(opcode, (TOP,))]
    if opcode.placeholder:
        found += [machine(opcode, (TOP,), operand) for operand in (b"\x00", b"\xff", b"\x42")]
    else:
        found += [machine(opcode, (TOP,), registers={"c": c}) for c in (0x00, 0x42, (0x10, 0x7F))]
    return found


def _anywhere(opcode: Opcode) -> list[Machine]:
    objects = (BOTTOM, LOW, HIGH, TOP)
    found = [machine(opcode, objects, word(at)) for at in (0xC0FF, 0xC1FE, 0xFF40, 0xFFFF)]
    found.append(machine(opcode, objects, bounds={CODE + 2: (0xC0, 0xC1)}))
    if opcode.access is OperandAccess.READ:
        table = {TABLE: TABLE_BYTES}
        found.append(machine(opcode, (), bounds={CODE + 2: (6, 7)}, fixed=table))
    return found


_PLACES: dict[str, Callable[[Opcode], list[Machine]]] = {
    "[hl]": partial(_pointer, pair="hl"),
    "[hl+]": partial(_pointer, pair="hl"),
    "[hl-]": partial(_pointer, pair="hl"),
    "[bc]": partial(_pointer, pair="bc"),
    "[de]": partial(_pointer, pair="de"),
    "[c]": _last_page,
    "[a8]": _last_page,
    "[a16]": _anywhere,
}
