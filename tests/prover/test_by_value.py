"""Contracts proved for each value of a register; with a value too few, or one case false, not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from claims import PROVED, Said, few_runs, rom_of, source

from romproof.contract.nouns.model import Contract
from romproof.prover.prover import Prover
from romproof.prover.refinement.stages import Stage
from romproof.prover.results import Proof
from romproof.prover.routines.routine import ProofOptions
from romproof.prover.states.model_places import BadMapping

pytest.importorskip("z3", reason="proofs need it")

CODE = "cmp #1/beq @one/bcs @two/inc m/rts/@one: asl m/rts/@two: ldx tmp/@l: inc m/dex/bne @l/rts"
"""m and one, m twice, m and n; but for the last without a loop."""
HEAD = "in: A tmp m; requires: A <= 2, tmp in 1..9; out: m; clobbers: A X N V Z C; stack: 0"
LOOP = "invariant: @l: X in 1..tmp, m == (old m + tmp - X) % 256; decreases: @l: X"
RESULT = (
    "old A == 0 -> m == (old m + 1) % 256, old A == 1 -> m == old m * 2 % 256, "
    "old A == 2 -> m == (old m + tmp) % 256"
)
CALLER = Said(
    "in: tmp m; requires: tmp in 1..9; out: m; clobbers: A X N V Z C; "
    "ensures: m == (old m + tmp) % 256",
    "lda #2/jmp cases",
)


@pytest.fixture(autouse=True)
def _few() -> Iterator[None]:
    with few_runs():
        yield


def _contract(ensures: str = RESULT, head: str = HEAD) -> str:
    return f"{head}; ensures: {ensures}; {LOOP}"


def _prover(contract: str, code: str = CODE, caller: Said = CALLER) -> Prover:
    return Prover(
        rom_of("6502", source("6502", replace(caller, others={"cases": (contract, code)})))
    )


def _cases(own: Prover, values: Sequence[int] = range(3), register: str = "A") -> Proof:
    return own.cases(own.contracts["cases"], register, values)


def test_each_case_is_proved_and_callers_know_the_contract() -> None:
    own = _prover(_contract())
    proof = _cases(own)
    assert proof.verdict is PROVED, proof.findings
    assert proof.assumed == ("A <= 2", "tmp in 1..9")
    assert any("one of 3 cases" in str(finding.statement) for finding in proof.findings)
    caller = own.routine("it")
    assert caller.verdict is PROVED, caller.findings
    assert caller.lemmas == ("cases",)


def test_a_caller_with_a_value_that_is_no_case_is_not_proved() -> None:
    own = _prover(_contract(), caller=replace(CALLER, code="lda #3/jmp cases"))
    assert _cases(own).verdict is PROVED
    assert own.routine("it").verdict is not PROVED


@pytest.mark.quick_cases("values1")
@pytest.mark.parametrize("values", [range(2), (0, 2), range(4)])
def test_cases_that_are_not_all_there_are_do_not_prove_it(values: Sequence[int]) -> None:
    own = _prover(_contract())
    assert _cases(own, values).verdict is not PROVED
    assert own.routine("it").lemmas == ()  # the code of it was executed


@pytest.mark.quick_cases("(old m + tmp) % 256-(old m + old X) % 256")
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("(old m + 1) % 256", "(old m + 2) % 256"),
        ("old m * 2 % 256", "old m * 2"),
        ("(old m + tmp) % 256", "(old m + tmp + 1) % 256"),
        ("(old m + tmp) % 256", "(old m + old X) % 256"),
    ],
)
def test_what_is_false_in_one_case_is_not_proved(right: str, wrong: str) -> None:
    assert right in RESULT
    own = _prover(_contract(RESULT.replace(right, wrong)))
    assert _cases(own).verdict is not PROVED


@pytest.mark.quick_cases(
    "cmp #1/beq @one/bcs @two/inc m/rts/@one: pha/pla/rts/@two: ldx tmp/@l: inc m/dex/bne @l/rts"
)
@pytest.mark.parametrize(
    "code",
    [
        CODE.replace("asl m/rts", "stx m/rts"),  # of what is no input
        CODE.replace("inc m/rts", "lda buf/sta m/rts"),  # reads it
        CODE.replace("asl m/rts", "inc buf/rts"),  # writes what has to stay
        CODE.replace("asl m/rts", "pha/pla/rts"),  # uses stack
        CODE.replace("asl m/rts", "jmp @one"),  # never ends
    ],
)
def test_code_that_breaks_the_contract_in_one_case_is_not_proved(code: str) -> None:
    head = HEAD if "pha" in code else HEAD.replace("stack: 0", "stack: 4")
    own = _prover(_contract("m <= 255", head), code)
    assert _cases(own).verdict is not PROVED


def test_two_runs_are_of_one_case_only_if_the_register_is_an_input() -> None:
    own = _prover(_contract("m <= 255"), CODE.replace("cmp #1", "cpx #1"))
    with pytest.raises(BadMapping, match="neither a register nor a byte that"):
        _cases(own, range(256), "X")


def test_contracts_of_which_cases_are_no_proof_are_refused() -> None:
    own = _prover(_contract())
    stated = own.contracts["cases"]
    with pytest.raises(BadMapping, match="cannot be proved case by case"):
        own.cases(replace(stated, secrets=stated.inputs[1:2]), "A", range(3))
    with pytest.raises(BadMapping, match="limits of cycles are reached"):
        own.cases(replace(stated, cycles=(0, None)), "A", range(3))


BYTE = "in: n m; requires: n <= 1; out: m; clobbers: A N Z; ensures: m == (old m + n) % 256"
BYTE_CODE = "lda n/beq @none/inc m/@none: rts"


@pytest.mark.parametrize(
    ("cycles", "values", "is_proved"),
    [
        ("12..16", range(2), True),
        ("12..15", range(2), False),
        ("13..16", range(2), False),
        ("12..16", range(1), False),
    ],
)
def test_cases_of_a_byte_keep_within_limits_of_cycles(
    cycles: str, values: Sequence[int], is_proved: bool
) -> None:
    own = _prover(f"{BYTE}; cycles: {cycles}", BYTE_CODE).with_options(ProofOptions(loose=True))
    heard: list[int] = []

    def callees(value: int) -> Sequence[Proof]:
        heard.append(value)
        return ()

    proof = own.cases(own.contracts["cases"], "n", values, callees=callees)
    assert (proof.verdict is PROVED) == is_proved, proof.findings
    assert heard == list(values)


BY_CASE = (
    "in: A tmp; requires: A <= 1; out: X; clobbers: A N V Z C; stack: 0; cycles: 8..14",
    "cmp #1/beq @one/ldx #5/rts/@one: ldx tmp/rts",
)
"""What X is depends on tmp in the second case only."""
PUT = ("in: Y; clobbers: tmp; stack: 0", "sty tmp/rts")


@pytest.mark.slow_cases(
    "m-lda #0/jsr put/jsr cases/rts-True", "Y m-and #1/jsr put/jsr cases/rts-False"
)
@pytest.mark.parametrize(
    ("inputs", "code", "is_proved"),
    [
        ("Y m", "lda #1/jsr put/jsr cases/rts", True),
        ("m", "lda #0/jsr put/jsr cases/rts", True),  # as its code is executed then
        ("m", "lda #1/jsr put/jsr cases/rts", False),
        ("Y m", "and #1/jsr put/jsr cases/rts", False),
    ],
)
def test_results_depend_on_what_they_do_in_any_case(
    inputs: str, code: str, is_proved: bool
) -> None:
    caller = Said(f"in: {inputs}; out: X; clobbers: A N V Z C tmp; stack: 2", code)
    others = {"cases": BY_CASE, "put": PUT}
    own = Prover(
        rom_of("6502", source("6502", replace(caller, others=others))), ProofOptions(loose=True)
    )
    assert own.routine("put").verdict is PROVED
    assert _cases(own, range(2)).verdict is PROVED
    proof = own.routine("it")
    (depends,) = (f for f in proof.findings if str(f.statement).startswith("depends on"))
    assert (depends.verdict is PROVED) == is_proved, proof.findings


def _timed(
    limits: Sequence[tuple[int, int]], caller: str, claim: str, whole: str = "12..16"
) -> tuple[Proof, Proof]:
    """The cases of a byte with limits of their own, and a caller that claims so many cycles."""
    said = Said(f"in: n m; out: n m; clobbers: A N Z; requires: n <= 1; cycles: {claim}", caller)
    own = _prover(f"{BYTE}; cycles: {whole}", BYTE_CODE, said).with_options(
        ProofOptions(loose=True)
    )
    proof = own.cases(own.contracts["cases"], "n", range(2), limits=lambda n: limits[n])
    return proof, own.routine("it")


OWN = [(12, 12), (16, 16)]
"""What each case takes."""
NONE, ONE, ANY = (f"{begin}jsr cases/rts" for begin in ("lda #0/sta n/", "lda #1/sta n/", ""))


@pytest.mark.slow_cases(
    "jsr cases/rts-24..28-True",
    "lda #0/sta n/jsr cases/rts-30..33-False",
    "lda #1/sta n/jsr cases/rts-29..29-False",
    "jsr cases/rts-28..28-False",
)
@pytest.mark.parametrize(
    ("caller", "claim", "is_proved"),
    [
        (NONE, "29..29", True),
        (ONE, "33..33", True),
        (ANY, "24..28", True),
        (NONE, "30..33", False),
        (ONE, "29..32", False),
        (ONE, "29..29", False),  # the other case's
        (ANY, "28..28", False),
        (ANY, "24..24", False),
    ],
)
def test_callers_know_the_limits_of_the_case_that_they_call(
    caller: str, claim: str, is_proved: bool
) -> None:
    cases, proof = _timed(OWN, caller, claim)
    assert cases.verdict is PROVED, cases.findings
    assert proof.lemmas == ("cases",)
    assert (proof.verdict is PROVED) == is_proved, proof.findings


@pytest.mark.parametrize(
    "limits", [[(12, 12), (16, 15)], [(13, 16), (16, 16)], [(16, 16), (12, 12)]]
)
def test_limits_that_a_case_does_not_keep_are_not_proved(limits: Sequence[tuple[int, int]]) -> None:
    cases, _ = _timed(limits, ANY, "24..28")
    assert cases.verdict is not PROVED


@pytest.mark.parametrize("limits", [[(11, 12), (16, 16)], [(12, 12), (16, 17)]])
def test_limits_of_a_case_beyond_those_of_the_whole_are_refused(
    limits: Sequence[tuple[int, int]],
) -> None:
    with pytest.raises(BadMapping, match="other limits of cycles"):
        _timed(limits, ANY, "24..28")


LISTS = "in: n; requires: n <= 1; out: m buf; clobbers: tmp A N Z"
LISTED = ("in: n; out: m; clobbers: tmp A N Z", "in: n; out: m buf; clobbers: A N Z")
LISTS_CODE = "lda n/beq @none/sta buf/sta m/rts/@none: sta tmp/sta m/rts"
"""Of 0 only m is given back, and tmp lost; of 1 both m and buf are given back."""


def _listed(told: Sequence[str], code: str = LISTS_CODE) -> Proof:
    own = _prover(LISTS, code)

    def lists(value: int) -> Contract:
        text = "".join(f"\n; {line.strip()}" for line in told[value].split(";"))
        return own.contract(f";; cases – of one value.{text}\n", "cases")

    return own.cases(own.contracts["cases"], "n", range(2), lists=lists)


def test_a_case_may_list_less_memory() -> None:
    proof = _listed(LISTED)
    assert proof.verdict is PROVED, proof.findings


@pytest.mark.parametrize(
    "code",
    [
        LISTS_CODE.replace("sta tmp/sta m/rts", "sta tmp/sta buf/sta m/rts"),  # writes what is left
        LISTS_CODE.replace("sta tmp", "lda tmp"),  # reads what is no input
        LISTS_CODE.replace("sta buf/sta m/rts", "sta tmp/sta m/rts"),  # of the other case
        LISTS_CODE.replace("sta tmp/sta m", "ldx tmp/stx m"),
    ],
)
def test_code_that_does_more_than_a_case_lists_is_not_proved(code: str) -> None:
    assert _listed(LISTED, code).verdict is not PROVED


@pytest.mark.parametrize(
    "told",
    [
        "in: n m; out: m; clobbers: tmp A N Z",  # an input that the whole has not
        "in: n; out: m tmp; clobbers: A N Z",  # gives back what the whole loses
        "in: n; out: m; clobbers: buf A N Z",  # loses what the whole gives back
        "in: n; out: m arr; clobbers: A N Z",  # writes what the whole does not
        "in: n; out: m; clobbers: A X N Z",  # another register
        "in: n; out: m A; clobbers: tmp N Z",  # a register that the whole loses
    ],
)
def test_lists_of_which_a_case_is_no_proof_are_refused(told: str) -> None:
    with pytest.raises(BadMapping, match="lists places that the whole does not"):
        _listed((told, LISTED[1]))


def test_what_a_case_rests_on_is_part_of_it() -> None:
    own = _prover(BYTE, BYTE_CODE)
    wrong = own.routine("cases", replace(own.contracts["cases"], requires=()))
    assert wrong.verdict is not PROVED
    proof = own.cases(own.contracts["cases"], "n", range(2), callees=lambda value: [wrong])
    assert proof.verdict is not PROVED


Next = tuple[str, Mapping[str, Any]]


def _stages(value: int, wrong: int | None = None) -> Mapping[str, Stage]:
    def begin(n: Any, m: Any) -> Next:
        if value == 2:
            return "cases@l", {"x": n, "m": m}
        after = m + 1 if value == 0 else m * 2
        return "return", {"m": after + (value == wrong) & 0xFF}

    def turn(x: Any, m: Any) -> Next:
        after = m + 1 + (value == wrong) & 0xFF
        if x == 1:
            return "return", {"m": after}
        return "cases@l", {"x": x - 1, "m": after}

    loop = {"cases@l": Stage({"x": "x", "m": "m"}, turn)} if value == 2 else {}
    return {"": Stage({"n": "tmp", "m": "m"}, begin), **loop}


@pytest.mark.slow
@pytest.mark.parametrize("wrong", [None, 0, 1, 2])
def test_a_model_of_each_case(wrong: int | None) -> None:
    own = _prover(_contract())
    stated = own.contracts["cases"]
    proof = own.cases(stated, "A", range(3), lambda value: _stages(value, wrong), {"m": "m"})
    assert (proof.verdict is PROVED) == (wrong is None), proof.findings
