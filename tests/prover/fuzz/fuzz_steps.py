"""Routines made of steps on A, said once for both CPUs and for Python: for models, and for ports.

A step is an operation and its operand: a number, or one of the variables ``u`` and ``w``, or the
port ``p``, whose reads bring one byte after the other.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from romproof.harness.rom import Rom
from romproof.projects import build
from romproof.projects.manifest import manifest_from

Step = tuple[str, int | str, tuple[Any, ...]]
"""Operation, operand, and of ``less`` the steps that are taken where A is less."""
Steps = tuple[Step, ...]
Numbers = tuple[int, int, int]
"""A, u and w."""

BYTES = (0, 1, 2, 3, 7, 9, 0x0F, 0x10, 0x55, 0x7F, 0x80, 0x99, 0xF0, 0xFE, 0xFF)
ON_NUMBERS = ("add", "sub", "xor", "and", "or", "load", "less")
ON_PLACES = ("add", "xor", "and", "or", "load", "put")
ALONE = ("left", "right")

_6502 = {"xor": "eor", "or": "ora", "and": "and", "load": "lda", "put": "sta"}


def steps_of(chance: Random, count: int, places: str = "uw", depth: int = 1) -> Steps:
    """Random steps; ``less`` within others at most ``depth`` deep."""
    found: list[Step] = []
    for _ in range(count):
        kind = chance.randrange(7)
        if kind == 0:
            found.append((chance.choice(ALONE), 0, ()))
        elif kind < 4:
            name = chance.choice(ON_NUMBERS if depth else ON_NUMBERS[:-1])
            inner = steps_of(chance, chance.randint(1, 2), places, depth - 1)
            found.append((name, chance.choice(BYTES), inner if name == "less" else ()))
        else:
            place = chance.choice(places)
            name = chance.choice(ON_PLACES if place != "p" else ON_PLACES[:-1])
            found.append((name, place, ()))
    return tuple(found)


def changed(chance: Random, steps: Steps) -> Steps:
    """The same with one step otherwise; it may do the same."""
    at = chance.randrange(len(steps))
    name, operand, inner = steps[at]
    if inner and chance.random() < 0.5:
        other: Step = (name, operand, changed(chance, inner))
    elif isinstance(operand, int) and name not in ALONE:
        other = (name, operand ^ 1 << chance.randrange(8), inner)
    elif name in ALONE:
        other = (ALONE[1 - ALONE.index(name)], 0, ())
    else:
        other = (chance.choice([n for n in ON_PLACES[:-1] if n != name]), operand, ())
    return (*steps[:at], other, *steps[at + 1 :])


def gone(steps: Steps, a: Any, u: Any, w: Any, read: Callable[[], int]) -> tuple[Any, Any, Any]:
    """A, u and w after the steps, of plain numbers or symbolic ones."""
    for name, operand, inner in steps:
        value: Any = operand
        if operand == "u":
            value = u
        elif operand == "w":
            value = w
        elif operand == "p":
            value = read()
        if name == "add":
            a = a + value & 0xFF
        elif name == "sub":
            a = a - value & 0xFF
        elif name == "xor":
            a = a ^ value
        elif name == "and":
            a = a & value
        elif name == "or":
            a = a | value
        elif name == "load":
            a = value
        elif name == "left":
            a = a << 1 & 0xFF
        elif name == "right":
            a = a >> 1
        elif name == "put" and operand == "u":
            u = a
        elif name == "put":
            w = a
        elif name == "less" and a < value:
            a, u, w = gone(inner, a, u, w, read)
    return a, u, w


def code(cpu: str, steps: Steps) -> list[str]:
    """The steps in assembly."""
    labels = iter(range(1000))
    return [*(_6502_code if cpu == "6502" else _sm83_code)(steps, labels)]


def _6502_code(steps: Steps, labels: Iterator[int]) -> Iterator[str]:
    for name, operand, inner in steps:
        at = f"#{operand}" if isinstance(operand, int) else operand
        if name == "less":
            over = f"@l{next(labels)}"
            yield from (f"cmp {at}", f"bcs {over}", *_6502_code(inner, labels), f"{over}:")
        elif name in ("add", "sub"):
            yield from (("clc", f"adc {at}") if name == "add" else ("sec", f"sbc {at}"))
        elif name in ALONE:
            yield "asl a" if name == "left" else "lsr a"
        else:
            yield f"{_6502[name]} {at}"


def _sm83_code(steps: Steps, labels: Iterator[int]) -> Iterator[str]:
    for name, operand, inner in steps:
        if name == "less":
            over = f".l{next(labels)}"
            yield from (f"cp {operand}", f"jr nc, {over}", *_sm83_code(inner, labels), f"{over}:")
        elif name in ALONE:
            yield "sla a" if name == "left" else "srl a"
        elif name == "load":
            yield f"ld a, {operand}" if isinstance(operand, int) else f"ldh a, [{operand}]"
        elif name == "put":
            yield f"ldh [{operand}], a"
        elif isinstance(operand, int):
            yield f"{name} {operand}"
        else:
            yield from ("ld b, a", f"ldh a, [{operand}]", f"{name} b")


def source(cpu: str, steps: Steps, fields: tuple[str, ...], more: str = "") -> str:
    """A program with the routine ``it``; ``more`` are inputs besides A, u and w."""
    kept = "clobbers: N V Z C" if cpu == "6502" else "clobbers: B F"
    block = [";; it – made by chance.", f"; in: A u w{more}", "; out: A u w", f"; {kept}"]
    block += [f"; {field}" for field in fields]
    lines = [line if line.endswith(":") else f"  {line}" for line in code(cpu, steps)]
    if cpu == "6502":
        head = ['.segment "ZEROPAGE"', *(f"{name}: .res 1" for name in "uwp"), ".exportzp u, w, p"]
        whole = [*head, '.segment "CODE"', ".export it", *block, ".proc it", *lines, "  rts"]
        return "\n".join([*whole, ".endproc", ""])
    head = ['SECTION "Variables", HRAM[$FF90]', *(f"{name}:: ds 1" for name in "uwp")]
    whole = [*head, 'SECTION "Main", ROM0[$0150]', *block, "it::", *lines, "  ret"]
    return "\n".join([*whole, ""])


def rom_of(cpu: str, text: str) -> Rom:
    """The program, linked."""
    name = "demo.s" if cpu == "6502" else "demo.asm"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        (path / name).write_text(text, "utf-8")
        table = {"name": "demo", "cpu": cpu, "sources": [name]}
        rom = Rom(build(manifest_from(table, path, "demo", "fuzz")).image)
        assert "it" in rom.contracts  # the source is still there now
        return rom


def some_numbers(chance: Random, count: int) -> Iterator[Numbers]:
    """Inputs, corners among them."""
    for _ in range(count):
        a, u, w = (
            chance.choice(BYTES) if chance.random() < 0.4 else chance.randrange(256)
            for _ in range(3)
        )
        yield a, u, w
