"""Models that go from place to place, and near misses of them: those must not be proved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from claims import PROVED, Said, few_runs, rom_of, source

from romproof.prover.prover import Prover
from romproof.prover.refinement.stages import Asked, Stage, run
from romproof.prover.results import Proof
from romproof.prover.states.model_places import BadMapping

pytest.importorskip("z3", reason="proofs need it")

NM = {"n": "tmp", "m": "m"}
SUM = Said(
    "in: tmp m; requires: tmp in 1..9; out: tmp m; clobbers: A N V Z C; "
    "invariant: @l: tmp in 1..9; decreases: @l: tmp",
    "@l: clc/lda m/adc tmp/sta m/dec tmp/bne @l/rts",
)
"""To m the numbers from tmp to 1 are added."""
SUM_SM83 = Said(
    "in: tmp m; requires: tmp in 1..9; out: tmp m; clobbers: A BC F; "
    "invariant: .l: B in 1..9; decreases: .l: B",
    "ldh a, [tmp]/ld b, a/ldh a, [m]/.l/add b/dec b/jr nz, .l/ldh [m], a/ld a, b/ldh [tmp], a/ret",
)

Model = Callable[..., tuple[str, Mapping[str, Any]]]


@pytest.fixture(autouse=True)
def _few() -> Iterator[None]:
    with few_runs():
        yield


def _begin(n: Any, m: Any) -> tuple[str, Mapping[str, Any]]:
    return "it@l", {"n": n, "m": m}


def _turn(n: Any, m: Any) -> tuple[str, Mapping[str, Any]]:
    after = {"n": n - 1, "m": m + n & 0xFF}
    return ("return" if n == 1 else "it@l"), after


def _prover(cpu: str, said: Said) -> tuple[Prover, Proof]:
    own = Prover(rom_of(cpu, source(cpu, said)))
    for name in said.others or ():
        own.routine(name, exact=False)
    return own, own.routine("it")


def _sum(turn: Model, begin: Model = _begin) -> Proof:
    own, contract = _prover("6502", SUM)
    assert contract.verdict is PROVED
    return own.simulates({"": Stage(NM, begin), "it@l": Stage(NM, turn)}, NM)


def test_each_iteration_is_a_stage() -> None:
    proof = _sum(_turn)
    assert proof.verdict is PROVED, proof.findings
    assert proof.runs
    assert proof.all_inputs
    stages = {"": Stage(NM, _begin), "it@l": Stage(NM, _turn)}
    assert run(stages, {"n": 4, "m": 250}) == {"n": 0, "m": 4}


@pytest.mark.slow
def test_on_the_other_cpu_values_are_in_registers() -> None:
    own, contract = _prover("sm83", SUM_SM83)
    assert contract.verdict is PROVED

    def begin(n: Any, m: Any) -> tuple[str, Mapping[str, Any]]:
        return "it.l", {"left": n, "sum": m}

    def turn(left: Any, sum: Any) -> tuple[str, Mapping[str, Any]]:
        if left == 1:
            return "return", {"n": 0, "m": sum + 1 & 0xFF}
        return "it.l", {"left": left - 1, "sum": sum + left & 0xFF}

    stages = {"": Stage(NM, begin), "it.l": Stage({"left": "b", "sum": "a"}, turn)}
    assert own.simulates(stages, NM).verdict is PROVED


def _wrong_value(n: Any, m: Any) -> tuple[str, Mapping[str, Any]]:
    where, after = _turn(n, m)
    return where, {**after, "m": after["m"] ^ (n == 7)}


def _wrong_once(n: Any, m: Any) -> tuple[str, Mapping[str, Any]]:
    where, after = _turn(n, m)
    return where, {**after, "n": n - 1 if n > 1 else 1}


def _ends_early(n: Any, m: Any) -> tuple[str, Mapping[str, Any]]:
    return ("return" if n <= 2 else "it@l"), _turn(n, m)[1]


def _never_ends(n: Any, m: Any) -> tuple[str, Mapping[str, Any]]:
    return "it@l", _turn(n, m)[1]


def _raises(n: Any, m: Any) -> tuple[str, Mapping[str, Any]]:
    if n == 8:
        raise ValueError
    return _turn(n, m)


@pytest.mark.quick_cases("_raises")
@pytest.mark.parametrize("turn", [_wrong_value, _wrong_once, _ends_early, _never_ends, _raises])
def test_a_stage_that_is_wrong_for_some_value_is_not_proved(turn: Model) -> None:
    assert _sum(turn).verdict is not PROVED


@pytest.mark.slow
def test_a_wrong_beginning_is_refuted_by_an_input() -> None:
    proof = _sum(_turn, lambda n, m: ("it@l", {"n": n, "m": m | (n == 9)}))
    (wrong,) = [each for each in proof.findings if each.verdict is not PROVED]
    assert wrong.example is not None
    assert wrong.replayed is True


def test_a_place_without_a_stage_is_named() -> None:
    own, _ = _prover("6502", SUM)
    with pytest.raises(BadMapping, match="no stage for"):
        own.simulates({"": Stage(NM, _begin)}, NM)
    with pytest.raises(BadMapping, match="goes to 'it@m'"):
        own.simulates({"": Stage(NM, lambda n, m: ("it@m", {})), "it@l": Stage(NM, _turn)}, NM)
    with pytest.raises(BadMapping, match="where n, m is taken"):
        own.simulates({"": Stage(NM, lambda n, m: ("it@l", {})), "it@l": Stage(NM, _turn)}, NM)


def test_nothing_rests_on_a_contract_that_is_not_proved() -> None:
    broken = Said(
        "in: tmp m; requires: tmp in 1..9; out: tmp m; clobbers: A N Z C; "
        "invariant: @l: tmp in 1..9; decreases: @l: tmp",
        SUM.code,
    )
    own, contract = _prover("6502", broken)
    assert contract.verdict is not PROVED
    proof = own.simulates({"": Stage(NM, _begin), "it@l": Stage(NM, _turn)}, NM)
    assert proof.verdict is not PROVED
    assert "relies on the contract" in proof.findings[0].detail


# ---------------------------------------------------------------- what is asked

CALLS = Said(
    "in: tmp; out: m; clobbers: callees, A N Z",
    "lda tmp/eor #1/jsr half/eor #$80/sta m/rts",
    others={"half": ("in: A; out: A; clobbers: N Z C", "lsr a/rts")},
)


def _half(value: Any) -> Mapping[str, Any]:
    return {"half": value >> 1}


def _asking(
    said: Said = CALLS,
    question: Model | Callable[..., Any] = lambda n: {"value": n ^ 1},
    model: Model = lambda n, half: ("return", {"m": half ^ 0x80}),
    given: Mapping[str, str] | None = None,
    answer: Mapping[str, str] | None = None,
    function: Callable[..., Any] = _half,
    taken: Mapping[str, str] | None = None,
) -> Proof:
    own, contract = _prover("6502", said)
    assert contract.verdict is PROVED, contract.findings
    asked = Asked("half", question, given or {"value": "a"}, answer or {"half": "a"}, function)
    return own.simulates({"": Stage(taken or {"n": "tmp"}, model, asked)}, {"m": "m"})


@pytest.mark.slow
def test_what_a_callee_gives_is_a_function_of_its_inputs() -> None:
    assert _asking().verdict is PROVED


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "model"),
    [
        (lambda n: {"value": n}, lambda n, half: ("return", {"m": half ^ 0x80})),
        (lambda n: {"value": n ^ 1}, lambda n, half: ("return", {"m": half})),
        # true of the callee, but not of what its contract says
        (lambda n: {"value": n ^ 1}, lambda n, half: ("return", {"m": n >> 1 ^ 0x80})),
    ],
)
def test_another_question_or_another_use_is_not_proved(question: Model, model: Model) -> None:
    assert _asking(question=question, model=model).verdict is not PROVED


@pytest.mark.slow
def test_a_function_that_is_not_the_callees_is_found_by_running_it() -> None:
    proof = _asking(function=lambda value: {"half": value >> 1 | 1})
    assert proof.verdict is not PROVED
    assert any("executed" in str(each.statement) for each in proof.findings)


def test_what_a_callee_may_leave_as_it_was_is_no_answer() -> None:
    some = Said(
        "in: tmp; out: m; clobbers: callees, A N Z",
        "lda #0/sta m/lda tmp/jsr half/rts",
        others={"half": ("in: A; out: m; clobbers: N Z C", "cmp #0/beq @e/sta m/@e: rts")},
    )
    with pytest.raises(BadMapping, match="unwritten"):
        _asking(
            some,
            lambda n: {"value": n},
            lambda n, half: ("return", {"m": half}),
            answer={"half": "m"},
        )


def test_all_inputs_of_a_callee_have_to_be_asked() -> None:
    two = Said(
        "in: tmp ptr[1]; out: m; clobbers: callees, A N Z",
        "lda tmp/jsr half/sta m/rts",
        others={"half": ("in: A ptr[1]; out: A; clobbers: N Z C", "eor ptr/lsr a/rts")},
    )
    with pytest.raises(BadMapping, match="depend on more"):
        _asking(two, lambda n: {"value": n}, lambda n, half: ("return", {"m": half}))


def test_it_has_to_be_one_call() -> None:
    twice = Said(CALLS.contract, "lda tmp/jsr half/jsr half/sta m/rts", others=CALLS.others)
    with pytest.raises(BadMapping, match="2 of its calls"):
        _asking(twice)


def test_a_block_behind_a_pointer_cannot_be_asked() -> None:
    """What the callee gives depends on the block, which a question about the pointer leaves out."""
    reads = Said(
        "in: arr[1]; out: m; clobbers: callees, ptr[2] A Y N Z",
        "lda #<arr/sta ptr/lda #>arr/sta ptr+1/jsr half/sta m/rts",
        others={
            "half": (
                "in: ptr src; pointer: ptr -> src[1]; out: A; clobbers: Y N Z",
                "ldy #0/lda (ptr),y/rts",
            )
        },
    )
    with pytest.raises(BadMapping, match="block behind a pointer"):
        _asking(
            reads,
            lambda n: {"value": 0},
            lambda n, half: ("return", {"m": half}),
            given={"value": "ptr:little"},
            taken={"n": "arr"},
        )
