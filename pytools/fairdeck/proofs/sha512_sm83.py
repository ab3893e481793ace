"""The steps of SHA-512 on the SM83: those of a round, and those of the message schedule.

The working words stand by planes: byte i of all eight, and two places more for sums of rotated
copies. Each of the ten rounds in the code has the words one place further down in their planes.
The scheduled words are a ring of 16, the two newest kept in HRAM as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fairdeck.proofs import sha512_model as fips
from fairdeck.proofs.stages import Step
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
    padding = table(b"".join(wk.to_bytes(8, "little") for wk in fips.PADDING))

    def of_block(v: Sequence[Any], wk: Any, de: Any) -> Any:
        return _with_sum(v, [wk[de - wk_at + i] for i in BYTES], de)

    def of_padding(v: Sequence[Any], de: Any) -> Any:
        return _with_sum(v, [padding[de - padding_at + i] for i in BYTES], de)

    begin, ends = _label("round", 0), (_label("scheduled", 0),)
    takes, gives = {"v": words_at(0), "de": "de"}, (*words_at(0), "de")
    in_rom = f"DE {within('sha512_padding', WK)}, DE % 8 == 0"
    both = {**takes, "wk": "sha512_wk"}
    return [
        Step("add", begin, ends, of_block, both, gives, POINTS, "A HL F"),
        Step("add_padding", begin, ends, of_padding, takes, gives, in_rom, "A HL F"),
    ]


def _with_sum(v: Sequence[Any], cells: Sequence[Any], de: Any) -> tuple[Any, ...]:
    *others, h = numbers(v)
    return *cells_of([*others, fips.add(h, number(cells))]), de + 8


def _rotation_stage(begin: str, end: str, of: int, to: int, function: Any) -> list[Step]:
    """A function of one word, in the place of a sum; the words stay as they are."""

    def model(v: Sequence[Any]) -> Any:
        return *v, *bytes_of(function(numbers(v)[of]))

    takes, gives = {"v": words_at(0)}, (*words_at(0), *_cells(to, 0))
    ends = (_label(end, 0),)
    return [Step(begin, _label(begin, 0), ends, model, takes, gives, clobbers=ALL)]


def big_sigma1(image: Image) -> list[Step]:
    """Σ1(e)."""
    return _rotation_stage("sigma_e", "sigma_a", E, SIGMA_E, fips.big_sigma1)


def big_sigma0(image: Image) -> list[Step]:
    """Σ0(a)."""
    return _rotation_stage("sigma_a", "columns", A, SIGMA_A, fips.big_sigma0)


def _column(name: str, end: str, first: int, words: Sequence[int], function: Any) -> list[Step]:
    """A = a function of three words, for each byte of them; L comes to the last of them."""

    def step(i: int) -> Step:
        def model(x: Any, y: Any, z: Any) -> Any:
            return (function(x, y, z),)

        x, y, z = (_cells(each, 0)[i] for each in words)
        begin, ends = _label(name, 0) + f"_{i}", (_label(end, 0) + f"_{i}",)
        at = f"HL == &sha512_v + {_at(first, i, 0)}"
        takes, lost = {"x": x, "y": y, "z": z}, "B D E L F"
        return Step(f"{name}_{i}", begin, ends, model, takes, ["a"], at, lost, read="HL")

    return [step(i) for i in BYTES]


def ch(image: Image) -> list[Step]:
    """Ch(e, f, g), byte by byte, from where L is at the byte of h."""
    return _column("ch", "sum", H, (E, F, G), fips.ch)


def maj(image: Image) -> list[Step]:
    """Maj(a, b, c), byte by byte, from where L is at the byte of d."""
    return _column("maj", "next_a", D, (A, B, C), fips.maj)


def rotate(image: Image) -> list[Step]:
    """e rotated by 41: by one bit, and by five bytes."""
    return _rotation_stage("sigma_e", "rotated_e", E, SIGMA_E, lambda e: fips.rotr(e, 41))


# ---------------------------------------------------------------- rounds


def every_round(image: Image) -> list[Step]:
    """All rounds of the code, what comes before them and what decides whether there is another
    turn of all."""
    wk_at = image.address("sha512_wk")
    ends = ("sha512_rounds.turn", "sha512_rounds.done")

    def begun() -> Any:
        return (fips.ROUNDS // ROUNDS,)

    return [
        Step("before", "sha512_rounds", ends[:1], begun, {}, ["sha512_left"], clobbers="A F"),
        *(_round(r, wk_at) for r in range(ROUNDS)),
        _turn("sha512_rounds.turned", *ends),
    ]


def _turn(begin: str, *ends: str) -> Step:
    """What decides whether there is another turn."""

    def turn(left: Any) -> Any:
        rest = left - 1 & 0xFF
        return (1 if rest == 0 else 0), (rest,)

    left = "sha512_left"
    return Step("turned", begin, ends, turn, {"left": left}, [left], clobbers="A F")


def _round(r: int, wk_at: int) -> Step:
    def model(v: Sequence[Any], wk: Any, de: Any) -> Any:
        one = number([wk[de - wk_at + i] for i in BYTES])
        return *cells_of(fips.round_of(numbers(v), one)), de + 8

    takes = {"v": words_at(r), "wk": "sha512_wk", "de": "de"}
    gives, ends = (*words_at(r + 1), "de"), (_label("round", r + 1),)
    lines, lost = "; stack: 2", "A BC HL F"
    return Step(
        f"round{r}", _label("round", r), ends, model, takes, gives, POINTS, lost, lines=lines
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


RING = 128
KEPT = (16, 24)
"""Where in sha512_v the two newest words are kept: of even and of odd number."""

_K = table(b"".join(k.to_bytes(8, "little") for k in fips.K))
"""As the words with constants stand in sha512_wk."""


def _kept(at: int) -> str:
    return f"sha512_v[{at}:{at + 8}]{LITTLE}"


def _byte_stages(stage: Callable[[int, int, int], Step]) -> list[Step]:
    """A stage for each byte of either word that is kept."""
    return [stage(nth, at, i) for nth, at in enumerate(KEPT) for i in BYTES]


def rotate_scheduled(image: Image) -> list[Step]:
    """Byte by byte: a word rotated by 19 is added to what is there."""

    def stage(nth: int, at: int, i: int) -> Step:
        fifth, _, _, fourth = _registers(i)

        def model(a: Any, last: Any) -> Any:
            return (a ^ bytes_of(fips.rotr(last, 19))[i],)

        return Step(
            f"rotr19_{i}",
            f"sha512_schedule.rotated19_{nth}_{i}",
            (f"sha512_schedule.summed{nth}_{i}",),
            model,
            {"a": "a", "last": _kept(at)},
            ["a"],
            f"H == &shr3 >> 8, {fourth} == sha512_v[{at + (i + 2) % 8}], "
            f"{fifth} == sha512_v[{at + (i + 3) % 8}]",
            "HL F",
            read="H B C D E",
        )

    return _byte_stages(stage)


def shift(image: Image) -> list[Step]:
    """Byte by byte: a scheduled word shifted by 6, and rotated by 61 by the same tables."""

    def stage(nth: int, at: int, i: int) -> Step:
        one, two, three, _ = _registers(i)

        def model(last: Any) -> Any:
            value = fips.shr(last, 6) ^ fips.rotr(last, 61)
            return bytes_of(value)[i], bytes_of(last)[(i + 3) % 8]

        return Step(
            f"shr6_{i}",
            f"sha512_schedule.sigma1_{nth}_{i}",
            (f"sha512_schedule.rotated19_{nth}_{i}",),
            model,
            {"last": _kept(at)},
            ["a", one.lower()],
            f"{one} == sha512_v[{at + (i + 7) % 8}], "
            f"{two} == sha512_v[{at + i}], {three} == sha512_v[{at + (i + 1) % 8}]",
            "HL F",
            read="B C D E",
        )

    return _byte_stages(stage)


def _registers(i: int) -> list[str]:
    """The registers with five bytes of the word for byte i of its small sigma; the first has the
    fifth as well."""
    return list("BCDEBCDE"[i % 4 :][:4])


def small_sigma0(image: Image) -> list[Step]:
    """σ0 of the word at DE."""

    def model(de: Any, w: Any) -> Any:
        at = de & RING - 1  # the ring begins a page
        return (fips.small_sigma0(number([w[at + i] for i in BYTES])),)

    begin, end = "sha512_schedule.sigma_of_next", "sha512_schedule.sigma_of_last"
    takes, gives = {"de": "de", "w": "sha512_w"}, ["sha512_v" + LITTLE]
    within_ring = f"DE {within('sha512_w', RING)}, DE % 8 == 0"
    lines = "; out: sha512_v[8]"
    return [
        Step("sigma0", f"{begin}{nth}", (f"{end}{nth}",), model, takes, gives, within_ring, ALL,
             lines=lines)
        for nth in range(2)
    ]  # fmt: skip


def small_sigma1(image: Image) -> list[Step]:
    """σ1 of the word that is kept."""

    def model(last: Any) -> Any:
        return fips.small_sigma1(last), last

    def stage(nth: int, place: str) -> Step:
        begin, ends = f"sha512_schedule.sigma_of_last{nth}", (f"sha512_schedule.sum{nth}",)
        gives = [f"sha512_v[8:16]{LITTLE}", place]
        return Step("sigma1", begin, ends, model, {"last": place}, gives, clobbers=ALL)

    return [stage(nth, _kept(at)) for nth, at in enumerate(KEPT)]


def schedule(image: Image) -> list[Step]:
    """Both words that one turn of the loop makes, what comes before it and what decides on
    another turn."""
    wk_at, name = image.address("sha512_wk"), "sha512_schedule"

    def begun(w: Any) -> Any:
        words = numbers([w[at] for at in range(RING)])
        sums = [fips.add(w, k) for w, k in zip(words, fips.K, strict=False)]
        iterations = (fips.ROUNDS - fips.BLOCK) // 2
        return cells_of(sums), wk_at + RING, iterations, *words[-2:]

    ends = (f"{name}.pair", f"{name}.done")
    gives = [f"sha512_wk[0:{RING}]", "sha512_at" + LITTLE, "sha512_left", *map(_kept, KEPT)]
    return [
        Step("first", name, ends[:1], begun, {"w": "sha512_w"}, gives, clobbers=ALL),
        *(_next_word(nth, wk_at) for nth in range(2)),
        _turn(f"{name}.same_page", *ends),
    ]


def _next_word(nth: int, wk_at: int) -> Step:
    """The word of even or odd number: its place is that of the word 16 before it."""
    first, last = KEPT[nth], (fips.ROUNDS - 2 + nth) * 8

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
    own, other = _kept(first), _kept(KEPT[1 - nth])
    takes = {"at": "sha512_at" + LITTLE, "w": "sha512_w", "wk": "sha512_wk"}
    return Step(
        f"word{nth}",
        begin,
        (end,),
        model,
        {**takes, "other": other},
        [*takes.values(), own, other],
        f"sha512_at in &sha512_wk + {RING + 8 * nth}..&sha512_wk + {last}, "
        f"sha512_at % 16 == {8 * nth}, "
        f"all j in 0..7: sha512_v[{first} + j] == sha512_w[(sha512_at + {RING - 16} + j) % {RING}]",
        ALL,
    )


def load(image: Image) -> list[Step]:
    """The words of a block, wherever it stands in walls_key. Also the routine's contract."""
    room = image.symbol("walls_key")

    def model(message: Any, cells: Any) -> Any:
        at = message - room.value
        return [cells[at + 8 * n + 7 - i] for n in range(fips.BLOCK) for i in BYTES]

    takes = {"message": "sha512_message" + LITTLE, "cells": "walls_key"}
    within_room = f"sha512_message in &walls_key..&walls_key + {room.size} - BLOCK"
    lines, name = "; stack: 0\n; cycles: 913 constant", "sha512_load"
    return [Step(name, name, (), model, takes, ["sha512_w"], within_room, ALL, lines=lines)]


SCHEDULED = {
    "load": load,
    "rotate": rotate_scheduled,
    "shift": shift,
    "small_sigma0": small_sigma0,
    "small_sigma1": small_sigma1,
    "word": schedule,
}
