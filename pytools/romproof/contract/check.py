"""Did a call keep the contract? Pure comparison of before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from romproof.contract.model import ALL_FLAGS, Contract, Flag, Register
from romproof.engine.registers import Registers
from romproof.machine.memory import differences
from romproof.text.span import Span

_STACK = 0x100
_RETURN_ADDRESS = 2


@dataclass(frozen=True, slots=True)
class State:
    """Registers and the 64 KiB of memory at one moment."""

    registers: Registers
    memory: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Call:
    """What a call did: from its first instruction until after its RTS.

    ``before.registers.s`` is the stack pointer with the return address
    pushed; ``lowest_s`` its lowest value on the way. ``cycles`` are clock
    cycles, RTS included.
    """

    before: State
    after: State
    cycles: int
    lowest_s: int


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken promise; ``span`` is the line of the contract it breaks."""

    sentence: str
    span: Span


def check(contract: Contract, call: Call, describe: Callable[[int], str]) -> list[Violation]:
    """Everything in which ``call`` breaks ``contract``; ``describe`` names an address."""
    return [
        *_registers(contract, call),
        *_flags(contract, call),
        *_stack(contract, call),
        *_memory(contract, call, describe),
        *_cycles(contract, call),
    ]


def check_preserved(contract: Contract, call: Call) -> list[Violation]:
    """Registers and flags that ``call`` changes although the contract does not list them."""
    return [*_registers(contract, call), *_flags(contract, call)]


def _registers(contract: Contract, call: Call) -> Iterator[Violation]:
    for register in (Register.A, Register.X, Register.Y):
        name = register.value.lower()
        old, new = getattr(call.before.registers, name), getattr(call.after.registers, name)
        if old != new and not contract.may_change(register):
            yield Violation(
                f"{register.value} must come back as ${old:02X} but is ${new:02X}; "
                f"save it or list it under 'clobbers:'",
                contract.place("clobbers"),
            )
    old = (call.before.registers.s + _RETURN_ADDRESS) & 0xFF
    new = call.after.registers.s
    if old != new and not contract.may_change(Register.S):
        yield Violation(
            f"S must be ${old:02X} after the return but is ${new:02X}: "
            "pushes and pulls do not balance",
            contract.span,
        )


def _flags(contract: Contract, call: Call) -> Iterator[Violation]:
    changed = (call.before.registers.p ^ call.after.registers.p) & ALL_FLAGS
    if not changed:
        return
    for flag in Flag:
        if changed & flag.mask and not contract.may_change(flag):
            old = int(bool(call.before.registers.p & flag.mask))
            yield Violation(
                f"flag {flag.value} must come back as {old} but is {1 - old}; "
                f"save it or list it under 'clobbers:'",
                contract.place("clobbers"),
            )


def _stack(contract: Contract, call: Call) -> Iterator[Violation]:
    depth = call.before.registers.s - call.lowest_s
    if contract.stack is not None and depth > contract.stack:
        yield Violation(
            f"bytes of stack used: {depth}; the claim is {contract.stack}",
            contract.place("stack"),
        )


def _memory(contract: Contract, call: Call, describe: Callable[[int], str]) -> Iterator[Violation]:
    allowed = {a for memory in contract.written() for a in memory.addresses()}
    # the return address is dead after RTS, and below it lies what was pushed
    s = call.before.registers.s
    deepest = min(call.lowest_s, s - (contract.stack or 0))
    allowed.update(range(_STACK + max(deepest, -1) + 1, _STACK + s + 1 + _RETURN_ADDRESS))
    before, after = call.before.memory, call.after.memory
    strange = [a for a in differences(before, after) if a not in allowed]
    for run in _runs(strange):
        first, last = run[0], run[-1] + 1
        yield Violation(
            f"memory {describe(first)} must stay {_hex(before[first:last])} "
            f"but is {_hex(after[first:last])}; list it under 'out:' or 'clobbers:'",
            contract.place("clobbers"),
        )


def _cycles(contract: Contract, call: Call) -> Iterator[Violation]:
    if contract.cycles is None:
        return
    low, high = contract.cycles
    if call.cycles < low or (high is not None and call.cycles > high):
        claim = str(low) if low == high else f"{low}..{'' if high is None else high}"
        yield Violation(
            f"the call took {call.cycles} cycles; the claim is {claim}", contract.place("cycles")
        )


def _runs(addresses: Iterable[int]) -> Iterator[list[int]]:
    """Ascending addresses as groups of neighbours."""
    run: list[int] = []
    for address in addresses:
        if run and address != run[-1] + 1:
            yield run
            run = []
        run.append(address)
    if run:
        yield run


def _hex(data: bytes, most: int = 8) -> str:
    shown = " ".join(f"{byte:02X}" for byte in data[:most])
    return f"${shown}" if len(data) == 1 else shown + (" …" if len(data) > most else "")
