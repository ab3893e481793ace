"""The steps of SHA-512 on the SM83.

The working words stand by planes: byte i of all eight, and two places more for sums of rotated
copies. Each of the ten rounds in the code has the words one place further down in their planes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairdeck.proofs import sha512_model as fips
from fairdeck.proofs.steps import Step, contract
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


def _rotated(begin: str, end: str, of: int, to: int, function: Any) -> Step:
    """A function of one word, in the place of a sum; the words stay as they are."""
    text = contract(begin, in_="sha512_v[80]", out="sha512_v[80]", clobbers=ALL)

    def model(v: Sequence[Any]) -> Any:
        return *v, *bytes_of(function(numbers(v)[of]))

    gives = (*words_at(0), *_cells(to, 0))
    return Step(text, _label(begin, 0), (_label(end, 0),), model, {"v": words_at(0)}, gives)


def big_sigma1(image: Image) -> list[Step]:
    """Σ1(e)."""
    return [_rotated("sigma_e", "sigma_a", E, SIGMA_E, fips.big_sigma1)]


def big_sigma0(image: Image) -> list[Step]:
    """Σ0(a)."""
    return [_rotated("sigma_a", "columns", A, SIGMA_A, fips.big_sigma0)]


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
    return [_rotated("sigma_e", "rotated_e", E, SIGMA_E, lambda e: fips.rotr(e, 41))]


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

    def copied(h: Sequence[Any]) -> Any:
        return cells_of(h)

    def added(h: Sequence[Any], v: Sequence[Any]) -> Any:
        return tuple(map(fips.add, h, numbers(v)))

    takes = {"h": digest}
    both = {**takes, "v": words_at(0)}
    return [
        Step(before, "sha512_mix", ("sha512_mix.mix",), copied, takes, words_at(0)),
        Step(after, "sha512_mix.add", ("sha512_mix.done",), added, both, digest),
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
