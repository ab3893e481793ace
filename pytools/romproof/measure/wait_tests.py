"""What a loop that waits looks at: the address, the bits, and what they are compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from romproof.isa.codec import Instruction
from romproof.isa.flow import Flow
from romproof.measure.wait_loops import Uses, WaitLoop, WaitLoops, uses_of

_SIGN = ("bpl", "bmi")
_OVERFLOW = ("bvc", "bvs")
_COMPARES = ("cmp", "cpx", "cpy", "cp")
_KEEPS = ("nop", "or", "and")
_HIGH_PAGE = 0xFF00
_FARTHEST = 24
"""Bytes before a loop in which the instruction is looked for that sets its pointer."""
_ALL = 0xFF


@dataclass(frozen=True, slots=True)
class WaitTest:
    """``address`` is None where the operand does not say it; ``mask`` has the bits that are looked
    at, ``value`` is what they are compared with: None where that is not known. ``reads`` is False
    where the loop reads nothing."""

    reads: bool
    address: int | None = None
    mask: int | None = _ALL
    value: int | None = None


def find_test(loop: WaitLoop, loops: WaitLoops, counts: Mapping[int, int]) -> WaitTest:
    """The last test of a loop. ``counts`` say how often the instructions at locations ran."""
    body = loop.body
    uses = [uses_of(each.opcode.cpu, each.opcode.index) for each in body]
    branches = [n for n, each in enumerate(body) if each.opcode.flow is Flow.BRANCH]
    reads = [n for n, use in enumerate(uses) if use.through is not None]
    if not reads:
        return WaitTest(reads=False)
    branch = branches[-1] if branches else len(body) - 1
    read = max((n for n in reads if n <= branch), default=reads[-1])
    test = WaitTest(True, _find_address(loop, loops, counts, body[read], uses[read]))
    if body[read].opcode.mnemonic == "bit" and "[hl]" in body[read].opcode.mode:
        test = replace(test, mask=_bit_of(body[read]))
    for each in body[read + 1 : branch]:
        test = _look_at(test, each)
    return _decide(test, body[read], body[branch])


def _look_at(test: WaitTest, each: Instruction) -> WaitTest:
    """What an instruction between the read and the branch makes of it."""
    opcode = each.opcode
    name, is_immediate = opcode.mnemonic, opcode.placeholder == "n8"
    if is_immediate and name in _COMPARES:
        return replace(test, value=each.operand)
    if is_immediate and name == "and":
        return replace(test, mask=None if test.mask is None else test.mask & each.operand)
    if name == "bit":
        return replace(test, mask=_bit_of(each))
    if name == "dec" and opcode.mode == "a":  # zero where it was 1
        return replace(test, value=1)
    if opcode.flow is not Flow.NEXT or name in _COMPARES:
        return test
    if name in _KEEPS and not is_immediate:
        return test
    return replace(test, mask=None)


def _bit_of(each: Instruction) -> int | None:
    """The bit that SM83 ``bit`` looks at."""
    number = each.opcode.mode.partition(",")[0]
    return 1 << int(number) if number.isdigit() else None


def _decide(test: WaitTest, read: Instruction, branch: Instruction) -> WaitTest:
    """The bits that decide where the 6502 goes: two of its flags are bits of what was read."""
    name = branch.opcode.mnemonic
    if name in _SIGN and test.value is None and test.mask is not None:
        return replace(test, mask=test.mask & 0x80)
    if name in _OVERFLOW:
        return replace(test, mask=0x40 if read.opcode.mnemonic == "bit" else None)
    if read.opcode.mnemonic == "bit" and branch.opcode.cpu != "sm83":
        return replace(test, mask=None)  # those that A has
    return test


def _find_address(
    loop: WaitLoop, loops: WaitLoops, counts: Mapping[int, int], read: Instruction, uses: Uses
) -> int | None:
    """The address that an instruction reads in each pass."""
    if uses.by_pointer:
        return None
    if not uses.through:
        return read.target
    pair = {frozenset("hl"): "hl", frozenset("bc"): "bc", frozenset("de"): "de"}
    wanted = "c" if uses.through == {"c"} else pair.get(uses.through)
    if wanted is None or read.opcode.cpu != "sm83":
        return None
    number = _find_setting(loop, loops, counts, wanted)
    return None if number is None else number | (_HIGH_PAGE if wanted == "c" else 0)


def _find_setting(
    loop: WaitLoop, loops: WaitLoops, counts: Mapping[int, int], wanted: str
) -> int | None:
    """The number in a register or pair that is set right before the loop. It counts only if the
    loop was left no more often than that: then nobody came into it from elsewhere."""
    for distance in range(2, _FARTHEST):
        first = loop.location - distance
        run: list[Instruction] = []
        at = first
        while at < loop.location:
            each = loops.instruction(at)
            if each is None or each.opcode.flow is not Flow.NEXT:
                break
            run.append(each)
            at += each.opcode.size
        if at != loop.location or not counts.get(first):
            continue
        opcode = run[0].opcode
        is_set = opcode.mnemonic == "ld" and opcode.placeholder in ("n16", "n8")
        if not is_set or opcode.mode.partition(",")[0] != wanted:
            continue
        if any(set(wanted) & uses_of(e.opcode.cpu, e.opcode.index).changes for e in run[1:]):
            continue
        last = loop.body[-1]
        behind = loop.location + last.address + last.opcode.size - loop.body[0].address
        came, left = counts[first], counts.get(behind, 0)
        return run[0].operand if came - 1 <= left <= came else None
    return None
