"""The steps of SHA-512 on the SM83: those of a round, and those of the message schedule.

The working words stand by planes: byte i of all eight, and two places more for sums of rotated
copies. Each of the ten rounds in the code has the words one place further down in their planes.
The scheduled words are a ring of 16, the two newest kept in HRAM as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairdeck.proofs import sha512_model as fips
from fairdeck.proofs.stages import Step, contract
from romproof import Image, table, word

ROM = "walls-gb"
ROUNDS = 10
"""Rounds that the code has; then it begins again."""
BYTES = range(8)
PLANE = 10
"""Bytes of a plane."""
SIGMA_E, SIGMA_A, A, B, C, D, E, F, G, H = range(-2, 8)
LITTLE = ":little"
ALL = "A BC DE HL F"
WK = 640


def number(cells: Sequence[Any]) -> Any:
    """The word that eight bytes make."""
    return word(cells, "little")


def bytes_of(value: Any) -> list[Any]:
    """The bytes of a word, the lowest first."""
    return [value >> 8 * i & 0xFF for i in BYTES]


def _at(name: int, i: int, r: int) -> int:
    """Where in sha512_v byte i of a word, or of a sum, stands in round r (from 0 on)."""
    return PLANE * i + (name - r) % PLANE


def _cells(name: int, r: int) -> tuple[str, ...]:
    return tuple(f"sha512_v[{_at(name, i, r)}]" for i in BYTES)


def words_at(r: int) -> tuple[str, ...]:
    """The 64 places of the words a to h in round r."""
    return tuple(cell for name in (A, B, C, D, E, F, G, H) for cell in _cells(name, r))


def numbers(cells: Sequence[Any]) -> list[Any]:
    """The words that bytes make."""
    return [number(cells[at : at + 8]) for at in range(0, len(cells), 8)]


def cells_of(words: Sequence[Any]) -> tuple[Any, ...]:
    """The bytes of words."""
    return tuple(byte for value in words for byte in bytes_of(value))


def _label(name: str, r: int) -> str:
    """Of a step of round r."""
    return "sha512_rounds.turned" if r == ROUNDS else f"sha512_rounds.{name}{r}"


def within(start: str, size: int) -> str:
    """That a word lies in memory of a size, as contracts write it."""
    return f"in &{start}..&{start} + {size - 8}"


POINTS = f"DE {within('sha512_wk', WK)}, DE % 8 == 0"


# ---------------------------------------------------------------- the parts of a round


def add(image: Image) -> list[Step]:
    """h += wk, wherever in sha512_wk or in sha512_padding the word stands."""
    wk_at, padding_at = map(image.address, ("sha512_wk", "sha512_padding"))
    in_ram = contract(
        "add",
        in_="sha512_v[80] sha512_wk[640] DE",
        requires=POINTS,
        out="sha512_v[80] DE",
        clobbers="A HL F",
    )
    in_rom = contract(
        "add_padding",
        in_="sha512_v[80] DE",
        requires=f"DE {within('sha512_padding', WK)}, DE % 8 == 0",
        out="sha512_v[80] DE",
        clobbers="A HL F",
    )
    padding = table(b"".join(wk.to_bytes(8, "little") for wk in fips.PADDING))

    def of_block(v: Sequence[Any], wk: Any, de: Any) -> Any:
        return _with_sum(v, [wk[de - wk_at + i] for i in BYTES], de)

    def of_padding(v: Sequence[Any], de: Any) -> Any:
        return _with_sum(v, [padding[de - padding_at + i] for i in BYTES], de)

    begin, ends = _label("round", 0), (_label("scheduled", 0),)
    takes, gives = {"v": words_at(0), "de": "de"}, (*words_at(0), "de")
    return [
        Step(in_ram, begin, ends, of_block, {**takes, "wk": "sha512_wk"}, gives),
        Step(in_rom, begin, ends, of_padding, takes, gives),
    ]


def _with_sum(v: Sequence[Any], cells: Sequence[Any], de: Any) -> tuple[Any, ...]:
    *others, h = numbers(v)
    return *cells_of([*others, fips.add(h, number(cells))]), de + 8


def _rotation_stage(begin: str, end: str, of: int, to: int, function: Any) -> Step:
    """A function of one word, in the place of a sum; the words stay as they are."""
    text = contract(begin, in_="sha512_v[80]", out="sha512_v[80]", clobbers=ALL)

    def model(v: Sequence[Any]) -> Any:
        return *v, *bytes_of(function(numbers(v)[of]))

    gives = (*words_at(0), *_cells(to, 0))
    return Step(text, _label(begin, 0), (_label(end, 0),), model, {"v": words_at(0)}, gives)


def big_sigma1(image: Image) -> list[Step]:
    """Σ1(e)."""
    return [_rotation_stage("sigma_e", "sigma_a", E, SIGMA_E, fips.big_sigma1)]


def big_sigma0(image: Image) -> list[Step]:
    """Σ0(a)."""
    return [_rotation_stage("sigma_a", "columns", A, SIGMA_A, fips.big_sigma0)]


def _column(name: str, end: str, first: int, words: Sequence[int], function: Any) -> list[Step]:
    """A = a function of three words, for each byte of them; L comes to the last of them."""
    steps: list[Step] = []
    for i in BYTES:
        text = contract(
            f"{name}_{i}",
            in_="sha512_v[80] HL",
            requires=f"HL == &sha512_v + {_at(first, i, 0)}",
            out="A",
            clobbers="B D E L F",
        )

        def model(x: Any, y: Any, z: Any) -> Any:
            return (function(x, y, z),)

        x, y, z = (_cells(each, 0)[i] for each in words)
        begin, ends = _label(name, 0) + f"_{i}", (_label(end, 0) + f"_{i}",)
        steps.append(Step(text, begin, ends, model, {"x": x, "y": y, "z": z}, ["a"]))
    return steps


def ch(image: Image) -> list[Step]:
    """Ch(e, f, g), byte by byte, from where L is at the byte of h."""
    return _column("ch", "sum", H, (E, F, G), fips.ch)


def maj(image: Image) -> list[Step]:
    """Maj(a, b, c), byte by byte, from where L is at the byte of d."""
    return _column("maj", "next_a", D, (A, B, C), fips.maj)


def rotate(image: Image) -> list[Step]:
    """e rotated by 41: by one bit, and by five bytes."""
    return [_rotation_stage("sigma_e", "rotated_e", E, SIGMA_E, lambda e: fips.rotr(e, 41))]


# ---------------------------------------------------------------- rounds


def every_round(image: Image) -> list[Step]:
    """All rounds of the code, what comes before them and what decides whether there is another
    turn of all."""
    wk_at = image.address("sha512_wk")
    before = contract("before", in_="none", out="sha512_left", clobbers="A F")
    turned = contract("turned", in_="sha512_left", out="sha512_left", clobbers="A F")

    def begun() -> Any:
        return (fips.ROUNDS // ROUNDS,)

    def turn(left: Any) -> Any:
        rest = left - 1 & 0xFF
        return (1 if rest == 0 else 0), (rest,)

    ends = ("sha512_rounds.turn", "sha512_rounds.done")
    left = ["sha512_left"]
    return [
        Step(before, "sha512_rounds", ends[:1], begun, {}, left),
        *(_round(r, wk_at) for r in range(ROUNDS)),
        Step(turned, "sha512_rounds.turned", ends, turn, {"left": "sha512_left"}, left),
    ]


def _round(r: int, wk_at: int) -> Step:
    text = contract(
        f"round{r}",
        in_="sha512_v[80] sha512_wk[640] DE",
        requires=POINTS,
        out="sha512_v[80] DE",
        clobbers="A BC HL F",
        stack="2",
    )

    def model(v: Sequence[Any], wk: Any, de: Any) -> Any:
        one = number([wk[de - wk_at + i] for i in BYTES])
        return *cells_of(fips.round_of(numbers(v), one)), de + 8

    takes = {"v": words_at(r), "wk": "sha512_wk", "de": "de"}
    gives = (*words_at(r + 1), "de")
    return Step(text, _label("round", r), (_label("round", r + 1),), model, takes, gives)


# ---------------------------------------------------------------- around them


def mix(image: Image) -> list[Step]:
    """Before the rounds the hash is copied to the working words, after them these are added."""
    before = contract("before", in_="DE sha512_h[64]", out="sha512_v[80] DE", clobbers="A HL F")
    after = contract(
        "after", in_="sha512_h[64] sha512_v[80]", out="sha512_h[64]", clobbers="A HL F"
    )
    digest = tuple(f"sha512_h[{at}:{at + 8}]{LITTLE}" for at in range(0, 64, 8))

    def copy(h: Sequence[Any]) -> Any:
        return cells_of(h)

    def add_hash(h: Sequence[Any], v: Sequence[Any]) -> Any:
        return tuple(map(fips.add, h, numbers(v)))

    takes = {"h": digest}
    both = {**takes, "v": words_at(0)}
    return [
        Step(before, "sha512_mix", ("sha512_mix.mix",), copy, takes, words_at(0)),
        Step(after, "sha512_mix.add", ("sha512_mix.done",), add_hash, both, digest),
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


RING = 128
KEPT = (16, 24)
"""Where in sha512_v the two newest words are kept: of even and of odd number."""

_K = table(b"".join(k.to_bytes(8, "little") for k in fips.K))
"""As the words with constants stand in sha512_wk."""


def rotate_scheduled(image: Image) -> list[Step]:
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


SCHEDULED = {
    "load": load,
    "rotate": rotate_scheduled,
    "shift": shift,
    "small_sigma0": small_sigma0,
    "small_sigma1": small_sigma1,
    "word": schedule,
}
