"""Predicates in calls and proofs: what fails is shown written out."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_programs import program_of

from romproof.contract.reading.parse import parse_contracts
from romproof.harness.errors import ContractViolation, RequirementBroken
from romproof.harness.rom import Rom
from romproof.program.image import Image
from romproof.prover.states.requires import with_requires
from romproof.text.diagnostic import BuildFailed

CPUS = pytest.mark.parametrize("cpu", ["6502", "sm83"])
LOAD = {"6502": "lda {}", "sm83": "ldh a, [{}]"}
FLAGS = {"6502": "N Z", "sm83": "none"}


def _image(cpu: str, folder: Path, which: str = "one", fields: str = "") -> Image:
    return program_of(
        cpu,
        folder,
        ";; predicate small(x, n): x < n, x != 3\n"
        ";; predicate sound: small(one, 50),\n"
        ";;   all j in 0..3: four[j] <= 4 (copies)\n\n"
        ";; go – gives one.\n; in: one four[4] ptr\n"
        "; requires: sound, ptr < 8 -> small(four[1], 2)\n"
        "; out: A\n; ensures: small(A, 50), ptr == 9 or small(A, one + 1)\n"
        f"; clobbers: {FLAGS[cpu]}\n{fields}"
        f"go:\n  {LOAD[cpu].format(which)}\n  RETURN\n",
    )


@CPUS
def test_a_call_that_a_predicate_forbids_is_not_made(cpu: str, tmp_path: Path) -> None:
    rom = Rom(_image(cpu, tmp_path))
    given = {"one": 7, "four": bytes(4), "ptr": bytes((9, 0))}
    assert rom.call("go", mem=given).a == 7
    for changed, told in (
        ({"one": 50}, "one < 50 (sound), but one is $32"),
        ({"one": 3}, "one != 3 (sound), but one is $03"),
        ({"four": bytes((0, 0, 9, 0))}, "<= 4 (sound), but j is 2, four[2] is $09"),
        (
            {"ptr": bytes(2), "four": bytes((0, 2, 0, 0))},
            "ptr < 8 -> small(four[1], 2) (small(four[1], 2): four[1] < 2, four[1] != 3), but ptr",
        ),
    ):
        with pytest.raises(RequirementBroken) as caught:
            rom.call("go", mem={**given, **changed})
        assert told in str(caught.value), str(caught.value)
        assert "; requires: sound, ptr < 8 -> small(four[1], 2)" in str(caught.value)


@CPUS
def test_a_broken_promise_is_shown_written_out(cpu: str, tmp_path: Path) -> None:
    rom = Rom(_image(cpu, tmp_path, "ptr"))
    given = {"one": 7, "four": bytes(4)}
    rom.call("go", mem={**given, "ptr": bytes((9, 0))})
    for value, told in (
        (60, "A < 50 (small(A, 50)), but A is $3C"),
        (8, "(small(A, one + 1): A <"),
    ):
        with pytest.raises(ContractViolation) as caught:
            rom.call("go", mem={**given, "ptr": bytes((value, 0))})
        assert told in str(caught.value), str(caught.value)


@CPUS
def test_proofs_rest_on_what_is_written_out(cpu: str, tmp_path: Path) -> None:
    pytest.importorskip("z3", reason="proofs need z3")
    from romproof.prover.results import Verdict
    from romproof.prover.routines.program_proof import prove_rom

    (proof,) = prove_rom(Rom(_image(cpu, tmp_path)))
    assert proof.verdict is Verdict.PROVED
    assert proof.assumed == (
        "one < 50 (sound)",
        "one != 3 (sound)",
        "all j in 0..3: four[j] <= 4 (sound)",
        "ptr < 8 -> small(four[1], 2) (small(four[1], 2): four[1] < 2, four[1] != 3)",
    )
    (proof,) = prove_rom(Rom(_image(cpu, tmp_path, "ptr")))
    assert proof.verdict is Verdict.REFUTED
    wrong = {str(each.statement) for each in proof.findings if each.verdict is Verdict.REFUTED}
    assert wrong == {
        "ensures A < 50 (small(A, 50))",
        "ensures A != 3 (small(A, 50))",
        "ensures ptr == 9 or small(A, one + 1) (small(A, one + 1): A < (one + 1), A != 3)",
    }


@CPUS
def test_conditions_of_tests_may_use_them(cpu: str, tmp_path: Path) -> None:
    image = _image(cpu, tmp_path)
    contract = parse_contracts(image)["go"]
    more = with_requires(contract, image, "small(one, 9)", "the test").requires
    assert [c.text for c in more[len(contract.requires) :]] == [
        "one < 9 (small(one, 9))",
        "one != 3 (small(one, 9))",
    ]
    with pytest.raises(BuildFailed, match="a predicate: did you mean 'sound'"):
        with_requires(contract, image, "soundd", "the test")
