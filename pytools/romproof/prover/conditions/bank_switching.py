"""The rule for banks: what is in one is known only while none is brought in sight.

The argument stands in the head page: ``romproof.prover.conditions``.
"""

from __future__ import annotations

from romproof.contract.nouns.model import Contract
from romproof.contract.nouns.ports import volatile_addresses
from romproof.prover.exploration.explore import Exploration
from romproof.prover.states.program import ProofProgram
from romproof.symbolic.execute.events import DeadEnd, Unfinished
from romproof.text.cause import Cause

_ANYTHING = 0x200
"""On a 6502, the first address behind zero page and stack."""


def bank_registers(program: ProofProgram, contract: Contract) -> frozenset[int]:
    """The registers of mappers that a routine may write, in a program with a bank that is not in
    sight."""
    if not program.rom.memory_map.left_out:
        return frozenset()
    ports = volatile_addresses(contract, program.abi) - volatile_addresses(None, program.abi)
    written = ports & contract.written_addresses
    return frozenset(address for address in written if _may_be_one(program, address))


def _may_be_one(program: ProofProgram, address: int) -> bool:
    """Whether a port may be a register of a mapper: it lies where the program has what stays as it
    is, or where it has nothing and a board may have anything."""
    if program.is_fixed[address & 0xFFFF]:
        return True
    if program.abi.ram:  # where RAM is, is known of this machine, and so where its mappers are
        return False
    is_variable = any(s.run <= address < s.run + s.size for s in program.image.segments)
    return address >= _ANYTHING and not is_variable


def check_banks(program: ProofProgram, exploration: Exploration) -> None:
    """Raise Unfinished for a routine that may switch banks, and uses what is in one."""
    registers = bank_registers(program, exploration.start.contract)
    if not registers:
        return
    used = exploration.constants & program.hidden
    if used:
        named = tuple(f"${address:04X}" for address in sorted(registers))
        raise Unfinished(Cause.BANK_SWITCH, DeadEnd.BANK_SWITCH(registers=named), min(used))
