"""SHA-512's schedule and rounds as models that go from place to place: a word at a time, a round
at a time. On the SM83 the rounds are those of the words that a block leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fairdeck.proofs import sha512_6502, sha512_sm83
from fairdeck.proofs import sha512_6502 as mos
from fairdeck.proofs import sha512_model as fips
from fairdeck.proofs import sha512_sm83 as sm83
from fairdeck.proofs.stages import Next, Staged
from romproof import Image, Stage, table

SCHEDULE, ROUNDS = "sha512_schedule", "sha512_rounds"


def name_words(places: Sequence[str]) -> dict[str, str]:
    """Places of the working words, by names of the model."""
    return {f"v{n}": place for n, place in enumerate(places)}


def word_values(cells: Sequence[Any]) -> dict[str, Any]:
    """What is in them, by the same names."""
    return {f"v{n}": value for n, value in enumerate(cells)}


def values_of(values: Mapping[str, Any]) -> list[Any]:
    """And back."""
    return [values[f"v{n}"] for n in range(len(values))]


# ---------------------------------------------------------------- 6502


def schedule_6502(image: Image) -> Staged:
    """A word of the schedule at each stage."""
    place = f"{SCHEDULE}::word"
    (first, each, _) = sha512_6502.schedule(image)
    both = {"w": "sha512_w", "wk": "sha512_wk"}

    def begin(w: Any, wk: Any) -> Next:
        *sums, _ = first.model(w)
        for i, plane in enumerate(sums):
            for n in range(fips.BLOCK):
                wk[mos.plane(i) + n] = plane[n]
        return place, {"x": 0, "w": w, "wk": wk}

    def make(x: Any, w: Any, wk: Any) -> Next:
        w, wk = each.model(x, w, wk)
        if x + 1 == fips.ROUNDS - fips.BLOCK:
            return "return", {"w": w, "wk": wk}
        return place, {"x": x + 1, "w": w, "wk": wk}

    contract = f"""
    ; clobbers:  A X Y N V Z C sha512_t[8]
    ; stack:     0
    ; invariant: {place}: X in 0..63
    ; decreases: {place}: 64 - X
    """
    return Staged(
        SCHEDULE,
        contract,
        {"": Stage(both, begin), place: Stage({"x": "x", **both}, make)},
        both,
    )


def rounds_6502() -> Staged:
    """A round at each stage: the code has eight, which it begins again."""

    def label(n: int) -> str:
        return f"{ROUNDS}::round{n}_scheduled"

    def begin(wk: Any, **v: Any) -> Next:
        return label(1), {**v, "wk": wk, "y": 0}

    def stage(n: int) -> Stage:
        def model(wk: Any, y: Any, **v: Any) -> Next:
            after = word_values(fips.round_of(values_of(v), mos.get(wk, y)))
            if n == mos.ROUNDS and y + 1 == fips.ROUNDS:
                return "return", after
            return label(n % mos.ROUNDS + 1), {**after, "wk": wk, "y": y + 1}

        return Stage({**name_words(mos.words_at(n)), "wk": "sha512_wk", "y": "y"}, model)

    lines = "".join(
        f"""
    ; invariant: {label(n)}: Y in 0..79, Y % 8 == {n - 1}, {mos.contents_before_round(n)}
    ; decreases: {label(n)}: 80 - Y"""
        for n in range(1, mos.ROUNDS + 1)
    )
    contract = f"""
    ; clobbers:  A X Y N V Z C sha512_t[8] sha512_bc[8]
    ; stack:     0{lines}
    """
    first = name_words(mos.words_at(1))
    stages = {label(n): stage(n) for n in range(1, mos.ROUNDS + 1)}
    stages[""] = Stage({**first, "wk": "sha512_wk"}, begin)
    return Staged(ROUNDS, contract, stages, first)


# ---------------------------------------------------------------- SM83


def schedule_sm83(image: Image) -> Staged:
    """The words of even and of odd number by turns."""
    base = image.address("sha512_wk")
    labels = tuple(f"{SCHEDULE}.{name}" for name in ("word0", "word1"))
    takes = {
        "at": "sha512_at:little", "left": "sha512_left", "w": "sha512_w", "wk": "sha512_wk",
    }  # fmt: skip
    steps = sha512_sm83.schedule(image)
    both = {"w": "sha512_w", "wk": "sha512_wk"}

    def begin(w: Any, wk: Any) -> Next:
        sums, at, left, *_ = steps[0].model(w)
        for n, value in enumerate(sums):
            wk[n] = value
        return labels[0], {"at": at, "left": left, "w": w, "wk": wk}

    def even(at: Any, left: Any, w: Any, wk: Any) -> Next:
        at, w, wk, *_ = steps[1].model(at, w, wk, 0)
        return labels[1], {"at": at, "left": left, "w": w, "wk": wk}

    def odd(at: Any, left: Any, w: Any, wk: Any) -> Next:
        at, w, wk, *_ = steps[2].model(at, w, wk, 0)
        if left == 1:
            return "return", {"w": w, "wk": wk}
        return labels[0], {"at": at, "left": left - 1, "w": w, "wk": wk}

    def same(kept: int, ahead: int) -> str:
        return f"all j in 0..7: sha512_v[{kept} + j] == sha512_w[(sha512_at + {ahead} + j) % 128]"

    kept = sha512_sm83.KEPT
    contract = f"""
    ; clobbers:  A BC DE HL F sha512_v[80] sha512_at[2] sha512_left
    ; stack:     0
    ; invariant: {labels[0]}: sha512_left in 1..32, sha512_at == {base + 640} - 16 * sha512_left,
    ;            {same(kept[0], 112)}, {same(kept[1], 120)}
    ; invariant: {labels[1]}: sha512_left in 1..32, sha512_at == {base + 648} - 16 * sha512_left,
    ;            {same(kept[1], 112)}, {same(kept[0], 120)}
    ; decreases: {labels[0]}: sha512_left
    """
    stages = {"": Stage(both, begin), labels[0]: Stage(takes, even), labels[1]: Stage(takes, odd)}
    return Staged(SCHEDULE, contract, stages, both)


PADDED = b"".join(value.to_bytes(8, "little") for value in fips.PADDING)
"""What is in sha512_padding."""
PART = 1024
"""Bytes of memory within which sha512_padding lies."""


def padding_words(at: int, fixed: bytes) -> Callable[[Any], list[Any]]:
    """The bytes of the word at an address in sha512_padding, which stands ``at`` that place.
    Indexed as the code does, in its part of memory, it is the code's value without a question."""
    page = at // PART * PART
    cells = bytearray(fixed[page : page + PART])
    cells[at - page : at - page + len(PADDED)] = PADDED
    part = table(bytes(cells))

    def words(de: Any) -> list[Any]:
        return [part[de & PART - 0x100 | (de & 0xFF) + i & 0xFF] for i in sm83.BYTES]

    return words


def rounds_sm83(image: Image, padding: bytes = b"") -> Staged:
    """A round at each stage: the code has ten, which it begins again. The scheduled words stand in
    sha512_wk; with all that is constant for ``padding``, in sha512_padding."""
    words_in = "sha512_padding" if padding else "sha512_wk"
    base, listed = image.address(words_in), {} if padding else {"wk": words_in}
    constant = padding_words(base, padding) if padding else None
    turns, first = fips.ROUNDS // sm83.ROUNDS, name_words(parts_of(0))

    def label(r: int) -> str:
        return f"{ROUNDS}.round{r}"

    def begin(**given: Any) -> Next:
        return label(0), {**given, "left": turns}

    def stage(r: int) -> Stage:
        def model(left: Any, de: Any, **given: Any) -> Next:
            if constant is None:
                one = sm83.number([given["wk"][de - base + i] for i in sm83.BYTES])
            else:
                one = sm83.number(constant(de))
            v = sm83.numbers([given[name] for name in first])
            after = word_values(sm83.cells_of(fips.round_of(v, one)))
            if r + 1 == sm83.ROUNDS and left == 1:
                return "return", after
            here = {**{name: given[name] for name in listed}, "de": de + 8}
            if r + 1 < sm83.ROUNDS:
                return label(r + 1), {**after, **here, "left": left}
            return label(0), {**after, **here, "left": left - 1}

        takes = {**name_words(parts_of(r)), **listed, "de": "de", "left": "sha512_left"}
        return Stage(takes, model)

    lines = "".join(
        f"""
    ; invariant: {label(r)}: sha512_left in 1..{turns},
    ;            DE == &{words_in} + 80 * ({turns} - sha512_left) + {8 * r}"""
        for r in range(sm83.ROUNDS)
    )
    words = " ".join(f"{_plane(i)}[8]" for i in sm83.BYTES)
    beside = " ".join(f"sha512_v+{sm83.PLANE * i + 8}[2]" for i in sm83.BYTES)
    contract = f"""
    ; in:        DE {words} {"sha512_wk[640]" if listed else ""}
    ; requires:  DE == &{words_in}
    ; out:       {words}
    ; clobbers:  A BC DE HL F sha512_left {beside}
    ; stack:     2{lines}
    ; decreases: {label(0)}: sha512_left
    """
    stages = {label(r): stage(r) for r in range(sm83.ROUNDS)}
    stages[""] = Stage({**first, **listed, "de": "de"}, begin)
    return Staged(ROUNDS, contract, stages, first)


def _plane(i: int) -> str:
    """Byte i of all words, as contracts name a part of memory."""
    return f"sha512_v+{sm83.PLANE * i}" if i else "sha512_v"


def parts_of(r: int) -> list[str]:
    """The places of the words in round r, by the parts that the contract lists."""
    parts: list[str] = []
    for text in sm83.words_at(r):
        i, at = divmod(int(text.removeprefix("sha512_v[").removesuffix("]")), sm83.PLANE)
        beside = f"sha512_v+{sm83.PLANE * i + 8}[{at - 8}]"
        parts.append(f"{_plane(i)}[{at}]" if at < 8 else beside)
    return parts
