"""Which executed instructions were calls, returns and jumps: what follows a run needs to know."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from romproof.isa.flow import Flow
from romproof.isa.load import load


@dataclass(frozen=True)
class Transfers:
    """The flow of a CPU's instructions, by the first byte.

    The tables have an entry more, which -1 finds: what is not an instruction leads on.
    """

    flows: tuple[Flow, ...]
    sizes: tuple[int, ...]
    untaken: tuple[int, ...] = field(repr=False)
    """The cycles of a conditional call or return that does not take place; -1 for others."""
    least: tuple[int, ...] = field(repr=False)
    """The fewest cycles that an instruction takes; 0 for what is none."""
    halt: int | None = None
    """The instruction after which the CPU rests until an interrupt is requested."""

    def find_flow(self, byte: int, cycles: int) -> Flow:
        """Where an instruction that took ``cycles`` led; NEXT when its condition did not hold.

        A branch is a branch, whether taken or not.
        """
        return Flow.NEXT if self.untaken[byte] == cycles else self.flows[byte]


@cache
def transfers(cpu: str) -> Transfers:
    """The table of a CPU."""
    opcodes = load(cpu)[:256]
    return Transfers(
        (*(opcode.flow for opcode in opcodes), Flow.NEXT),
        (*(opcode.size for opcode in opcodes), 0),
        (
            *(
                opcode.cycles.minimum if opcode.conditional and not opcode.is_branch else -1
                for opcode in opcodes
            ),
            -1,
        ),
        (*(opcode.cycles.minimum for opcode in opcodes), 0),
        next((opcode.byte for opcode in opcodes if opcode.mnemonic == "halt"), None),
    )
