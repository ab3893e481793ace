"""Models whose values the machine has in another form, and what holds in all of their places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from claims import PROVED, Said, few_runs, rom_of, source

from romproof.prover.prover import Prover
from romproof.prover.refinement.abstraction import AbstractValues, abstract
from romproof.prover.refinement.stages import Stage, run
from romproof.prover.results import Proof
from romproof.prover.states.model_places import BadMapping
from romproof.symbolic.numbers.model_run import Path
from romproof.symbolic.terms import term as t

pytest.importorskip("z3", reason="proofs need it")

Next = tuple[str, Mapping[str, Any]]
Means = Callable[..., Mapping[str, Any]]

NM = {"n": "tmp", "m": "m"}
SUM = Said(
    "in: tmp m; requires: tmp in 1..9; out: tmp m; clobbers: A N V Z C; "
    "invariant: @l: tmp in 1..9; decreases: @l: tmp",
    "@l: clc/lda m/adc tmp/sta m/dec tmp/bne @l/rts",
)
"""To m the numbers from tmp to 1 are added."""

HEAD = """\
        .segment "ZEROPAGE"
tmp:    .res 1
arr:    .res 6
tail:   .res 1
        .exportzp tmp, arr, tail
        .segment "CODE"
"""
STEPS = Said(
    "in: tmp; out: A; clobbers: X N V Z C arr[6]; invariant: @l: X <= 4; decreases: @l: 5 - X",
    "lda tmp/sta arr/clc/adc #3/sta arr+1/clc/adc #3/sta arr+2/clc/adc #3/sta arr+3/"
    "clc/adc #3/sta arr+4/clc/adc #3/sta arr+5/ldx #0/@l: inx/cpx #5/bne @l/lda arr,x/rts",
    head=HEAD,
)
"""Each byte of an array is 3 more than the one before; the last one is the result."""
TURN = "all j in 0..4: arr[j + 1] == (arr[j] + 3) & 255"


@pytest.fixture(autouse=True)
def _few() -> Iterator[None]:
    with few_runs():
        yield


# ---------------------------------------------------------------- what values mean


def _still(n: Any) -> Mapping[str, Any]:
    return {"done": 9 - n}


def _begin(n: Any, m: Any) -> Next:
    return "it@l", {"done": 9 - n, "m": m}


def _turn(done: Any, m: Any) -> Next:
    after = m + 9 - done & 0xFF
    if done == 8:
        return "return", {"n": 0, "m": after}
    return "it@l", {"done": done + 1, "m": after}


def _sum(means: Means, turn: Callable[..., Next] = _turn) -> Proof:
    own = Prover(rom_of("6502", source("6502", SUM)))
    assert own.routine("it").verdict is PROVED
    return own.simulates({"": Stage(NM, _begin), "it@l": Stage(NM, turn, means=means)}, NM)


def test_a_model_may_count_up_where_the_machine_counts_down() -> None:
    proof = _sum(_still)
    assert proof.verdict is PROVED, proof.findings
    assert proof.all_inputs
    stages = {"": Stage(NM, _begin), "it@l": Stage(NM, _turn, means=_still)}
    assert run(stages, {"n": 4, "m": 250}) == {"n": 0, "m": 4}


def _off_by_one(n: Any) -> Mapping[str, Any]:
    return {"done": 8 - n if n < 9 else 0}


def _other_end(n: Any) -> Mapping[str, Any]:
    return {"done": n}


def _forgetful(n: Any) -> Mapping[str, Any]:
    return {"done": 0 * n}


def _wrong_once(n: Any) -> Mapping[str, Any]:
    return {"done": 9 - n + (n == 5)}


def _raises(n: Any) -> Mapping[str, Any]:
    if n == 3:
        raise ValueError
    return _still(n)


def test_a_way_that_cannot_be_taken_hides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """That nobody takes it may be found only when it is asked about in earnest."""

    def with_another_way(stage: Stage, *arguments: Any) -> AbstractValues:
        found = abstract(stage, *arguments)
        nobody = Path((t.FALSE,), None, ValueError())
        return found if stage.means is None else replace(found, errors=(nobody,))

    asked = {str(finding.statement) for finding in _sum(_still).findings}
    monkeypatch.setattr("romproof.prover.refinement.simulation.abstract", with_another_way)
    proof = _sum(_still)
    assert proof.verdict is PROVED
    assert {str(finding.statement) for finding in proof.findings} >= asked


@pytest.mark.quick_cases("_raises")
@pytest.mark.parametrize("means", [_off_by_one, _other_end, _forgetful, _wrong_once, _raises])
def test_what_the_machine_does_not_mean_is_not_proved(means: Means) -> None:
    assert _sum(means).verdict is not PROVED


def _too_much(done: Any, m: Any) -> Next:
    where, after = _turn(done, m)
    return where, {**after, "m": after["m"] ^ (done == 8)}


def _too_far(done: Any, m: Any) -> Next:
    where, after = _turn(done, m)
    return where, {**after, "done": done + 1 + (done == 2)} if where != "return" else after


@pytest.mark.slow_cases("_too_much")
@pytest.mark.parametrize("turn", [_too_much, _too_far])
def test_a_stage_that_is_wrong_for_a_meant_value_is_not_proved(turn: Callable[..., Next]) -> None:
    assert _sum(_still, turn).verdict is not PROVED


def test_what_cannot_be_meant_is_said() -> None:
    own = Prover(rom_of("6502", source("6502", SUM)))
    assert own.routine("it").verdict is PROVED
    at = Stage(NM, _turn, means=_still)
    with pytest.raises(BadMapping, match="means= is not possible at the entry"):
        own.simulates({"": Stage(NM, _begin, means=_still), "it@l": at}, NM)
    with pytest.raises(BadMapping, match="which the stage does not take"):
        own.simulates({"": Stage(NM, _begin), "it@l": Stage({"m": "m"}, _turn, means=_still)}, NM)
    listed = Stage(NM, _turn, means=lambda n: {"done": [n]})
    with pytest.raises(BadMapping, match="must mean a number"):
        own.simulates({"": Stage(NM, _begin), "it@l": listed}, NM)


# ---------------------------------------------------------------- what always holds


def _first(n: Any) -> Next:
    return "it@l", {"value": n, "x": 0}


def _next(value: Any, x: Any) -> Next:
    after = value + 3 & 0xFF
    return ("return", {"a": after}) if x == 4 else ("it@l", {"value": after, "x": x + 1})


def _steps(always: str, at: Callable[..., Any], step: int = 3) -> Proof:
    own = Prover(rom_of("6502", source("6502", STEPS)))
    listed = own.contract(";; it – with what was filled.\n; in: tmp arr[6]", "it")
    contract = replace(own.contracts["it"], inputs=listed.inputs)
    assert own.routine("it", contract).verdict is PROVED

    def means(arr: Any, x: Any) -> Mapping[str, Any]:
        return {"value": arr[x], "x": x}

    def following(value: Any, x: Any) -> Next:
        where, after = _next(value + step - 3, x)
        return where, after

    stages = {
        "": Stage({"n": "tmp"}, _first),
        "it@l": Stage({"arr": "arr", "x": "x"}, following, means=means),
    }
    return own.simulates(stages, {"a": "a"}, always, at)


def _here(x: Any) -> Any:
    return x


def test_what_always_holds_is_shown_and_used() -> None:
    proof = _steps(TURN, _here)
    assert proof.verdict is PROVED, proof.findings
    assert any("always all j" in str(each.statement) for each in proof.findings)
    assert _steps("", _here).verdict is not PROVED, "without it nothing is known of the next byte"


@pytest.mark.quick_cases("all j in 0..5: arr[j + 1] == (arr[j] + 3) & 255")
@pytest.mark.parametrize(
    "always",
    [
        "all j in 0..4: arr[j + 1] == (arr[j] + 4) & 255",
        "all j in 0..4: arr[j] == (arr[j + 1] + 3) & 255",
        "all j in 0..5: arr[j + 1] == (arr[j] + 3) & 255",
        "all j in 0..3: arr[j + 1] == (arr[j] + 3) & 255",
        f"{TURN}, arr[0] == 0",
    ],
)
def test_what_does_not_hold_or_is_too_little_proves_nothing(always: str) -> None:
    assert _steps(always, _here).verdict is not PROVED


@pytest.mark.quick_cases("<lambda>2")
@pytest.mark.parametrize("at", [lambda x: x + 1, lambda: 0, lambda x: 4 - x])
def test_asked_of_another_number_it_proves_nothing(at: Callable[..., Any]) -> None:
    assert _steps(TURN, at).verdict is not PROVED


def test_a_wrong_step_is_not_proved_by_what_always_holds() -> None:
    assert _steps(TURN, _here, step=4).verdict is not PROVED


def test_what_is_asked_of_has_to_be_taken() -> None:
    with pytest.raises(BadMapping, match="which the stage does not take"):
        _steps(TURN, lambda y: y)


# ---------------------------------------------------------------- ways that met

KEPT = Said(
    "in: tmp; out: A; clobbers: X N V Z C arr[6]; invariant: @l: X <= 4; decreases: @l: 5 - X",
    "lda tmp/and #254/sta arr/sta arr+1/sta arr+2/sta arr+3/sta arr+4/sta arr+5/ldx #0/"
    "@l: inx/lda tmp/bmi @keep/lda #8/sta arr,x/@keep: cpx #5/bne @l/lda arr,x/rts",
    head=HEAD,
)
"""On one of two ways a byte is written, and after them there is one array or the other."""
AHEAD = "all j in 0..5: j > X -> arr[j] == (tmp & 254)"


def _kept(always: str, *, written: int = 8, other: int = 254) -> Proof:
    own = Prover(rom_of("6502", source("6502", KEPT)))
    listed = own.contract(";; it – with what was filled.\n; in: tmp arr[6]", "it")
    contract = replace(own.contracts["it"], inputs=listed.inputs)
    assert own.routine("it", contract).verdict is PROVED

    def begin(n: Any) -> Next:
        return "it@l", {"value": n & 254, "x": 0, "n": n}

    def means(arr: Any, x: Any) -> Mapping[str, Any]:
        return {"value": arr[x], "x": x}

    def turn(value: Any, x: Any, n: Any) -> Next:
        after = written if n < 128 else n & other
        return (
            ("return", {"a": after}) if x == 4 else ("it@l", {"value": after, "x": x + 1, "n": n})
        )

    stages = {
        "": Stage({"n": "tmp"}, begin),
        "it@l": Stage({"arr": "arr", "x": "x", "n": "tmp"}, turn, means=means),
    }
    return own.simulates(stages, {"a": "a"}, always, lambda x: x + 1)


def test_what_holds_on_each_of_two_ways_holds_where_they_met() -> None:
    proof = _kept(AHEAD)
    assert proof.verdict is PROVED, proof.findings


@pytest.mark.slow_cases("all j in 0..5: j >= X -> arr[j] == (tmp & 254)")
@pytest.mark.parametrize("always", [AHEAD.replace("j > X", "j >= X"), AHEAD.replace("254", "255")])
def test_what_fails_on_one_of_two_ways_is_not_proved(always: str) -> None:
    assert _kept(always).verdict is not PROVED


@pytest.mark.quick_cases("8-255")
@pytest.mark.parametrize(("written", "other"), [(9, 254), (8, 255), (8, 252)])
def test_a_model_that_is_wrong_on_one_of_two_ways_is_not_proved(written: int, other: int) -> None:
    assert _kept(AHEAD, written=written, other=other).verdict is not PROVED
