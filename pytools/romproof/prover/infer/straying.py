"""Runs that touch what a contract does not list."""

from __future__ import annotations

from collections.abc import Collection

from romproof.isa.microcode import Kind
from romproof.prover.case import WRITES, Case
from romproof.prover.infer.draft import Draft
from romproof.prover.replay import Inputs, Run


def strays(
    case: Case, draft: Draft, given: Inputs, done: Run, read_by_others: Collection[int]
) -> bool:
    """Whether a run touches memory that the contract does not list, or reads from ROM what is in
    none of the routine's tables and what no other run reads."""
    contract, fixed = case.contract, case.program.is_fixed
    reads, writes = contract.input_addresses, contract.written_addresses
    base = given.registers[case.program.cpu.stack] + case.abi.stack_base
    room = range(base - (contract.stack or 0), base + case.start.abi.return_size)
    known: set[int] = set()
    for kind, address in done.touched:
        if address in room:
            continue
        if kind in WRITES:
            if kind is Kind.WRITE and address not in writes:
                return True
            known.add(address)
        elif kind is Kind.READ and not fixed[address]:
            if address not in reads and address not in known:
                return True
        elif kind is Kind.READ and draft.tables and address not in read_by_others:
            strange = not any(table.has(address) for table in draft.tables)
            if strange:
                return True
    return False
