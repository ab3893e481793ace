"""The rule for banks: what is in one is known only while none is brought in sight.

A proof has an address space with some of a program's banks in it. A register of a mapper is a port
that lies where the program has code or read-only data. A routine that may write one may bring
another bank in sight, before or after anything else that it does; so nothing is known of it if it
executes or reads a byte where another bank has something, itself or in what it calls. What it may
write is what its contract lists: that it writes nothing else is proved, and where it is not, that
is refuted. Runs do not decide either: they have the same address space.
"""

from __future__ import annotations

from romproof.contract.model import Contract
from romproof.contract.ports import volatile_addresses
from romproof.prover.explore import Exploration
from romproof.prover.program import Program
from romproof.symbolic.execute.events import Unfinished


def bank_registers(program: Program, contract: Contract) -> frozenset[int]:
    """The registers of mappers that a routine may write, in a program with a bank that is not in
    sight."""
    if not program.rom.memory_map.left_out:
        return frozenset()
    ports = volatile_addresses(contract, program.abi)
    written = ports & contract.written_addresses
    return frozenset(address for address in written if program.is_fixed[address & 0xFFFF])


def check_banks(program: Program, exploration: Exploration) -> None:
    """Raise Unfinished for a routine that may switch banks, and uses what is in one."""
    registers = bank_registers(program, exploration.start.contract)
    if not registers:
        return
    used = exploration.constants & program.hidden
    if used:
        where = ", ".join(f"${address:04X}" for address in sorted(registers))
        raise Unfinished(
            f"is in a bank, and what is written to {where} may bring another one in sight",
            min(used),
        )
