"""Where an instruction leads: what callers, profilers and disassemblers need to follow code."""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType


class Flow(Enum):
    """Where the program counter goes.

    On the SM83, ``CALL`` and ``RETURN`` may depend on a condition too; ``Opcode.conditional``
    tells.
    """

    NEXT = "next"
    """To the instruction that follows; after ``halt`` and ``stop`` too, once the CPU wakes up."""
    BRANCH = "branch"
    """To the target when a condition holds, else to what follows."""
    JUMP = "jump"
    """To the target, always."""
    CALL = "call"
    """To the target; the address of what follows is pushed."""
    RETURN = "return"
    """To an address that is pulled, from a routine or from an interrupt handler."""
    SOFTWARE_INTERRUPT = "software interrupt"
    """To the interrupt handler (6502 ``brk``), as if an interrupt had come."""
    JAM = "jam"
    """Nowhere: the CPU is locked until it is reset."""


_BRANCHES = frozenset(
    (
        *("bpl", "bmi", "bvc", "bvs", "bcc", "bcs", "bne", "beq"),
        *("lbpl", "lbmi", "lbvc", "lbvs", "lbcc", "lbcs", "lbne", "lbeq"),
        *(f"{name}{bit}" for name in ("bbr", "bbs", "bbc") for bit in range(8)),
    )
)
_WITH_CONDITION = ("jp", "jr", "call", "ret")
_CONDITIONS = ("nz", "z", "nc", "c")
_FLOWS = MappingProxyType(
    {
        # CPUs that lock
        "jam": Flow.JAM,
        # 6502
        **dict.fromkeys(_BRANCHES, Flow.BRANCH),
        "jmp": Flow.JUMP,
        "jsr": Flow.CALL,
        "rts": Flow.RETURN,
        "rti": Flow.RETURN,
        "brk": Flow.SOFTWARE_INTERRUPT,
        # 65C02
        "bra": Flow.JUMP,
        "stp": Flow.JAM,
        # 65816
        "brl": Flow.JUMP,
        "jml": Flow.JUMP,
        "jsl": Flow.CALL,
        "rtl": Flow.RETURN,
        "cop": Flow.SOFTWARE_INTERRUPT,
        # 65CE02
        "lbra": Flow.JUMP,
        "bsr": Flow.CALL,
        "rtn": Flow.RETURN,
        # SM83
        "jp": Flow.JUMP,
        "jr": Flow.JUMP,
        "call": Flow.CALL,
        "rst": Flow.CALL,
        "ret": Flow.RETURN,
        "reti": Flow.RETURN,
    }
)


def is_conditional(mnemonic: str, mode: str) -> bool:
    """True if a flag decides where the instruction leads; ``mode`` is its operand template."""
    condition = mnemonic in _WITH_CONDITION and mode.partition(",")[0] in _CONDITIONS
    return condition or mnemonic in _BRANCHES


def flow_of(mnemonic: str, mode: str) -> Flow:
    """Where the instruction leads."""
    flow = _FLOWS.get(mnemonic, Flow.NEXT)
    return Flow.BRANCH if flow is Flow.JUMP and is_conditional(mnemonic, mode) else flow
