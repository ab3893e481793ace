"""The steps of SHA-512's message schedule on the SM83: words of a block, and those made of them.

The words are a ring of 16, the two newest kept in HRAM as well.
"""

from __future__ import annotations

from typing import Any

from fairdeck.proofs import sha512_model as fips
from fairdeck.proofs.sha512_sm83 import (
    ALL,
    BYTES,
    LITTLE,
    bytes_of,
    cells_of,
    number,
    numbers,
    within,
)
from fairdeck.proofs.steps import Step, contract
from romproof import Image, table

RING = 128
KEPT = (16, 24)
"""Where in sha512_v the two newest words are kept: of even and of odd number."""

_K = table(b"".join(k.to_bytes(8, "little") for k in fips.K))
"""As the words with constants stand in sha512_wk."""


def rotate(image: Image) -> list[Step]:
    """Byte by byte: a word rotated by 19 is added to what is there."""
    steps: list[Step] = []
    for nth, at in enumerate(KEPT):
        for i in BYTES:
            fifth, fourth = _registers(i)[0], _registers(i)[3]
            text = contract(
                f"rotr19_{i}",
                in_="A H B C D E sha512_v[80]",
                requires=f"H == &shr3 >> 8, {fourth} == sha512_v[{at + (i + 2) % 8}], "
                f"{fifth} == sha512_v[{at + (i + 3) % 8}]",
                out="A",
                clobbers="HL F",
            )

            def model(a: Any, last: Any, i: int = i) -> Any:
                return (a ^ bytes_of(fips.rotr(last, 19))[i],)

            begin = f"sha512_schedule.rotated19_{nth}_{i}"
            ends = (f"sha512_schedule.summed{nth}_{i}",)
            takes = {"a": "a", "last": f"sha512_v[{at}:{at + 8}]{LITTLE}"}
            steps.append(Step(text, begin, ends, model, takes, ["a"]))
    return steps


def shift(image: Image) -> list[Step]:
    """Byte by byte: a scheduled word shifted by 6, and rotated by 61 by the same tables."""
    steps: list[Step] = []
    for nth, at in enumerate(KEPT):
        for i in BYTES:
            one, two, three, _ = _registers(i)
            text = contract(
                f"shr6_{i}",
                in_="B C D E sha512_v[80]",
                requires=f"{one} == sha512_v[{at + (i + 7) % 8}], "
                f"{two} == sha512_v[{at + i}], {three} == sha512_v[{at + (i + 1) % 8}]",
                out=f"A {one}",
                clobbers="HL F",
            )

            def model(last: Any, i: int = i) -> Any:
                value = fips.shr(last, 6) ^ fips.rotr(last, 61)
                return bytes_of(value)[i], bytes_of(last)[(i + 3) % 8]

            begin = f"sha512_schedule.sigma1_{nth}_{i}"
            ends = (f"sha512_schedule.rotated19_{nth}_{i}",)
            takes = {"last": f"sha512_v[{at}:{at + 8}]{LITTLE}"}
            steps.append(Step(text, begin, ends, model, takes, ["a", one.lower()]))
    return steps


def _registers(i: int) -> list[str]:
    """The registers with five bytes of the word for byte i of its small sigma; the first has the
    fifth as well."""
    return list("BCDEBCDE"[i % 4 :][:4])


def small_sigma0(image: Image) -> list[Step]:
    """σ0 of the word at DE."""
    steps: list[Step] = []
    for nth in range(2):
        text = contract(
            "sigma0",
            in_="DE sha512_w[128]",
            requires=f"DE {within('sha512_w', RING)}, DE % 8 == 0",
            out="sha512_v[8]",
            clobbers=ALL,
        )

        def model(de: Any, w: Any) -> Any:
            at = de & RING - 1  # the ring begins a page
            return (fips.small_sigma0(number([w[at + i] for i in BYTES])),)

        begin, ends = (
            f"sha512_schedule.sigma_of_next{nth}",
            (f"sha512_schedule.sigma_of_last{nth}",),
        )
        takes, gives = {"de": "de", "w": "sha512_w"}, ["sha512_v" + LITTLE]
        steps.append(Step(text, begin, ends, model, takes, gives))
    return steps


def small_sigma1(image: Image) -> list[Step]:
    """σ1 of the word that is kept."""
    steps: list[Step] = []
    text = contract("sigma1", in_="sha512_v[80]", out="sha512_v[80]", clobbers=ALL)
    for nth, at in enumerate(KEPT):

        def model(last: Any) -> Any:
            return fips.small_sigma1(last), last

        begin, ends = f"sha512_schedule.sigma_of_last{nth}", (f"sha512_schedule.sum{nth}",)
        place = f"sha512_v[{at}:{at + 8}]{LITTLE}"
        gives = [f"sha512_v[8:16]{LITTLE}", place]
        steps.append(Step(text, begin, ends, model, {"last": place}, gives))
    return steps


def schedule(image: Image) -> list[Step]:
    """Both words that one turn of the loop makes, what comes before it and what decides on
    another turn."""
    wk_at = image.address("sha512_wk")
    first = contract(
        "first",
        in_="sha512_w[128]",
        out="sha512_wk[640] sha512_at[2] sha512_left sha512_v[80]",
        clobbers=ALL,
    )
    turned = contract("turned", in_="sha512_left", out="sha512_left", clobbers="A F")

    def begun(w: Any) -> Any:
        words = numbers([w[at] for at in range(RING)])
        sums = [fips.add(w, k) for w, k in zip(words, fips.K, strict=False)]
        iterations = (fips.ROUNDS - fips.BLOCK) // 2
        return cells_of(sums), wk_at + RING, iterations, *words[-2:]

    def turn(left: Any) -> Any:
        rest = left - 1 & 0xFF
        return (1 if rest == 0 else 0), (rest,)

    name = "sha512_schedule"
    ends = (f"{name}.pair", f"{name}.done")
    same = [f"sha512_v[{at}:{at + 8}]{LITTLE}" for at in KEPT]
    gives = [f"sha512_wk[0:{RING}]", "sha512_at" + LITTLE, "sha512_left", *same]
    left = {"left": "sha512_left"}
    return [
        Step(first, name, ends[:1], begun, {"w": "sha512_w"}, gives),
        *(_next_word(nth, wk_at) for nth in range(2)),
        Step(turned, f"{name}.same_page", ends, turn, left, ["sha512_left"]),
    ]


def _next_word(nth: int, wk_at: int) -> Step:
    """The word of even or odd number: its place is that of the word 16 before it."""
    first, last = KEPT[nth], (fips.ROUNDS - 2 + nth) * 8
    text = contract(
        f"word{nth}",
        in_="sha512_at[2] sha512_w[128] sha512_wk[640] sha512_v[80]",
        requires=f"sha512_at in &sha512_wk + {RING + 8 * nth}..&sha512_wk + {last}, "
        f"sha512_at % 16 == {8 * nth}, "
        f"all j in 0..7: sha512_v[{first} + j] == sha512_w[(sha512_at + {RING - 16} + j) % {RING}]",
        out="sha512_at[2] sha512_w[128] sha512_wk[640] sha512_v[80]",
        clobbers=ALL,
    )

    def model(at: Any, w: Any, wk: Any, other: Any) -> Any:
        place = at & RING - 8  # sha512_wk begins a page, and its words are aligned

        def before(back: int) -> Any:
            begin = place - 8 * back & RING - 8
            return number([w[begin + i] for i in BYTES])

        value = fips.next_word(*(before(back) for back in (2, 7, 15, 16)))
        k = number([_K[at - wk_at + i] for i in BYTES])
        for i, (plain, added) in enumerate(
            zip(bytes_of(value), bytes_of(fips.add(value, k)), strict=True)
        ):
            w[place + i] = plain
            wk[at - wk_at + i] = added
        return at + 8, w, wk, value, other

    begin, end = (f"sha512_schedule.{label}" for label in ("word0", "word1", "same_page")[nth:][:2])
    own, other = (f"sha512_v[{at}:{at + 8}]{LITTLE}" for at in (first, KEPT[1 - nth]))
    takes = {"at": "sha512_at" + LITTLE, "w": "sha512_w", "wk": "sha512_wk", "other": other}
    gives = ["sha512_at" + LITTLE, "sha512_w", "sha512_wk", own, other]
    return Step(text, begin, (end,), model, takes, gives)


def load(image: Image) -> list[Step]:
    """The words of a block, wherever it stands in walls_key. Also the routine's contract."""
    room = image.symbol("walls_key")
    text = contract(
        "sha512_load",
        in_=f"sha512_message[2] walls_key[{room.size}]",
        requires=f"sha512_message in &walls_key..&walls_key + {room.size} - BLOCK",
        out="sha512_w[128]",
        clobbers=ALL,
        stack="0",
        cycles="913 constant",
    )

    def model(message: Any, cells: Any) -> Any:
        at = message - room.value
        return [cells[at + 8 * n + 7 - i] for n in range(fips.BLOCK) for i in BYTES]

    takes = {"message": "sha512_message" + LITTLE, "cells": "walls_key"}
    return [Step(text, "sha512_load", (), model, takes, ["sha512_w"])]


STEPS = {
    "load": load,
    "rotate": rotate,
    "shift": shift,
    "small_sigma0": small_sigma0,
    "small_sigma1": small_sigma1,
    "word": schedule,
}
