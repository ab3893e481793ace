"""Contracts of inner calls, checked while a program runs."""

from __future__ import annotations

import pytest

from romproof.contract.checks.nested_calls import ContractWatcher, InnerViolation
from romproof.contract.nouns.model import Contract
from romproof.engine.py65_engine import Py65Engine
from romproof.isa.abi import MOS6502
from romproof.text.span import Source, Span

A = MOS6502.registers[0]
N, _, _, _, Z, _ = MOS6502.flags
START, END = 0x0200, 0x0300
INNER, OTHER = 0x0400, 0x0500
SPAN = Span(Source("a.s", ""), 1, 1)


def _contract(name: str, cycles: tuple[int, int | None] | None, stack: int | None = 0) -> Contract:
    return Contract(name, "", (), (A,), (N, Z), stack, cycles, SPAN)


def _found(
    code: dict[int, str], contracts: dict[int, Contract]
) -> tuple[list[InnerViolation], Py65Engine]:
    engine = Py65Engine()
    for address, text in code.items():
        data = bytes.fromhex(text)
        engine.memory[address : address + len(data)] = data
    engine.registers.pc = START
    watcher = ContractWatcher(engine, contracts, lambda address: f"<{address:04X}>")
    engine.run((END,), 10_000, watcher)
    assert engine.registers.pc == END
    return watcher.violations, engine


def test_cycles_run_from_entry_to_rts_inclusive() -> None:
    code = {START: "200004 4c0003", INNER: "a901 60"}  # jsr inner; jmp end | lda #1; rts
    assert _found(code, {INNER: _contract("inner", (8, 8))})[0] == []
    found, _ = _found(code, {INNER: _contract("inner", (1, 7))})
    assert [f.violation.sentence for f in found] == ["the call took 8 cycles; the claim is 1..7"]
    assert found[0].site == START


@pytest.mark.parametrize(("claim", "fails"), [(2, False), (1, True)])
def test_the_stack_of_callees_counts(claim: int, fails: bool) -> None:
    code = {START: "200004 4c0003", INNER: "200005 60", OTHER: "60"}
    contracts = {INNER: _contract("inner", None, claim), OTHER: _contract("other", None, 0)}
    found, _ = _found(code, contracts)
    assert [f.contract.name for f in found] == (["inner"] if fails else [])


def test_recursion_is_checked_at_every_depth() -> None:
    # inner: lda $10; beq +5; dec $10; jsr inner; rts
    code = {START: "200004 4c0003", INNER: "a510 f005 c610 200004 60", 0x10: "03"}
    found, engine = _found(code, {INNER: _contract("inner", (12, None), 6)})
    assert engine.memory[0x10] == 0
    assert {f.violation.sentence.split(" must")[0] for f in found} == {"memory <0010>"}
    assert len(found) == 1, "the first violation of a routine is enough"


def test_a_routine_that_drops_its_return_address_is_not_checked() -> None:
    code = {START: "200004 ea 4c0003", INNER: "200005 a2ff 60", OTHER: "68 68 a201 60"}
    found, engine = _found(code, {OTHER: _contract("other", (0, 1))})
    assert found == []
    assert engine.registers.x == 1


def test_a_tail_call_belongs_to_the_caller() -> None:
    code = {START: "200004 4c0003", INNER: "4c0005", OTHER: "a207 60"}
    contracts = {INNER: _contract("inner", None), OTHER: _contract("other", None)}
    found, _ = _found(code, contracts)
    assert [f.contract.name for f in found] == ["inner"]
    assert "X must come back" in found[0].violation.sentence
