"""The code of a program as a graph: which labels are routines, who calls them, in which order.

Code is followed from what is known to be code: public labels with instructions (by the lines of the
image, or by what the sources have below the label), and the vectors. Jumps through pointers are not
followed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from romproof.harness.rom import Rom
from romproof.isa.abi import Abi, abi_of
from romproof.isa.codec import Instruction, decode, encodings
from romproof.isa.flow import Flow
from romproof.program.image import Image, Symbol
from romproof.program.listing import written_at

GAMEBOY_HANDLERS = (0x40, 0x48, 0x50, 0x58, 0x60)
"""Where the SM83's five interrupts lead to (Pan Docs, "Interrupt Sources")."""
NMI, RESET, IRQ = 0xFFFA, 0xFFFC, 0xFFFE
"""Where the 6502 has the addresses of its handlers and of the first instruction."""

_At = Callable[[int], Instruction | None]
"""What decodes the instruction at an address, None where there is none."""
_STATEMENT = re.compile(r"\s*(?:[.@]?\w[\w.#$@]*::?)?\s*(?P<word>[.\w]*)")
_LOOK_AHEAD = 40
"""Lines below a label in which its first statement is looked for."""


@dataclass(frozen=True, slots=True)
class Step:
    """An instruction, and where it leads.

    ``nexts`` are the instructions that may come next in the same routine, ``call`` the routine that
    is called. ``returns``: it may lead back to the caller. ``lost``: where else it leads is not
    known.
    """

    instruction: Instruction
    nexts: tuple[int, ...]
    call: int | None = None
    returns: bool = False
    lost: bool = False

    @property
    def address(self) -> int:
        """Where it stands."""
        return self.instruction.address

    @property
    def following(self) -> int:
        """The address behind it."""
        return self.address + self.instruction.opcode.size & 0xFFFF


@dataclass(frozen=True)
class Flows:
    """The code of a program that could be followed.

    ``routines`` are the public labels that are routines, by address; ``handlers`` the addresses
    that interrupts lead to, ``first`` those of the program's first instructions. ``tables`` are the
    routines whose addresses stand in a row where an instruction says, by its address: a jump that
    is computed may lead to them.
    """

    abi: Abi
    steps: Mapping[int, Step] = field(repr=False)
    routines: Mapping[int, Symbol] = field(repr=False)
    handlers: frozenset[int]
    first: frozenset[int]
    tables: Mapping[int, frozenset[int]] = field(default_factory=dict, repr=False)

    @cached_property
    def sites(self) -> Mapping[int, tuple[int, ...]]:
        """The calls of each routine that is called: the addresses of the instructions."""
        addresses: dict[int, list[int]] = {}
        for address, step in self.steps.items():
            if step.call is not None:
                addresses.setdefault(step.call, []).append(address)
        return {target: tuple(sorted(at)) for target, at in addresses.items()}

    def body(self, entry: int) -> frozenset[int]:
        """The instructions of a routine, those of other public routines it jumps to included; what
        it calls is not."""
        known = self._bodies.get(entry)
        if known is None:
            seen: set[int] = set()
            work = [entry]
            while work:
                address = work.pop()
                if address not in seen and address in self.steps:
                    seen.add(address)
                    work += self.steps[address].nexts
            known = self._bodies[entry] = frozenset(seen)
        return known

    def loops(self, entry: int) -> Iterator[frozenset[int]]:
        """The innermost loops of a routine: for each jump back the instructions around, if all that
        is between comes back there."""
        body = self.body(entry)
        for address in sorted(body):
            for head in self.steps[address].nexts:
                if head <= address:
                    inside = frozenset(a for a in body if head <= a <= address)
                    backward = {
                        n for a in inside for n in self.steps[a].nexts if n in inside and n <= a
                    }
                    if backward == {head}:
                        yield inside

    @cached_property
    def _bodies(self) -> dict[int, frozenset[int]]:
        return {}

    def reached(self, entry: int) -> frozenset[int]:
        """The routines that the code of one calls or goes on in, itself aside; of a jump that is
        computed those of the tables that it names."""
        body = self.body(entry)
        calls = {self.steps[a].call for a in body}
        others = {a for a in body if a in self.routines}
        inner = {each for each in calls if each is not None}
        if any(self.steps[a].lost for a in body):
            others = others.union(*(self.tables.get(a, ()) for a in body))
        return frozenset((inner | others) - {entry})

    def reached_at_all(self, entry: int) -> frozenset[int]:
        """The routines that the code of one comes to, and those that these come to."""
        seen: set[int] = set()
        work = [*self.reached(entry)]
        while work:
            at = work.pop()
            if at not in seen:
                seen.add(at)
                work += self.reached(at)
        return frozenset(seen)

    def callees_first(self, entries: Iterable[int]) -> list[int]:
        """The public routines that ``entries`` reach, these included, each after those that it
        reaches; in a recursion somebody has to be first."""
        order: list[int] = []
        seen: set[int] = set()
        for entry in sorted(entries):
            stack: list[tuple[int, list[int]]] = []
            if entry not in seen:
                seen.add(entry)
                stack.append((entry, sorted(self.reached(entry))))
            while stack:
                at, left = stack[-1]
                if left:
                    other = left.pop()
                    if other not in seen:
                        seen.add(other)
                        stack.append((other, sorted(self.reached(other))))
                else:
                    stack.pop()
                    if at in self.routines:
                        order.append(at)
        return order

    def is_recursive(self, entry: int) -> bool:
        """Whether a routine comes to call itself."""
        if entry in self.reached_at_all(entry):
            return True
        return any(self.steps[a].call == entry for a in self.body(entry))


def flows_of(rom: Rom, also: Collection[int] = ()) -> Flows:
    """The code of what is loaded of a program; ``also`` are addresses of further routines."""
    image, memory, abi = rom.loaded, rom.memory_map, abi_of(rom.image.cpu)
    data, executable = memory.initial, memory.executable

    def at(address: int) -> Instruction | None:
        if not executable[address]:
            return None
        return decode(data[address : address + 3], address, abi.cpu)

    def word(address: int) -> int:
        return data[address] | data[address + 1] << 8

    handlers, first = _vectors(rom, abi, word, at)
    labels = {s.value: s for s in _public(image) if at(s.value) is not None}
    code = {a for a, symbol in labels.items() if is_code(image, symbol, abi.cpu)}
    steps = _followed([*code, *handlers, *first, *also], at)
    called = {step.call for step in steps.values() if step.call is not None}
    within = _owners(labels)
    entered = called | handlers | first | {*also}
    entered |= {
        target
        for step in steps.values()
        if step.instruction.opcode.flow is Flow.JUMP
        for target in step.nexts
        if within(step.address) != within(target)
    }
    led_to = {
        target
        for step in steps.values()
        for target in step.nexts
        if within(step.address) != within(target)
    }
    entered |= {a for a in code if a not in led_to}
    routines = {a: labels[a] for a in sorted(entered) if a in labels and a in steps}
    marks = frozenset(s.value for s in image.symbols if s.is_label)
    tables = dict(_tables(steps, routines, word, marks))
    return Flows(abi, steps, routines, frozenset(handlers), frozenset(first), tables)


def _tables(
    steps: Mapping[int, Step],
    routines: Collection[int],
    word: Callable[[int], int],
    marks: Collection[int],
) -> Iterator[tuple[int, frozenset[int]]]:
    """By the address of an instruction with an address in it, of data, the routines whose addresses
    begin there, up to the next label (``marks``)."""
    for at, step in steps.items():
        place = step.instruction.operand
        if step.instruction.opcode.size < 3 or place in steps:
            continue
        found: list[int] = []
        while place < 0xFFFF and word(place) in routines:
            found.append(word(place))
            place += 2
            if place in marks:
                break
        if found:
            yield at, frozenset(found)


def is_code(image: Image, symbol: Symbol, cpu: str) -> bool:
    """Whether a label stands before an instruction, as far as lines or sources say so."""
    line = image.line_at(symbol.value)
    if line is not None:
        return line.is_code
    if symbol.span is None:
        return False
    span = written_at(symbol.span)
    return _first_word(span.source.lines[span.line - 1 : span.line + _LOOK_AHEAD]) in encodings(cpu)


def _first_word(lines: Iterable[str]) -> str:
    for line in lines:
        match = _STATEMENT.match(line.partition(";")[0])
        if match is not None and match["word"]:
            word = match["word"].lower()
            if word not in (".proc", "static_assert", ".assert", "assert"):
                return word if not line.lstrip().lower().startswith(".proc") else ""
    return ""


def _public(image: Image) -> Iterator[Symbol]:
    for symbol in image.symbols:
        if symbol.is_label and symbol.exported and 0 <= symbol.value <= 0xFFFF:
            yield symbol


def _owners(labels: Mapping[int, Symbol]) -> Callable[[int], int]:
    """What tells which label an address is behind, by the number of that label."""
    starts = sorted(labels)

    def owner(address: int) -> int:
        return bisect_right(starts, address)

    return owner


def _vectors(rom: Rom, abi: Abi, word: Callable[[int], int], at: _At) -> tuple[set[int], set[int]]:
    """Where interrupts lead to, and where the program begins."""
    handlers: set[int] = set()
    first: set[int] = set()
    if abi.interrupt_vector is None:
        if rom.is_cartridge:
            handlers.update(_through(a, at) for a in GAMEBOY_HANDLERS)
            first.add(_through(0x0100, at))
    elif rom.memory_map.protected[NMI]:
        handlers.update((word(NMI), word(IRQ)))
        first.add(word(RESET))
    return {a for a in handlers if at(a) is not None}, {a for a in first if at(a) is not None}


def _through(address: int, at: _At) -> int:
    """Where a vector's code leads that is nothing but a jump, maybe behind a ``nop``."""
    place = address
    for _ in range(3):
        instruction = at(place)
        if instruction is None:
            return address
        if instruction.opcode.flow is Flow.JUMP and not instruction.opcode.conditional:
            return address if instruction.target is None else instruction.target
        if instruction.opcode.mnemonic != "nop":
            return address
        place += 1
    return address


def _followed(entries: Iterable[int], at: _At) -> dict[int, Step]:
    steps: dict[int, Step] = {}
    work = list(entries)
    while work:
        address = work.pop() & 0xFFFF
        if address in steps:
            continue
        instruction = at(address)
        if instruction is None:
            continue
        step = steps[address] = _step(instruction)
        work += step.nexts
        if step.call is not None:
            work.append(step.call)
    return steps


def _step(instruction: Instruction) -> Step:
    opcode, target = instruction.opcode, instruction.target
    following = instruction.address + opcode.size & 0xFFFF
    match opcode.flow:
        case Flow.NEXT:
            return Step(instruction, (following,))
        case Flow.BRANCH if target is not None:
            return Step(instruction, (following, target))
        case Flow.JUMP:
            known = target is not None and "(" not in opcode.mode
            nexts = [following] if opcode.conditional else []
            nexts += [target] if known and target is not None else []
            return Step(instruction, tuple(nexts), lost=not known)
        case Flow.CALL:
            return Step(instruction, (following,), target, lost=target is None)
        case Flow.RETURN:
            return Step(instruction, (following,) if opcode.conditional else (), returns=True)
    return Step(instruction, ())
