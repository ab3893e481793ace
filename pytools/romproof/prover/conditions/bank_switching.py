"""The rule for banks: what is in one is known only while none is brought in sight.

A proof has an address space with some of a program's banks in it. A register of a mapper is a port
that lies where the program has code or read-only data, or on a 6502 where it has nothing, and that
is none of the machine's own. A routine that may write one may bring
another bank in sight, before or after anything else that it does; so nothing is known of it if it
executes or reads a byte where another bank has something, itself or in what it calls. What it may
write is what its contract lists: that it writes nothing else is proved, and where it is not, that
is refuted. Runs do not decide either: they have the same address space.
"""

from __future__ import annotations

from romproof.contract.nouns.model import Contract
from romproof.contract.nouns.ports import volatile_addresses
from romproof.prover.exploration.explore import Exploration
from romproof.prover.states.program import Program
from romproof.symbolic.execute.events import Unfinished
from romproof.text.cause import Cause

_ANYTHING = 0x200
"""On a 6502, the first address behind zero page and stack."""


def bank_registers(program: Program, contract: Contract) -> frozenset[int]:
    """The registers of mappers that a routine may write, in a program with a bank that is not in
    sight."""
    if not program.rom.memory_map.left_out:
        return frozenset()
    ports = volatile_addresses(contract, program.abi) - volatile_addresses(None, program.abi)
    written = ports & contract.written_addresses
    return frozenset(address for address in written if _may_be_one(program, address))


def _may_be_one(program: Program, address: int) -> bool:
    """Whether a port may be a register of a mapper: it lies where the program has what stays as it
    is, or where it has nothing and a board may have anything."""
    if program.is_fixed[address & 0xFFFF]:
        return True
    if program.abi.ram:  # where RAM is, is known of this machine, and so where its mappers are
        return False
    is_variable = any(s.run <= address < s.run + s.size for s in program.image.segments)
    return address >= _ANYTHING and not is_variable


def check_banks(program: Program, exploration: Exploration) -> None:
    """Raise Unfinished for a routine that may switch banks, and uses what is in one."""
    registers = bank_registers(program, exploration.start.contract)
    if not registers:
        return
    used = exploration.constants & program.hidden
    if used:
        where = ", ".join(f"${address:04X}" for address in sorted(registers))
        raise Unfinished(
            Cause.BANK_SWITCH,
            f"is in a bank, and a write to {where} may switch to another bank",
            min(used),
        )
