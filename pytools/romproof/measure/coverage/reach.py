"""Where code leads: what can be reached from instructions that were executed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from romproof.isa.abi import abi_of
from romproof.isa.codec import Instruction, decode
from romproof.isa.flow import Flow
from romproof.machine.board import Window
from romproof.measure.coverage.outcomes import Events
from romproof.program.image import Image

MAX = 1 << 20
"""Instructions that are followed at most: more than any cartridge of either machine has."""
_ENDS = (Flow.JUMP, Flow.RETURN, Flow.JAM)


@dataclass(frozen=True, slots=True)
class ReachableCode:
    """Where instructions begin that code which ran leads to, by address and bank."""

    places: frozenset[tuple[int, int]]

    def has(self, address: int, bank: int | None) -> bool:
        """Whether there is one; ``bank`` None: in whatever bank."""
        if bank is not None:
            return (address, bank) in self.places
        return any(at == address for at, _ in self.places)


def find_reachable(image: Image, events: Events, windows: Collection[Window]) -> ReachableCode:
    """Follow the code from every instruction that was executed.

    Within a bank a target in its own window is in that bank; in another window it may be in any,
    and is not followed. Jumps to computed addresses and into code in RAM lead nowhere here.
    """
    cpu = abi_of(image.cpu).cpu
    code = BankedCode(image, windows)
    reached: set[tuple[int, int]] = set()
    work = list(events.by_place)
    while work and len(reached) < MAX:
        address, bank = work.pop()
        if (address, bank) in reached:
            continue
        instruction = decode(code.three(address, bank), address, cpu)
        if instruction is None:
            continue
        reached.add((address, bank))
        work += code.after(instruction, bank)
    return ReachableCode(frozenset(reached))


class BankedCode:
    """The bytes of a program by address and bank."""

    def __init__(self, image: Image, windows: Collection[Window]) -> None:
        self._windows = tuple(windows)
        self._blocks: dict[int, list[tuple[int, bytes]]] = {}
        self._moved = {line.address: line.data for line in image.lines if line.is_code}
        for block in image.blocks:
            window, bank = self._window(block.address), 0
            if window is not None:
                kind, bracket, number = block.area.partition("[")
                number = number.rstrip("]")
                named = kind == window.kind and bracket and number.isdecimal()
                bank = int(number) if named else window.first
            self._blocks.setdefault(bank, []).append((block.address, block.data))

    def _window(self, address: int) -> Window | None:
        return next((w for w in self._windows if address in w.addresses), None)

    def three(self, address: int, bank: int) -> bytes:
        """The bytes at an address that may be an instruction; of code that the program copies to
        where it runs, those that were assembled for there."""
        for start, data in self._blocks.get(bank, ()):
            if start <= address < start + len(data):
                return data[address - start : address - start + 3]
        return self._moved.get(address, b"")

    def after(self, instruction: Instruction, bank: int) -> list[tuple[int, int]]:
        """Where execution may go on, address and bank: what follows comes first."""
        opcode, address, targets = instruction.opcode, instruction.address, list[int | None]()
        if opcode.flow not in _ENDS or opcode.conditional:
            targets.append((address + opcode.size) & 0xFFFF)
        if opcode.flow in (Flow.BRANCH, Flow.CALL) or (
            opcode.flow is Flow.JUMP and "(" not in opcode.mode
        ):
            targets.append(instruction.target)
        known = [(t, self.bank_from(t, address, bank)) for t in targets if t is not None]
        return [(target, there) for target, there in known if there is not None]

    def bank_from(self, target: int, address: int, bank: int) -> int | None:
        """The bank that code at an address means by a target; None where it may be several."""
        there = self._window(target)
        if there is None:
            return 0
        return bank if there is self._window(address) else None
