"""The steps of SHA-512 on the 6502.

The working words are eight of the zero page; each of the eight rounds in the code has them one
place further. Byte i of all scheduled words stands in one plane, three planes to a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairdeck.proofs import sha512_model as fips
from fairdeck.proofs.steps import Step, contract
from romproof import Image, word

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


def known(n: int) -> str:
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
        requires=known(1),
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
        requires=f"Y in 0..79, {known(n)}",
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

    def copied(h: Sequence[Any]) -> Any:
        return tuple(h)

    def added(h: Sequence[Any], v: Sequence[Any]) -> Any:
        return tuple(map(fips.add, h, v))

    takes = {"h": digest}
    return [
        Step(before, "sha512_mix", ("sha512_mix@mix",), copied, takes, words_at(1)),
        Step(after, "sha512_mix@add", ("sha512_mix@done",), added, {**takes, **ALL}, digest),
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
