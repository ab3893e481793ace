"""MT19937: its outputs, one step of its state, and the products of its seeding."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from fairdeck.proofs.facts import Evidence, ProofFact
from fairdeck.proofs.mt19937_model import (
    AHEAD,
    COPIED,
    FACTORS,
    GENERATOR,
    SIZE,
    WORD,
    WORDS,
    product,
    put_word,
    step,
    temper,
    word_at,
)
from fairdeck.proofs.mt19937_seed import PRODUCT, prove_seeding
from fairdeck.proofs.stages import LOCAL, LOST, Step, prove_steps
from fairdeck.proofs.statement import Row, Statement, bank, statements_of
from fairdeck.wall_roms import WALL_ROMS
from romproof import Finding, Proof, ProofOptions, Prover, Verdict

PARTS = {
    "6502": ((0, 0), (1, 226), (227, 622), (623, 623)),
    "sm83": ((0, 225), (226, 226), (227, 622), (623, 623)),
}
"""First and last word of each part of the state that is proved at once. Where a pointer goes round
the end, or the first word is copied behind the last, is a part of its own."""
MULTIPLIED = {
    "first": ("mt_init_by_array%multiply", "mt_init_by_array%number"),
    "key": ("mix_key", "mix_key%mix"),
    "last": ("mix_last", "mix_last%mix"),
}
"""Where the product by each of the factors begins, and what follows it, with the CPU's mark of
labels for %."""


def statements() -> tuple[Statement, ...]:
    """All of them, for both CPUs."""
    rows: tuple[Row, ...] = (
        ("temper", "each of the 2^32 words is tempered", _temper),
        ("twist", "one step at each of the 624 words of any state: the word is twisted with the "
         "next one and the one 397 further, around the end; the output is its tempered value, both "
         "pointers advance, nothing else changes, and the word after the last is the first",
         _twist),
        ("mt_next", "the contract of mt_next, its fewest and its most cycles included", _contract),
        *((f"multiply-{use}", f"seeding multiplies each of the 2^32 words by {factor}, modulo 2^32",
           partial(_multiply, use)) for use, factor in FACTORS.items()),
        ("mt_init_by_array", "seeding is init_by_array of the generator's authors, word by word, "
         "for every key of 1 to 624 words, anywhere in 2,496 bytes of memory, and whatever was "
         "there before; it ends, and the generator is ready; wherever in memory the key is, the "
         "routine keeps to its contract, its fewest and its most cycles included", prove_seeding),
    )  # fmt: skip
    return statements_of("mt19937", rows, long=("mt_init_by_array",))


def _temper(cpu: str, options: ProofOptions) -> Proof:
    begin, takes = f"mt_next{LOCAL[cpu]}temper", {"word": PRODUCT[cpu]}
    one = Step("temper", begin, (), temper, takes, ["mt_y:little"], clobbers=LOST[cpu])
    return one.prove(bank(WALL_ROMS[cpu], options))


def _contract(cpu: str, options: ProofOptions) -> Proof:
    return bank(WALL_ROMS[cpu], options).routine("mt_next")


# ---------------------------------------------------------------- one step of the state


def _twist(cpu: str, options: ProofOptions) -> Proof:
    own = bank(WALL_ROMS[cpu], options)
    covered = sorted(word for first, last in PARTS[cpu] for word in range(first, last + 1))
    whole = Finding(
        ProofFact.ALL_WORDS(),
        Verdict.PROVED if covered == list(range(WORDS)) else Verdict.REFUTED,
    )
    proofs = [_part(own, cpu, first, last) for first, last in PARTS[cpu]]
    return Proof.join("twist", *proofs, facts=[whole])


def _part(own: Prover, cpu: str, first: int, last: int) -> Proof:
    """The step at any of the words ``first`` to ``last``.

    From the word on at which the copy is made, it is there before the step, and after it.
    """
    image = own.image
    base, copied = image.address("mt_state"), COPIED[cpu]
    distance = WORD * (AHEAD if first + AHEAD < WORDS else AHEAD - WORDS)

    def model(this: Any, ahead: Any, state: Any) -> Mapping[str, Any]:
        output, following, third = step(state, this - base, ahead - base)
        if first == copied:
            put_word(state, SIZE, word_at(state, 0))
        result = {
            "mt_y:little": output,
            "mt_this:little": following + base,
            "mt_ahead:little": third + base,
            "mt_state": state,
        }
        if first >= copied:
            result[f"mt_state[{SIZE}:{SIZE + WORD}]:little"] = word_at(state, 0)
        return result

    def requires(this: Any, ahead: Any, state: Any) -> Any:
        return first <= copied or word_at(state, SIZE) == word_at(state, 0)

    one = Step(
        f"words_{first}_to_{last}",
        "mt_next",
        (),
        model,
        GENERATOR,
        ("mt_y:little", *GENERATOR.values()),
        f"mt_this in &mt_state + 4 * {first}..&mt_state + 4 * {last}, "
        f"(mt_this - &mt_state) % 4 == 0, mt_ahead - mt_this == {distance}, "
        "mt_ahead in &mt_state..&mt_state + 2492",
        LOST[cpu],
    )
    return one.prove(own, requires)


# ---------------------------------------------------------------- products


def _multiply(use: str, cpu: str, options: ProofOptions) -> Proof:
    own = bank(WALL_ROMS[cpu], options)
    begin, end = (label.replace("%", LOCAL[cpu]) for label in MULTIPLIED[use])

    def model(word: Any) -> Any:
        return product(word, FACTORS[use])

    takes, lost = {"word": "mt_x:little"}, LOST[cpu] if cpu == "6502" else "A HL F"
    one = Step("multiply", begin, (end,), model, takes, [PRODUCT[cpu]], clobbers=lost)
    return prove_steps(own, f"multiply-{use}", [one], [_tables(own, use)])


def _tables(own: Prover, use: str) -> Finding:
    """The four tables hold the bytes of the products."""
    start = own.image.address(f"mt_product_{use}")
    data = own.fixed[start : start + WORD * 256]
    wrong = [
        (n, place)
        for place in range(WORD)
        for n in range(256)
        if data[256 * place + n] != n * FACTORS[use] >> 8 * place & 0xFF
    ]
    return Finding(
        ProofFact.TABLES(factor=FACTORS[use]),
        Verdict.REFUTED if wrong else Verdict.PROVED,
        Evidence.NOT_BYTE(place=wrong[0][1], number=wrong[0][0]) if wrong else None,
    )
