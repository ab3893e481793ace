"""What is memory for one routine and a port for another; ports in constants, arrays and blocks."""

from __future__ import annotations

from types import ModuleType

import ports_in_calls
import ports_in_memory
import ports_of_callees
import pytest
from claims import Said, cases, proofs_of, told
from port_programs import Ports

from romproof.text.cause import Cause

TABLES = (ports_of_callees, ports_in_memory, ports_in_calls)


def _said(kind: str) -> list[dict[str, dict[str, Said]]]:
    return [
        {cpu: {name: each.said for name, each in some.items()} for cpu, some in table.items()}
        for module in TABLES
        for table in [getattr(module, kind)]
    ]


@pytest.mark.parametrize(("cpu", "said"), cases(*_said("FALSE"), *_said("TRUE")))
def test_claims_on_ports(cpu: str, said: Said) -> None:
    pytest.importorskip("z3", reason="what is asked of these routines needs it")
    proof = proofs_of(cpu, said)["it"]
    assert proof.verdict in said.verdicts, told(proof)
    assert not any(Cause.PROVER_FAULT in each.causes for each in proof.findings), told(proof)


@pytest.mark.parametrize("cpu", ["6502", "sm83"])
@pytest.mark.parametrize("table", TABLES, ids=lambda each: each.__name__)
def test_runs_show_what_is_right(table: ModuleType, cpu: str) -> None:
    false: dict[str, Ports] = table.FALSE[cpu]
    assert [name for name, each in false.items() if each.keeps(cpu)] == []
    true: dict[str, Ports] = table.TRUE[cpu]
    assert [name for name, each in true.items() if not each.keeps(cpu)] == []
