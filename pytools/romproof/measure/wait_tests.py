"""What a loop that waits looks at: the address, the bits, and what they are compared with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from romproof.isa.codec import Instruction
from romproof.isa.flow import Flow
from romproof.measure.wait_loops import LoopUses, WaitLoop, WaitLoops, uses_of

_SIGN = ("bpl", "bmi")
_OVERFLOW = ("bvc", "bvs")
_COMPARES = {"cmp": "a", "cpx": "x", "cpy": "y", "cp": "a"}
"""With the register that is compared."""
_KEEPS = ("nop", "or", "and")
_HIGH_PAGE = 0xFF00
_POINTERS = {frozenset("hl"): "hl", frozenset("bc"): "bc", frozenset("de"): "de"} | {
    frozenset("c"): "c"
}
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


def find_test(
    loop: WaitLoop,
    loops: WaitLoops,
    counts: Mapping[int, int],
    is_port: Callable[[int], bool],
) -> WaitTest:
    """The last test of a loop: of what it reads for it a port goes before memory, which is what a
    port is compared with. ``counts`` say how often the instructions at locations ran."""
    body = loop.body
    uses = [uses_of(each.opcode.cpu, each.opcode.index) for each in body]
    reads = [n for n, use in enumerate(uses) if use.through is not None]
    if not reads:
        return WaitTest(reads=False)
    branches = [n for n, each in enumerate(body) if each.opcode.flow is Flow.BRANCH]
    branch = branches[-1] if branches else len(body) - 1
    begin = branches[-2] if len(branches) > 1 else 0
    tested = [n for n in reads if begin <= n <= branch] or reads
    before = _Before(loop, loops, counts)
    addresses = {n: before.find_address(body[n], uses[n]) for n in tested}
    ports = [n for n, at in addresses.items() if at is not None and is_port(at)]
    read = ports[-1] if ports else tested[0]
    test = WaitTest(True, addresses[read])
    opcode = body[read].opcode
    if opcode.mnemonic == "bit":
        is_sm83 = opcode.cpu == "sm83"
        test = replace(test, mask=_bit_of(body[read]) if is_sm83 else before.find_number("a"))
    elif opcode.mnemonic in _COMPARES:
        test = replace(test, value=before.find_number(_COMPARES[opcode.mnemonic]))
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
    name, is_bit = branch.opcode.mnemonic, read.opcode.mnemonic == "bit"
    if name in _OVERFLOW:
        return replace(test, mask=0x40 if is_bit else None)
    if name in _SIGN and is_bit:
        return replace(test, mask=0x80)
    if name in _SIGN and test.value is None and test.mask is not None:
        return replace(test, mask=test.mask & 0x80)
    return test


@dataclass(frozen=True, slots=True)
class _Before:
    """What stands right before a loop, and sets registers that the loop leaves alone."""

    loop: WaitLoop
    loops: WaitLoops
    counts: Mapping[int, int]

    def find_address(self, read: Instruction, uses: LoopUses) -> int | None:
        """The address that an instruction reads in each pass."""
        if uses.by_pointer:
            return None
        if not uses.through:
            return read.target
        wanted = _POINTERS.get(uses.through)
        if wanted is None or read.opcode.cpu != "sm83":
            return None
        number = self.find_number(wanted)
        return None if number is None else number | (_HIGH_PAGE if wanted == "c" else 0)

    def find_number(self, wanted: str) -> int | None:
        """The number in a register or pair. It counts only if the loop was left no more often than
        that was set: then nobody came into it from elsewhere."""
        loop, counts, names = self.loop, self.counts, set(wanted)
        if any(names & self._changes(each) for each in loop.body):
            return None
        for distance in range(2, _FARTHEST):
            first = loop.location - distance
            run = self._run(first)
            if not run or not counts.get(first) or not _sets(run[0], wanted):
                continue
            if any(names & self._changes(each) for each in run[1:]):
                continue
            last = loop.body[-1]
            behind = loop.location + last.address + last.opcode.size - loop.body[0].address
            came, left = counts[first], counts.get(behind, 0)
            return run[0].operand if came - 1 <= left <= came else None
        return None

    def _run(self, first: int) -> list[Instruction]:
        """The instructions from a location to the loop; none if they lead elsewhere."""
        run: list[Instruction] = []
        at = first
        while at < self.loop.location:
            each = self.loops.instruction(at)
            if each is None or each.opcode.flow is not Flow.NEXT:
                return []
            run.append(each)
            at += each.opcode.size
        return run if at == self.loop.location else []

    def _changes(self, each: Instruction) -> frozenset[str]:
        return uses_of(each.opcode.cpu, each.opcode.index).changes


def _sets(each: Instruction, wanted: str) -> bool:
    """Whether an instruction puts a number into a register or pair."""
    opcode = each.opcode
    if opcode.cpu == "sm83":
        is_load = opcode.mnemonic == "ld" and opcode.placeholder in ("n16", "n8")
        return is_load and opcode.mode.partition(",")[0] == wanted
    return opcode.mnemonic == f"ld{wanted}" and opcode.placeholder == "n8"
