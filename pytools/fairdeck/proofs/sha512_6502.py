"""The steps of SHA-512 on the 6502: those of a round, and those of the message schedule.

The working words are eight of the zero page; each of the eight rounds in the code has them one
place further. Byte i of all scheduled words stands in one plane, three planes to a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairdeck.proofs import sha512_model as fips
from fairdeck.proofs.stages import Step
from romproof import Image, table, word

ROM = "walls"
ROUNDS = 8
"""Rounds that the code has; then it begins again."""
BYTES = range(8)
LITTLE = ":little"
FLAGS = "N V Z C"


def plane(i: int) -> int:
    """Where the plane of byte i begins, in sha512_w and sha512_wk."""
    return i // 3 * 256 + i % 3 * 80


def get(planes: Any, index: Any) -> Any:
    """The word at an index, which may be symbolic."""
    return word([planes[plane(i) + index] for i in BYTES], "little")


def byte(value: Any, i: int) -> Any:
    """Byte i of a word, the lowest being byte 0."""
    return value >> 8 * i & 0xFF


def _words(n: int) -> list[int]:
    """Where the words a to h of round n (from 1 on) begin, in sha512_v."""
    return [8 * ((place - n + 1) % 8) for place in range(8)]


def words_at(n: int) -> tuple[str, ...]:
    return tuple(f"sha512_v[{at}:{at + 8}]{LITTLE}" for at in _words(n))


def _label(n: int, step: str) -> str:
    """Of a step of round n."""
    if n > ROUNDS:
        return "sha512_rounds::turned"
    return f"sha512_rounds::round{n}_{step}"


def contents_before_round(n: int) -> str:
    """What sha512_bc holds before round n: its b and c."""
    _, b, c, *_ = _words(n)
    return f"all j in 0..7: sha512_bc[j] == (sha512_v[{b} + j] ^ sha512_v[{c} + j])"


ALL = {"v": words_at(1)}
BC, T = "sha512_bc" + LITTLE, "sha512_t" + LITTLE


# ---------------------------------------------------------------- the parts of a round


def _in_round(step: str, end: str, model: Any, takes: Any, gives: Any, **fields: Any) -> list[Step]:
    """A step of the first round, to the next one."""
    return [Step(step, _label(1, step), (_label(1, end),), model, takes, gives, **fields)]


def add(image: Image) -> list[Step]:
    """t = h + wk."""

    def model(v: Sequence[Any], wk: Any, y: Any) -> Any:
        return (fips.add(v[7], get(wk, y)),)

    takes = {**ALL, "wk": "sha512_wk", "y": "y"}
    fields = {"requires": "Y in 0..79", "clobbers": f"A {FLAGS}"}
    return _in_round("scheduled", "ch", model, takes, [T], **fields)


def _summand(step: str, end: str, function: Any, clobbers: str) -> list[Step]:
    """t += a function of the words."""

    def model(v: Sequence[Any], t: Any) -> Any:
        return (fips.add(t, function(*v)),)

    return _in_round(step, end, model, {**ALL, "t": T}, [T], clobbers=f"{clobbers} {FLAGS}")


def ch(image: Image) -> list[Step]:
    """t += Ch(e, f, g)."""
    return _summand("ch", "sigma_e", lambda a, b, c, d, e, f, g, h: fips.ch(e, f, g), "A")


def big_sigma1(image: Image) -> list[Step]:
    """t += Σ1(e)."""
    return _summand("sigma_e", "next_e", lambda a, b, c, d, e, f, g, h: fips.big_sigma1(e), "A X")


def big_sigma0(image: Image) -> list[Step]:
    """h = t + Σ0(a)."""

    def model(v: Sequence[Any], t: Any) -> Any:
        return *v[:7], fips.add(t, fips.big_sigma0(v[0]))

    takes = {**ALL, "t": T}
    return _in_round("sigma_a", "maj", model, takes, words_at(1), clobbers=f"A X {FLAGS}")


def maj(image: Image) -> list[Step]:
    """h += Maj(a, b, c); the next round's b eor c."""

    def model(v: Sequence[Any]) -> Any:
        return *v[:7], fips.add(v[7], fips.maj(*v[:3])), v[0] ^ v[1]

    return [
        Step("maj", _label(1, "maj"), (_label(2, "scheduled"),), model, ALL, (*words_at(1), BC),
             contents_before_round(1), f"A X {FLAGS}", read="sha512_bc[8] Y", left="Y")
    ]  # fmt: skip


def rotate(image: Image) -> list[Step]:
    """Byte by byte: e rotated by 41 is added to what is there."""

    def step(i: int) -> Step:
        def model(a: Any, v: Sequence[Any]) -> Any:
            return (a ^ byte(fips.rotr(v[4], 41), i),)

        begin, ends = _label(1, f"rotated41_{i}"), (_label(1, f"summed_{i}"),)
        return Step("rotr41", begin, ends, model, {"a": "a", **ALL}, ["a"], clobbers="X N Z")

    return [step(i) for i in BYTES]


# ---------------------------------------------------------------- rounds


def every_round(image: Image) -> list[Step]:
    """All rounds of the code, what comes before them and what decides whether there is another."""
    begin, (again, done) = "sha512_rounds", ("sha512_rounds::eight", "sha512_rounds::turned@done")

    def before(v: Sequence[Any]) -> Any:
        return v[1] ^ v[2], 0

    def turn(y: Any) -> Any:
        return (1 if y == fips.ROUNDS else 0), (y,)

    return [
        Step("before", begin, (_label(1, "scheduled"),), before, ALL, [BC, "y"], clobbers="A N Z"),
        *(_round(n) for n in range(1, ROUNDS + 1)),
        Step("turned", _label(ROUNDS + 1, ""), (again, done), turn, {"y": "y"}, ["y"],
             requires="Y in 1..80", clobbers="N Z C"),
    ]  # fmt: skip


def _round(n: int) -> Step:
    def model(v: Sequence[Any], wk: Any, y: Any) -> Any:
        after = fips.round_of(v, get(wk, y))
        return *after, after[1] ^ after[2], y + 1

    return Step(
        f"round{n}",
        _label(n, "scheduled"),
        (_label(n + 1, "scheduled"),),
        model,
        {"v": words_at(n), "wk": "sha512_wk", "y": "y"},
        (*words_at(n + 1), BC, "y"),
        requires=f"Y in 0..79, {contents_before_round(n)}",
        clobbers=f"sha512_t[8] A X {FLAGS}",
        read="sha512_bc[8]",
    )


STEPS = {
    "add": add,
    "big_sigma0": big_sigma0,
    "big_sigma1": big_sigma1,
    "ch": ch,
    "maj": maj,
    "rotate": rotate,
    "round": every_round,
}


_K = [table(bytes(k >> 8 * i & 0xFF for k in fips.K[fips.BLOCK :])) for i in BYTES]
"""The constants of the words that are made, by planes."""
WORD = {"x": "x", "w": "sha512_w"}
"""What a word is made of: its number, and those before it."""
NUMBERED = {"requires": "X in 0..63", "clobbers": f"A Y {FLAGS}"}


def _put(planes: Any, index: Any, value: Any) -> Any:
    for i in BYTES:
        planes[plane(i) + index] = byte(value, i)
    return planes


def _in_schedule(
    name: str, begin: str, end: str, model: Any, takes: Any, gives: Any, **fields: Any
) -> Step:
    """A step of the schedule, by its labels."""
    ends = (f"sha512_schedule::{end}",)
    known = {**NUMBERED, **fields}
    return Step(name, f"sha512_schedule::{begin}", ends, model, takes, gives, **known)


def rotate_scheduled(image: Image) -> list[Step]:
    """Byte by byte: the word w[x+14] rotated by 19 is added to what is there."""

    def step(i: int) -> Step:
        def model(a: Any, x: Any, w: Any) -> Any:
            return (a ^ byte(fips.rotr(get(w, x + 14), 19), i),)

        begin, end, takes = f"rotated19_{i}", f"summed_{i}", {"a": "a", **WORD}
        return _in_schedule("rotr19", begin, end, model, takes, ["a"], clobbers="Y N Z")

    return [step(i) for i in BYTES]


def shift(image: Image) -> list[Step]:
    """Byte by byte: a scheduled word shifted by 6, and rotated by 61 by the same tables."""

    def step(i: int) -> Step:
        def model(x: Any, w: Any) -> Any:
            value = get(w, x + 14)
            return (byte(fips.shr(value, 6) ^ fips.rotr(value, 61), i),)

        begin, end = f"sigma1_{i}", f"rotated19_{i}"
        return _in_schedule("shr6", begin, end, model, WORD, ["a"], clobbers="Y N Z")

    return [step(i) for i in BYTES]


def small_sigma0(image: Image) -> list[Step]:
    """t = w[x] + σ0(w[x+1])."""

    def model(x: Any, w: Any) -> Any:
        return (fips.add(get(w, x), fips.small_sigma0(get(w, x + 1))),)

    return [_in_schedule("sigma0", "word", "plus_w9", model, WORD, [T])]


def small_sigma1(image: Image) -> list[Step]:
    """w[x+16] = t + σ1(w[x+14])."""

    def model(x: Any, w: Any, t: Any) -> Any:
        return (_put(w, x + 16, fips.add(t, fips.small_sigma1(get(w, x + 14)))),)

    takes = {**WORD, "t": T}
    return [_in_schedule("sigma1", "plus_sigma1", "plus_constant", model, takes, ["sha512_w"])]


def schedule(image: Image) -> list[Step]:
    """One turn of the loop that makes a word, what comes before and what decides on another."""

    def with_constants(w: Any) -> Any:
        sums = [fips.add(get(w, n), fips.K[n]) for n in range(fips.BLOCK)]
        return *([byte(value, i) for value in sums] for i in BYTES), 0

    def next_word(x: Any, w: Any, wk: Any) -> Any:
        value = fips.next_word(*(get(w, x + 16 - back) for back in (2, 7, 15, 16)))
        k = word([table[x] for table in _K], "little")
        return _put(w, x + 16, value), _put(wk, x + 16, fips.add(value, k))

    def another(x: Any) -> Any:
        return (1 if x + 1 == fips.ROUNDS - fips.BLOCK else 0), (x + 1,)

    sums = [f"sha512_wk[{plane(i)}:{plane(i) + fips.BLOCK}]" for i in BYTES]
    both = ["sha512_w", "sha512_wk"]
    ends = ("sha512_schedule::word", "sha512_schedule::done")
    return [
        Step("first", "sha512_schedule", ends[:1], with_constants, {"w": "sha512_w"},
             [*sums, "x"], clobbers=f"A {FLAGS}"),
        _in_schedule("word", "word", "next", next_word, {**WORD, "wk": "sha512_wk"}, both,
                     clobbers=f"sha512_t[8] A Y {FLAGS}"),
        Step("next", "sha512_schedule::next", ends, another, {"x": "x"}, ["x"],
             requires="X in 0..63", clobbers="N Z C"),
    ]  # fmt: skip


def load(image: Image) -> list[Step]:
    """The words of a block, wherever it stands in walls_key. Also the routine's contract."""
    room = image.symbol("walls_key")

    def model(message: Any, cells: Any) -> Any:
        at = message - room.value
        block = [word([cells[at + 8 * n + i] for i in BYTES]) for n in range(fips.BLOCK)]
        return tuple([byte(value, i) for value in block] for i in BYTES)

    takes = {"message": "sha512_message" + LITTLE, "cells": "walls_key"}
    gives = [f"sha512_w[{plane(i)}:{plane(i) + fips.BLOCK}]" for i in BYTES]
    within_room = f"sha512_message in &walls_key..&walls_key + {room.size} - BLOCK"
    lines, name = "; stack: 0\n; cycles: 1625..1752", "sha512_load"
    return [Step(name, name, (), model, takes, gives, within_room, "A X Y N Z", lines=lines)]


SCHEDULED = {
    "load": load,
    "rotate": rotate_scheduled,
    "shift": shift,
    "small_sigma0": small_sigma0,
    "small_sigma1": small_sigma1,
    "word": schedule,
}
