"""The steps of SHA-512's message schedule on the 6502: words of a block, and those made of them."""

from __future__ import annotations

from typing import Any

from fairdeck.proofs import sha512_model as fips
from fairdeck.proofs.sha512_6502 import BYTES, FLAGS, LITTLE, T, byte, get, plane
from fairdeck.proofs.steps import Step, contract
from romproof import Image, table, word

_K = [table(bytes(k >> 8 * i & 0xFF for k in fips.K[fips.BLOCK :])) for i in BYTES]
"""The constants of the words that are made, by planes."""


def _put(planes: Any, index: Any, value: Any) -> Any:
    for i in BYTES:
        planes[plane(i) + index] = byte(value, i)
    return planes


def rotate(image: Image) -> list[Step]:
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


STEPS = {
    "load": load,
    "rotate": rotate,
    "shift": shift,
    "small_sigma0": small_sigma0,
    "small_sigma1": small_sigma1,
    "word": schedule,
}
