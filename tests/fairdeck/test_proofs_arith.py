"""What is proved of long arithmetic; the model is Python's own operator."""

from __future__ import annotations

import pytest

from fairdeck.proofs import arith
from fairdeck.proofs.statement import Statement
from romproof.prove.results import Verdict
from romproof.prove.routine import Options

STATEMENTS = {statement.name: statement for statement in arith.statements()}


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_statements_are_proved(statement: Statement) -> None:
    pytest.importorskip("z3", reason="proofs need z3")
    proof = statement.prove(Options())
    assert proof.verdict is Verdict.PROVED, proof.findings
    assert proof.cycles is not None
    assert proof.cycles.least is not None
    assert proof.cycles.most is not None
    assert proof.cycles.least < proof.cycles.most
