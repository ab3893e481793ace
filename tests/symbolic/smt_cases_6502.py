"""Machines about to execute each opcode of the 6502."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import cycle
from random import Random

from smt_cases import CODE, TABLE, TABLE_BYTES, machine, word
from smt_machines import Machine

from romproof.isa.model import Opcode, OperandAccess
from romproof.symbolic.execute.layout import MemoryObject

ZERO_PAGE = MemoryObject("zp", 0, 0x100)
STACK = MemoryObject("stack", 0x100, 0x100)
DATA = MemoryObject("data", 0x200, 0x200)
ALL_6502 = (ZERO_PAGE, STACK, DATA)
STACK_POINTERS = (0xFF, 0x00, 0x01, 0x80, 0xFE)
VECTORS = {0xFFFA: bytes([0x12, 0x90, 0x34, 0x91, 0x56, 0x92])}


def cases_6502(opcode: Opcode, cpu: str = "mos6502") -> list[Machine]:
    """Machines about to execute an opcode."""
    if opcode.is_branch:
        found = _branches(opcode)
    elif opcode.mnemonic in _WITH_STACK:
        found = _WITH_STACK[opcode.mnemonic](opcode)
    else:
        found = _MODES[opcode.mode](opcode)
    return [
        replace(each, cpu=cpu, registers={"s": 0xFB, "interrupt": 0, **each.registers})
        for each in found
    ]


def _branches(opcode: Opcode) -> list[Machine]:
    distances = (0x00, 0x01, 0x05, 0x7F, 0x80, 0xFE, 0xFB)
    places = cycle((CODE, 0x04F8, 0x0500, 0x04FE))
    fixed = [
        machine(opcode, ALL_6502, bytes([distance]), at=next(places)) for distance in distances
    ]
    unknown = [
        machine(opcode, ALL_6502, at=0x04F8, bounds={0x04F9: bounds})
        for bounds in ((3, 7), (0xF0, 0xF7))
    ]
    return [*fixed, *unknown]


def _one_byte(opcode: Opcode) -> list[Machine]:
    return [machine(opcode, ALL_6502, at=at) for at in (CODE, 0x05FF, 0xFFFF)]


def _immediate(opcode: Opcode) -> list[Machine]:
    unknown = machine(opcode, ALL_6502)
    known = [machine(opcode, ALL_6502, bytes([n])) for n in (0x00, 0x7F, 0x80, 0xFF, 0x69)]
    return [unknown, unknown, *known]


def _zero_page(opcode: Opcode) -> list[Machine]:
    return [
        machine(opcode, ALL_6502, b"\x00"),
        machine(opcode, ALL_6502, b"\xff"),
        machine(opcode, ALL_6502),
    ]


def _zero_page_indexed(opcode: Opcode, index: str) -> list[Machine]:
    return [
        machine(opcode, ALL_6502, b"\x00"),
        machine(opcode, ALL_6502, b"\x93"),
        machine(opcode, ALL_6502),
        machine(opcode, ALL_6502, b"\xfe", registers={index: 0x03}),
        machine(opcode, ALL_6502, b"\xfe", registers={index: (0x01, 0x12)}),
    ]


def _absolute(opcode: Opcode) -> list[Machine]:
    found = [machine(opcode, ALL_6502, word(at)) for at in (0x0210, 0x0010, 0x01FF)]
    found.append(machine(opcode, ALL_6502, bounds={CODE + 2: (2, 3)}))
    if opcode.access is OperandAccess.READ:
        found.append(machine(opcode, ALL_6502, word(TABLE + 7), fixed={TABLE: TABLE_BYTES}))
    return found


def _absolute_indexed(opcode: Opcode, index: str) -> list[Machine]:
    make = partial(machine, opcode, ALL_6502)
    found = [
        make(word(0x0200)),
        make(word(0x02FF)),
        make(word(0x0280), registers={index: 0x7F}),
        make(word(0x0280), registers={index: 0x80}),
        make(word(0x01F0)),  # two objects
        make(word(0x0000)),
        make(word(0xFFF0), registers={index: (0x10, 0xFF)}),  # around to the zero page
        make(bounds={CODE + 2: (2, 2)}),
    ]
    if opcode.access is OperandAccess.READ:
        table = {TABLE: TABLE_BYTES}
        found += [
            make(word(TABLE), fixed=table),
            make(word(TABLE + 0xA5), fixed=table),
            make(word(0x03C0), registers={index: (0, 0x7F)}, fixed={0x0400: TABLE_BYTES[:0x80]}),
        ]
    if opcode.mnemonic == "tas":
        found = [_known(each, a=0xA7, x=0x3B) for each in found]
    if opcode.mnemonic == "las":
        values = ((0x00, 0xFF), (0xFF, 0x80), (0x5A, 0x99), (0x80, 0xC1), (0x7E, 0x7B))
        found = [
            make(word(0x0230), registers={"y": 5, "s": s}, bounds={0x0235: (value, value)})
            for value, s in values
        ]
    return found


def _known(each: Machine, **registers: int) -> Machine:
    return replace(each, registers={**each.registers, **registers})


def _indexed_indirect(opcode: Opcode) -> list[Machine]:
    found = []
    for operand, x in ((0x20, 0x00), (0x20, 0x13), (0xF0, 0x0F), (0xF0, 0x20)):
        at = operand + x & 0xFF
        high = {at + 1 & 0xFF: (2, 3)}
        found.append(machine(opcode, ALL_6502, bytes([operand]), registers={"x": x}, bounds=high))
    pointers = {0: bytes(Random(2).choices((2, 3), k=0x100))}
    for operand in (b"\x00", b"\x91", None):
        found.append(machine(opcode, (STACK, DATA), operand, fixed=pointers))
    return found


def _indirect_indexed(opcode: Opcode) -> list[Machine]:
    make = partial(machine, opcode, ALL_6502)
    if opcode.mnemonic == "sha":  # where a page is crossed, it writes to page A & X & (high + 1)
        pages = {0x21: (2, 2)}
        return [
            make(b"\x20", bounds=pages | {0x20: (0, 0)}),
            make(b"\x20", registers={"a": 0xFB, "x": 0x02}, bounds=pages),
            make(b"\x20", registers={"a": 0xF3, "x": 0x0F}, bounds=pages),
        ]
    return [
        make(b"\x20", bounds={0x21: (2, 2)}),
        make(b"\xff", bounds={0x00: (2, 2)}),
        make(b"\x20", registers={"y": 0x00}, bounds={0x21: (2, 3)}),
        make(b"\x20", registers={"y": 0xFF}, bounds={0x21: (2, 2)}),
        make(b"\x20", bounds={0x20: (0x90, 0x90), 0x21: (2, 2)}),
        make(b"\x20", bounds={0x20: (0xF0, 0xFF), 0x21: (1, 1)}),  # two objects
    ]


def _jump(opcode: Opcode) -> list[Machine]:
    return [
        machine(opcode, ALL_6502, word(0x9ABC)),
        machine(opcode, ALL_6502, bounds={CODE + 1: (0xFE, 0xFF), CODE + 2: (0x80, 0x83)}),
    ]


def _jump_indirect(opcode: Opcode) -> list[Machine]:
    make = partial(machine, opcode, ALL_6502)
    return [
        make(word(0x0210), bounds={0x0210: (0x20, 0x27), 0x0211: (4, 5)}),
        make(word(0x02FF), bounds={0x02FF: (0xFE, 0xFF), 0x0200: (0x80, 0x80)}),
        make(word(TABLE + 0xFF), fixed={TABLE: TABLE_BYTES}),
    ]


def _call(opcode: Opcode) -> list[Machine]:
    found = [
        machine(opcode, ALL_6502, word(0x9ABC), at=at, registers={"s": s})
        for s, at in zip(STACK_POINTERS, cycle((CODE, 0x04FD, 0x04FE)), strict=False)
    ]
    found.append(machine(opcode, ALL_6502, bounds={CODE + 1: (0x00, 0x03), CODE + 2: (0xFE, 0xFF)}))
    return found


def _with_stack(opcode: Opcode) -> list[Machine]:
    return [machine(opcode, ALL_6502, registers={"s": s}, fixed=VECTORS) for s in STACK_POINTERS]


def _transfer_to_stack(opcode: Opcode) -> list[Machine]:
    return [machine(opcode, ALL_6502, registers={"x": x}) for x in STACK_POINTERS]


def _return(opcode: Opcode) -> list[Machine]:
    first = 2 if opcode.mnemonic == "rti" else 1
    found = []
    for s in (0x40, 0xFF, 0xFE, 0xFD, 0xFC):
        low, high = 0x100 + (s + first & 0xFF), 0x100 + (s + first + 1 & 0xFF)
        bounds = {low: (0xFF, 0xFF), high: (0x12, 0x12)}
        if s == 0x40:  # to find all targets takes time
            bounds = {low: (0xFE, 0xFF), high: (0x04, 0x05)}
        found.append(machine(opcode, ALL_6502, registers={"s": s}, bounds=bounds))
    return found


_WITH_STACK: dict[str, Callable[[Opcode], list[Machine]]] = {
    **dict.fromkeys(("pha", "php", "pla", "plp", "brk", "tsx"), _with_stack),
    "txs": _transfer_to_stack,
    "rts": _return,
    "rti": _return,
    "jsr": _call,
}
_MODES: dict[str, Callable[[Opcode], list[Machine]]] = {
    "": _one_byte,
    "a": _one_byte,
    "#n8": _immediate,
    "a8": _zero_page,
    "a8,x": partial(_zero_page_indexed, index="x"),
    "a8,y": partial(_zero_page_indexed, index="y"),
    "a16": lambda opcode: (_jump if opcode.mnemonic == "jmp" else _absolute)(opcode),
    "a16,x": partial(_absolute_indexed, index="x"),
    "a16,y": partial(_absolute_indexed, index="y"),
    "(a8,x)": _indexed_indirect,
    "(a8),y": _indirect_indexed,
    "(a16)": _jump_indirect,
}
