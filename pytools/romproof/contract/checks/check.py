"""Did a call keep the contract? Pure comparison of before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from romproof.contract.checks.preserved import Kept, find_kept
from romproof.contract.checks.view import StateView, all_hold, explain_untrue, holds
from romproof.contract.nouns.model import Contract, CycleClaim, claim_text
from romproof.contract.nouns.state import Call
from romproof.isa.abi import Register
from romproof.machine.memory import aside_pages, differences
from romproof.text.span import Span


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken promise; ``span`` is the line of the contract it breaks."""

    sentence: str
    span: Span


def check(contract: Contract, call: Call, describe: Callable[[int], str]) -> list[Violation]:
    """Everything in which ``call`` breaks ``contract``; ``describe`` names an address."""
    kept = find_kept(contract, call.abi)
    call = _with_abi(kept, call)
    found: list[Violation] = []
    if not _registers_are_kept(kept, call):
        found += [*_registers(contract, kept, call), *_flags(contract, kept, call)]
    if contract.stack is not None:
        found += _stack(contract, contract.stack, call)
    if not _memory_is_kept(kept, call, _find_dead_stack(contract, call)):
        found += _memory(contract, call, describe)
    if contract.cycles is not None:
        found += _cycles(contract, contract.cycles, call)
    if contract.ensures:
        view = StateView(call.abi, call.after, call.before)
        if not all_hold(contract.ensures, view):
            found += _ensures(contract, view)
    return found


def check_preserved(contract: Contract, call: Call) -> list[Violation]:
    """Registers and flags that ``call`` changes although the contract does not list them."""
    kept = find_kept(contract, call.abi)
    call = _with_abi(kept, call)
    return [*_registers(contract, kept, call), *_flags(contract, kept, call)]


def _with_abi(kept: Kept, call: Call) -> Call:
    """The call with how the code of the contract is entered."""
    return call if kept.abi is call.abi else replace(call, abi=kept.abi)


def _registers_are_kept(kept: Kept, call: Call) -> bool:
    """Whether registers, flags and the stack pointer are for sure as they have to be: as nearly
    always, so that none need be looked at by itself."""
    before, after, abi, values = call.before.registers, call.after.registers, kept.abi, kept.values
    return (
        values is not None
        and values(before) == values(after)
        and not (abi.flags_of(before) ^ abi.flags_of(after)) & kept.flags
        and abi.stack_of(before) + abi.return_size == abi.stack_of(after)
    )


def _registers(contract: Contract, kept: Kept, call: Call) -> Iterator[Violation]:
    abi, before, after = call.abi, call.before.registers, call.after.registers
    for register in kept.registers:
        old, new = _final_value(register, call), abi.get(after, register.attribute)
        if old != new:
            yield Violation(
                f"{register.name} must come back as {register.shown(old)} but is "
                f"{register.shown(new)}; "
                f"save it or list it under 'clobbers:'",
                contract.place("clobbers"),
            )
    old = (abi.stack_of(before) + abi.return_size) & abi.stack_mask
    new = abi.stack_of(after)
    if old != new and kept.balanced:
        pointer, digits = abi.stack_pointer, abi.stack_pointer.bits // 4
        yield Violation(
            f"{pointer.name} must be ${old:0{digits}X} after the return but is "
            f"${new:0{digits}X}: pushes and pulls do not balance",
            contract.span,
        )


def _flags(contract: Contract, kept: Kept, call: Call) -> Iterator[Violation]:
    abi, before = call.abi, _final_flags(call)
    changed = (before ^ abi.flags_of(call.after.registers)) & kept.flags
    for flag in abi.flags if changed else ():
        if changed & flag.mask:
            old = int(bool(before & flag.mask))
            yield Violation(
                f"flag {flag.name} must come back as {old} but is {1 - old}; "
                f"save it or list it under 'clobbers:'",
                contract.place("clobbers"),
            )


def _final_value(register: Register, call: Call) -> int:
    """What a register has to be in the end: as before, and before an interrupt masked others."""
    abi = call.abi
    if abi.by_interrupt and register.attribute == abi.masking[0]:
        return register.mask & ~abi.masking[1]
    return abi.get(call.before.registers, register.attribute)


def _final_flags(call: Call) -> int:
    """The flags as they have to be in the end: those that an interrupt pushed."""
    abi, before = call.abi, call.before
    if abi.pushes_flags:
        s = abi.stack_of(before.registers)
        return before.memory[abi.on_stack(s, s + 1)[0] & 0xFFFF]
    return abi.flags_of(before.registers)


def _stack(contract: Contract, claim: int, call: Call) -> Iterator[Violation]:
    depth = call.abi.stack_of(call.before.registers) - call.lowest_s
    if depth > claim:
        yield Violation(
            f"bytes of stack used: {depth}; the claim is {claim}",
            contract.place("stack"),
        )


def _find_dead_stack(contract: Contract, call: Call) -> range:
    """What is no longer needed of the stack: the return address, and below it what was pushed."""
    abi, deepest = call.abi, call.lowest_s
    s = abi.stack_of(call.before.registers)
    claimed = s - (contract.stack or 0)
    if claimed < deepest:
        deepest = claimed
    return abi.on_stack(deepest if deepest > -1 else -1, s + abi.return_size)


def _memory(contract: Contract, call: Call, describe: Callable[[int], str]) -> Iterator[Violation]:
    before, after, dead = call.before.memory, call.after.memory, _find_dead_stack(contract, call)
    allowed = contract.written_addresses
    aside = aside_pages(call.before.pages, call.after.pages)
    strange = [
        address
        for address in differences(before, after)
        if address not in allowed and address not in dead and address >> 8 not in aside
    ]
    for run in neighbours(strange):
        first, last = run[0], run[-1] + 1
        yield Violation(
            f"memory {describe(first)} must stay {_hex(before[first:last])} "
            f"but is {_hex(after[first:last])}; list it under 'out:' or 'clobbers:'",
            contract.place("clobbers"),
        )


def _memory_is_kept(kept: Kept, call: Call, dead: range) -> bool:
    """Whether memory is for sure as it was where the contract lists none: as nearly always, so that
    no byte need be looked at. False where several memories take turns.

    Nothing is copied: 64 KiB more are more than the cache next to a core holds of such a call.
    """
    if call.before.pages:
        return False
    seen, same = memoryview(call.before.memory), call.after.memory.startswith
    gone, back = dead.start, dead.stop
    for start, end in kept.memory:
        if start < back and gone < end:
            if gone > start and not same(seen[start:gone], start):
                return False
            start = min(back, end)
        if not same(seen[start:end], start):
            return False
    return True


def _cycles(contract: Contract, claim: CycleClaim, call: Call) -> Iterator[Violation]:
    low, high = claim
    if call.cycles < low or (high is not None and call.cycles > high):
        yield Violation(
            f"the call took {call.cycles:,} {call.abi.cycles}; the claim is "
            f"{claim_text(claim, ',')}",
            contract.place("cycles"),
        )


def _ensures(contract: Contract, view: StateView) -> Iterator[Violation]:
    for condition in contract.ensures:
        if not holds(condition, view):
            yield Violation(f"after the return {explain_untrue(condition, view)}", condition.span)


def neighbours(addresses: Iterable[int]) -> Iterator[list[int]]:
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
