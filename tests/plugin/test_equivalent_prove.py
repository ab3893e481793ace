"""@romproof.equivalent with --romproof-prove: proofs, and inputs that refute."""

from __future__ import annotations

import re
from typing import Any

import pytest
from equivalent_programs import ENGINES, MODEL, write
from equivalent_runs import pasted, run, told
from slow import slow_but

import romproof.pytest_plugin.proof as proof
from romproof.prover.catalogue import Property, Reason
from romproof.prover.refinement.equivalence import Equivalence
from romproof.prover.results import Example, Finding, Proof, Verdict
from romproof.text.cause import Cause

pytest.importorskip("z3")

PROVE = "--romproof-prove"


@pytest.mark.slow_cases("6502")
@pytest.mark.parametrize("cpu", slow_but(["6502"], ENGINES))
def test_a_routine_is_proved_to_be_its_model(pytester: pytest.Pytester, cpu: str) -> None:
    write(pytester.path, cpu)
    pytester.makepyfile(
        MODEL
        + """
from romproof import choose, word

def without_branches(lfsr):
    state = word(lfsr, "big")
    for _ in range(8):
        state = (state >> 1) ^ choose(state & 1, 0xA3000000, 0)
    return {"a": state >> 24, "lfsr": state.to_bytes(4, "big")}

@romproof.equivalent("next_byte", model, **LFSR)
def test_branches(): ...

@romproof.equivalent("next_byte", without_branches)
def test_choices(): ...

@romproof.equivalent("bump", lambda sum: sum + 1 & 0xFF)
def test_sum(): ...

@romproof.equivalent("bump", lambda sum: sum + 1, requires="sum < 255")
def test_words(): ...

@romproof.equivalent("bump", lambda sum: sum + 1, requires=lambda sum: sum != 255)
def test_function(): ...
"""
    )
    run(pytester, PROVE).assert_outcomes(passed=5)


@pytest.mark.slow_cases("6502")
@pytest.mark.parametrize("cpu", slow_but(["6502"], ENGINES))
def test_what_refutes_it_is_shown_as_a_test_to_paste(pytester: pytest.Pytester, cpu: str) -> None:
    write(pytester.path, cpu)
    pytester.makepyfile(
        MODEL
        + """
def wrong(state):
    top, state = model(state)
    return top, state + (state == 0x12345678)

@romproof.equivalent("next_byte", wrong, **LFSR)
def test_it(): ...
"""
    )
    run(pytester).assert_outcomes(passed=1)  # one in 4,294,967,296 is hard to find
    text = told(pytester, PROVE)
    assert "'next_byte' is not its model 'wrong':" in text
    assert "out lfsr:big: $12345678, the model says $12345679" in text
    pytester.makepyfile(test_pasted=pasted(text))
    for engine in {"plain", ENGINES[cpu]}:
        run(pytester, "test_pasted.py", "--romproof-engine", engine).assert_outcomes(failed=1)


def test_a_model_that_raises_is_told_of(pytester: pytest.Pytester) -> None:
    write(pytester.path, "6502")
    pytester.makepyfile(
        "import romproof\n\n"
        "@romproof.equivalent('bump', lambda sum: (sum + 1 & 0xFF) + 0 // (sum - 77))\n"
        "def test_it(): ...\n"
    )
    text = told(pytester, PROVE)
    assert "raises ZeroDivisionError" in text
    assert "in  sum: 4D" in text


def _proof(
    verdict: Verdict,
    detail: str,
    example: Example | None = None,
    inputs: tuple[Example, ...] = (),
    causes: tuple[Cause, ...] = (),
) -> Any:
    statement, reason = Property.PLACE_EQUALS_MODEL(place="sum"), Reason.GIVEN(text=detail)
    finding = Finding(statement, verdict, reason, example, causes=causes)

    def prove(*arguments: object, **options: object) -> Equivalence:
        assert options == {"timeout": 7.5}
        return Equivalence(Proof("bump", (finding,)), inputs)

    return prove


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (
            _proof(Verdict.UNKNOWN, "there was no time left for it", causes=(Cause.TIME,)),
            "  sum equals the model: unknown, there was no time left for it "
            "(see how-to/unknown#the-arithmetic-is-hard)\n",
        ),
        (
            _proof(Verdict.REFUTED, "sum is $01", Example({}, {}, {0x14: b"\0"}, {0x14: "sum"})),
            "  sum equals the model: refuted, sum is $01; but sum=[00], when executed, "
            "shows no difference\n",
        ),
    ],
)
def test_what_is_not_proved_fails(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, outcome: Any, expected: str
) -> None:
    monkeypatch.setattr(proof, "prove_equivalent", outcome)
    write(pytester.path, "6502")
    test = "import romproof\n\n@romproof.equivalent('bump', {}, examples=30)\ndef test_it(): ...\n"
    pytester.makepyfile(test.format("lambda sum: sum + 1 & 0xFF"))
    text = told(pytester, PROVE, "--romproof-prove-timeout", "7.5")
    assert text.startswith("'bump' is not proved to be its model:\n" + expected)
    assert text.endswith("  (random inputs, up to 30, show no difference)")
    # where random inputs show what is wrong, that is told
    pytester.makepyfile(test.format("lambda sum: 0"))
    text = told(pytester, PROVE, "--romproof-prove-timeout", "7.5")
    assert text.startswith("'bump' is not its model '<lambda>':\n")


def test_what_symbolic_numbers_cannot_do_is_said(pytester: pytest.Pytester) -> None:
    write(pytester.path, "6502")
    pytester.makepyfile(
        "import romproof\n\n"
        "@romproof.equivalent('bump', lambda sum: sum.bit_length() * 0 + (sum + 1 & 255))\n"
        "def test_it(): ...\n"
    )
    text = told(pytester, PROVE)
    assert "'bump' is not proved to be its model:" in text
    assert "bit_length() is not available for a symbolic number" in text


@pytest.mark.slow_cases("sm83")
@pytest.mark.parametrize("cpu", slow_but(["sm83"], ENGINES))
def test_what_is_proved_is_executed(pytester: pytest.Pytester, cpu: str) -> None:
    write(pytester.path, cpu)
    pytester.makepyfile(
        MODEL
        + """
@romproof.equivalent("next_byte", model, **LFSR)
def test_branches(): ...

@romproof.equivalent("bump", lambda sum: sum + 1 & 0xFF)
def test_sum(): ...
"""
    )
    result = run(pytester, PROVE)
    result.assert_outcomes(passed=2)
    text = result.stdout.str()
    assert "romproof: proved, and executed" in text
    # 256 calls, and those of the witness: all inputs, and a thousand with all else changed
    assert "test_sum: 'bump' is its model '<lambda>': 2,256 runs" in text
    counted = re.search(r"'next_byte' is its model 'model': ([\d,]+) runs", text)
    assert counted is not None
    assert int(counted[1].replace(",", "")) >= 1000


@pytest.mark.parametrize(
    ("model", "requires", "expected"),
    [
        ("lambda sum: 0", "None", "when executed,\n'bump' is not its model"),
        ("lambda sum: sum + 1", "lambda sum: sum > 9", "which is not allowed"),
    ],
)
def test_a_proof_that_is_wrong_is_told_as_our_fault(
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    model: str,
    requires: str,
    expected: str,
) -> None:
    inputs = (Example({}, {}, {0x14: b"\0"}, {0x14: "sum"}),)
    monkeypatch.setattr(proof, "prove_equivalent", _proof(Verdict.PROVED, "", None, inputs))
    write(pytester.path, "6502")
    pytester.makepyfile(
        "import romproof\n\n"
        f"@romproof.equivalent('bump', {model}, requires={requires})\ndef test_it(): ...\n"
    )
    text = told(pytester, PROVE, "--romproof-prove-timeout", "7.5")
    assert text.startswith(
        "'bump' is proved to be its model, but the proof is wrong, a bug in romproof: "
    )
    assert expected in text


@pytest.mark.quick_cases(
    "requires=nothing_said-which gives None: a 'return' is missing-how0",
    "requires=nothing_said-which gives None: a 'return' is missing-how1",
    "gives=()-is neither a name nor a tuple of names-how0",
    "examples=0-at least 1 has to be tried-how1",
)
@pytest.mark.parametrize("how", [(), (PROVE,)])
@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("requires=nothing_said", "which gives None: a 'return' is missing"),
        ("requires=lambda sum: 1 // (sum - 7) > -9", "raises ZeroDivisionError"),
        ("requires=lambda sum: 'yes'", "it must say True or False"),
        ("requires=lambda sum: sum > 255", "satisf"),
        ("requires=lambda sum: False, examples=5", "satisf"),
        ("gives=()", "is neither a name nor a tuple of names"),
        ("examples=0", "at least 1 has to be tried"),
    ],
)
def test_claims_that_say_nothing_are_errors(
    pytester: pytest.Pytester, how: tuple[str, ...], claim: str, expected: str
) -> None:
    write(pytester.path, "6502")
    pytester.makepyfile(
        "import romproof\n\ndef nothing_said(sum): sum != 3\n\n"
        f"@romproof.equivalent('bump', lambda sum: sum + 1 & 255, {claim})\n"
        "def test_it(): ...\n"
    )
    assert expected in told(pytester, *how)
