"""The steps of SHA-512 on the 6502: those of a round, and those of the message schedule.

The working words are eight of the zero page; each of the eight rounds in the code has them one
place further. Byte i of all scheduled words stands in one plane, three planes to a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairdeck.proofs import sha512_model as fips
from fairdeck.proofs.stages import Step, contract
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


def add(image: Image) -> list[Step]:
    """t = h + wk."""
    text = contract(
        "add",
        in_="sha512_v[64] sha512_wk[672] Y",
        requires="Y in 0..79",
        out="sha512_t[8]",
        clobbers=f"A {FLAGS}",
    )

    def model(v: Sequence[Any], wk: Any, y: Any) -> Any:
        return (fips.add(v[7], get(wk, y)),)

    takes = {**ALL, "wk": "sha512_wk", "y": "y"}
    return [Step(text, _label(1, "scheduled"), (_label(1, "ch"),), model, takes, [T])]


def _summand(step: str, end: str, function: Any, clobbers: str) -> list[Step]:
    """t += a function of the words."""
    text = contract(
        step, in_="sha512_v[64] sha512_t[8]", out="sha512_t[8]", clobbers=f"{clobbers} {FLAGS}"
    )

    def model(v: Sequence[Any], t: Any) -> Any:
        return (fips.add(t, function(*v)),)

    takes = {**ALL, "t": T}
    return [Step(text, _label(1, step), (_label(1, end),), model, takes, [T])]


def ch(image: Image) -> list[Step]:
    """t += Ch(e, f, g)."""
    return _summand("ch", "sigma_e", lambda a, b, c, d, e, f, g, h: fips.ch(e, f, g), "A")


def big_sigma1(image: Image) -> list[Step]:
    """t += Σ1(e)."""
    return _summand("sigma_e", "next_e", lambda a, b, c, d, e, f, g, h: fips.big_sigma1(e), "A X")


def big_sigma0(image: Image) -> list[Step]:
    """h = t + Σ0(a)."""
    text = contract(
        "sigma_a", in_="sha512_v[64] sha512_t[8]", out="sha512_v[64]", clobbers=f"A X {FLAGS}"
    )

    def model(v: Sequence[Any], t: Any) -> Any:
        return *v[:7], fips.add(t, fips.big_sigma0(v[0]))

    takes = {**ALL, "t": T}
    return [Step(text, _label(1, "sigma_a"), (_label(1, "maj"),), model, takes, words_at(1))]


def maj(image: Image) -> list[Step]:
    """h += Maj(a, b, c); the next round's b eor c."""
    text = contract(
        "maj",
        in_="sha512_v[64] sha512_bc[8] Y",
        requires=contents_before_round(1),
        out="sha512_v[64] sha512_bc[8] Y",
        clobbers=f"A X {FLAGS}",
    )

    def model(v: Sequence[Any]) -> Any:
        return *v[:7], fips.add(v[7], fips.maj(*v[:3])), v[0] ^ v[1]

    gives = (*words_at(1), BC)
    end = _label(2, "scheduled")
    return [Step(text, _label(1, "maj"), (end,), model, ALL, gives)]


def rotate(image: Image) -> list[Step]:
    """Byte by byte: e rotated by 41 is added to what is there."""
    text = contract("rotr41", in_="A sha512_v[64]", out="A", clobbers="X N Z")
    steps: list[Step] = []
    for i in BYTES:

        def model(a: Any, v: Sequence[Any], i: int = i) -> Any:
            return (a ^ byte(fips.rotr(v[4], 41), i),)

        begin, end = _label(1, f"rotated41_{i}"), _label(1, f"summed_{i}")
        steps.append(Step(text, begin, (end,), model, {"a": "a", **ALL}, ["a"]))
    return steps


# ---------------------------------------------------------------- rounds


def every_round(image: Image) -> list[Step]:
    """All rounds of the code, what comes before them and what decides whether there is another."""
    return [_before(), *(_round(n) for n in range(1, ROUNDS + 1)), _turn()]


def _before() -> Step:
    text = contract("before", in_="sha512_v[64]", out="sha512_bc[8] Y", clobbers="A N Z")

    def model(v: Sequence[Any]) -> Any:
        return v[1] ^ v[2], 0

    return Step(text, "sha512_rounds", (_label(1, "scheduled"),), model, ALL, [BC, "y"])


def _round(n: int) -> Step:
    text = contract(
        f"round{n}",
        in_="sha512_v[64] sha512_bc[8] sha512_wk[672] Y",
        requires=f"Y in 0..79, {contents_before_round(n)}",
        out="sha512_v[64] sha512_bc[8] Y",
        clobbers=f"sha512_t[8] A X {FLAGS}",
    )

    def model(v: Sequence[Any], wk: Any, y: Any) -> Any:
        after = fips.round_of(v, get(wk, y))
        return *after, after[1] ^ after[2], y + 1

    takes = {"v": words_at(n), "wk": "sha512_wk", "y": "y"}
    gives = (*words_at(n + 1), BC, "y")
    ends = (_label(n + 1, "scheduled"),)
    return Step(text, _label(n, "scheduled"), ends, model, takes, gives)


def _turn() -> Step:
    text = contract("turned", in_="Y", requires="Y in 1..80", out="Y", clobbers="N Z C")

    def model(y: Any) -> Any:
        return (1 if y == fips.ROUNDS else 0), (y,)

    ends = ("sha512_rounds::eight", "sha512_rounds::turned@done")
    return Step(text, "sha512_rounds::turned", ends, model, {"y": "y"}, ["y"])


# ---------------------------------------------------------------- around them


def mix(image: Image) -> list[Step]:
    """Before the rounds the hash is copied to the working words, after them these are added."""
    before = contract("before", in_="sha512_h[64]", out="sha512_v[64]", clobbers="A X N Z")
    after = contract(
        "after", in_="sha512_h[64] sha512_v[64]", out="sha512_h[64]", clobbers=f"A X {FLAGS}"
    )
    digest = tuple(f"sha512_h[{at}:{at + 8}]{LITTLE}" for at in range(0, 64, 8))

    def copy(h: Sequence[Any]) -> Any:
        return tuple(h)

    def add_hash(h: Sequence[Any], v: Sequence[Any]) -> Any:
        return tuple(map(fips.add, h, v))

    takes = {"h": digest}
    return [
        Step(before, "sha512_mix", ("sha512_mix@mix",), copy, takes, words_at(1)),
        Step(after, "sha512_mix@add", ("sha512_mix@done",), add_hash, {**takes, **ALL}, digest),
    ]


STEPS = {
    "add": add,
    "big_sigma0": big_sigma0,
    "big_sigma1": big_sigma1,
    "ch": ch,
    "maj": maj,
    "mix": mix,
    "rotate": rotate,
    "round": every_round,
}


_K = [table(bytes(k >> 8 * i & 0xFF for k in fips.K[fips.BLOCK :])) for i in BYTES]
"""The constants of the words that are made, by planes."""


def _put(planes: Any, index: Any, value: Any) -> Any:
    for i in BYTES:
        planes[plane(i) + index] = byte(value, i)
    return planes


def rotate_scheduled(image: Image) -> list[Step]:
    """Byte by byte: the word w[x+14] rotated by 19 is added to what is there."""
    text = contract(
        "rotr19", in_="A X sha512_w[672]", requires="X in 0..63", out="A", clobbers="Y N Z"
    )
    steps: list[Step] = []
    for i in BYTES:

        def model(a: Any, x: Any, w: Any, i: int = i) -> Any:
            return (a ^ byte(fips.rotr(get(w, x + 14), 19), i),)

        begin, end = f"sha512_schedule::rotated19_{i}", f"sha512_schedule::summed_{i}"
        takes = {"a": "a", "x": "x", "w": "sha512_w"}
        steps.append(Step(text, begin, (end,), model, takes, ["a"]))
    return steps


def shift(image: Image) -> list[Step]:
    """Byte by byte: a scheduled word shifted by 6, and rotated by 61 by the same tables."""
    text = contract("shr6", in_="X sha512_w[672]", requires="X in 0..63", out="A", clobbers="Y N Z")
    steps: list[Step] = []
    for i in BYTES:

        def model(x: Any, w: Any, i: int = i) -> Any:
            value = get(w, x + 14)
            return (byte(fips.shr(value, 6) ^ fips.rotr(value, 61), i),)

        begin, end = f"sha512_schedule::sigma1_{i}", f"sha512_schedule::rotated19_{i}"
        steps.append(Step(text, begin, (end,), model, {"x": "x", "w": "sha512_w"}, ["a"]))
    return steps


def small_sigma0(image: Image) -> list[Step]:
    """t = w[x] + σ0(w[x+1])."""
    text = contract(
        "sigma0",
        in_="X sha512_w[672]",
        requires="X in 0..63",
        out="sha512_t[8]",
        clobbers=f"A Y {FLAGS}",
    )

    def model(x: Any, w: Any) -> Any:
        return (fips.add(get(w, x), fips.small_sigma0(get(w, x + 1))),)

    ends = ("sha512_schedule::plus_w9",)
    takes = {"x": "x", "w": "sha512_w"}
    return [Step(text, "sha512_schedule::word", ends, model, takes, [T])]


def small_sigma1(image: Image) -> list[Step]:
    """w[x+16] = t + σ1(w[x+14])."""
    text = contract(
        "sigma1",
        in_="X sha512_w[672] sha512_t[8]",
        requires="X in 0..63",
        out="sha512_w[672]",
        clobbers=f"A Y {FLAGS}",
    )

    def model(x: Any, w: Any, t: Any) -> Any:
        return (_put(w, x + 16, fips.add(t, fips.small_sigma1(get(w, x + 14)))),)

    ends = ("sha512_schedule::plus_constant",)
    takes = {"x": "x", "w": "sha512_w", "t": T}
    return [Step(text, "sha512_schedule::plus_sigma1", ends, model, takes, ["sha512_w"])]


def schedule(image: Image) -> list[Step]:
    """One turn of the loop that makes a word, what comes before and what decides on another."""
    first = contract("first", in_="sha512_w[672]", out="sha512_wk[672] X", clobbers=f"A {FLAGS}")
    each = contract(
        "word",
        in_="X sha512_w[672] sha512_wk[672]",
        requires="X in 0..63",
        out="sha512_w[672] sha512_wk[672]",
        clobbers=f"sha512_t[8] A Y {FLAGS}",
    )
    turn = contract("next", in_="X", requires="X in 0..63", out="X", clobbers="N Z C")

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
    name = "sha512_schedule"
    both = {"x": "x", "w": "sha512_w", "wk": "sha512_wk"}
    ends = (f"{name}::word", f"{name}::done")
    return [
        Step(first, name, ends[:1], with_constants, {"w": "sha512_w"}, [*sums, "x"]),
        Step(each, ends[0], (f"{name}::next",), next_word, both, ["sha512_w", "sha512_wk"]),
        Step(turn, f"{name}::next", ends, another, {"x": "x"}, ["x"]),
    ]


def load(image: Image) -> list[Step]:
    """The words of a block, wherever it stands in walls_key. Also the routine's contract."""
    room = image.symbol("walls_key")
    text = contract(
        "sha512_load",
        in_=f"sha512_message[2] walls_key[{room.size}]",
        requires=f"sha512_message in &walls_key..&walls_key + {room.size} - BLOCK",
        out="sha512_w[672]",
        clobbers="A X Y N Z",
        stack="0",
        cycles="1625..1752",
    )

    def model(message: Any, cells: Any) -> Any:
        at = message - room.value
        block = [word([cells[at + 8 * n + i] for i in BYTES]) for n in range(fips.BLOCK)]
        return tuple([byte(value, i) for value in block] for i in BYTES)

    takes = {"message": "sha512_message" + LITTLE, "cells": "walls_key"}
    gives = [f"sha512_w[{plane(i)}:{plane(i) + fips.BLOCK}]" for i in BYTES]
    return [Step(text, "sha512_load", (), model, takes, gives)]


SCHEDULED = {
    "load": load,
    "rotate": rotate_scheduled,
    "shift": shift,
    "small_sigma0": small_sigma0,
    "small_sigma1": small_sigma1,
    "word": schedule,
}
