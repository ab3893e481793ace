"""Carrying out the checks of a run that are not about contracts (romproof.engine.checks).

A guard of the engine refuses what is checked, which costs nothing. Where that is an error, it is;
where it is a warning, the instruction is executed all the same, and the run goes on.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from romproof.engine.checks import CheckMode, Checks
from romproof.engine.protocol import EngineFault, FaultKind, Guard, Observer, Stop
from romproof.harness.state.stubbed_board import StubbedBoard
from romproof.isa.abi import Abi
from romproof.machine.board import Board
from romproof.machine.memory import SIZE
from romproof.program.image import Image
from romproof.text.errors import RomproofWarning

_MAX = 64
"""Warnings of a run after which its writes and jumps into data are not looked at any more."""
_JUMP = b"\x6c\xff"
_STACK_PAGE = range(0x100, 0x200)
_ALWAYS: dict[str, tuple[tuple[int, int], ...]] = {
    "nes": ((0x0000, 0x0800), (0x2000, 0x4020)),
    "gameboy": ((0x8000, 0xFEA0), (0xFF00, 0x10000)),
    "c64": ((0x0000, 0x10000),),
}
"""Where machines have memory or ports whatever a program declares, the ends not included: NESdev
wiki, "CPU memory map"; Pan Docs, "Memory Map"."""

_shown: dict[str | tuple[str, type[Warning], int], int] = {}
"""What Python has warned of already: once for each place, unless its filters say otherwise."""


@dataclass(frozen=True, slots=True)
class Guards:
    """The guards of a run: ``strict`` with the warnings' checks too, ``lax`` with those of the
    errors only, ``free`` with no check; ``base`` is what they were made of."""

    base: Guard
    strict: Guard
    lax: Guard
    free: Guard


class CheckedProgram:
    """What the checks need to know of a program on a board. ``allowed`` are addresses that hold
    code whatever the image says."""

    def __init__(self, image: Image, board: Board, abi: Abi) -> None:
        self._image, self._board, self._abi = image, board, abi
        self._data: bytes | None = None
        self._stray: bytes | None = None
        self._jumps: frozenset[int] | None = None
        self._guards: dict[tuple[int, Checks], Guards] = {}
        self.stage: CheckedBoard | None = None
        """That of the last run which had one."""
        self._asked: tuple[Guard, Checks, Guards] | None = None
        self.allowed: set[int] = set()

    def allow_code(self, addresses: Collection[int]) -> None:
        """Take some addresses for code from now on."""
        self.allowed.update(addresses)
        self._data = self._jumps = self._asked = self.stage = None
        self._guards.clear()

    @property
    def data(self) -> bytes:
        """Nonzero where the image has data."""
        if self._data is None:
            data = bytearray(self._image.data_map)
            for address in self.allowed:
                data[address] = 0
            self._data = bytes(data)
        return self._data

    @property
    def stray(self) -> bytes:
        """Nonzero where neither the layout nor the machine has memory or ports; nowhere if there
        is no layout."""
        if self._stray is None:
            self._stray = self._find_stray()
        return self._stray

    def _find_stray(self) -> bytes:
        board = self._board
        ranges = [(area.start, area.start + area.size) for area in self._image.areas]
        if not ranges:
            return bytes(SIZE)
        ranges += [*board.ports, *self._abi.volatile, *self._abi.ram, *_ALWAYS.get(board.name, ())]
        ranges += [(w.addresses.start, w.addresses.stop) for w in board.windows]
        if not self._abi.stack_rooms:
            ranges.append((_STACK_PAGE.start, _STACK_PAGE.stop))
        stray = bytearray(b"\1") * SIZE
        for start, end in ranges:
            start, end = max(0, start), min(end, SIZE)
            stray[start:end] = bytes(max(0, end - start))
        return bytes(stray)

    @property
    def jumps(self) -> frozenset[int]:
        """Where instructions ``jmp ($xxFF)`` may be: in lines of code, and in bytes of which
        nothing is known."""
        if self._jumps is None:
            self._jumps = frozenset(self._all_jumps()) if self._abi.jump_wraps else frozenset()
        return self._jumps

    def _all_jumps(self) -> Iterator[int]:
        image = self._image
        for address in self.allowed:
            if self._is_jump(address):
                yield address
        if not any(_JUMP in block.data for block in image.blocks):
            return
        if image.lines:
            for line in image.lines:
                if line.is_code and line.data[:2] == _JUMP:
                    yield line.address
            return
        for block in image.blocks:
            at = block.data.find(_JUMP)
            while at >= 0:
                yield block.address + at & 0xFFFF
                at = block.data.find(_JUMP, at + 1)

    def _is_jump(self, address: int) -> bool:
        peek = self._board.peek
        return bytes([peek(address), peek(address + 1 & 0xFFFF)]) == _JUMP

    def floor(self) -> int:
        """The lowest stack pointer of a call that leaves the program's data in the 6502's stack
        page alone; what is at the top of it, where calls begin, does not count."""
        ends = [0]
        for segment in self._image.segments:
            last = segment.run + segment.size - 1
            if segment.size and segment.run < _STACK_PAGE.stop - 2 and last in _STACK_PAGE:
                ends.append(last - _STACK_PAGE.start)
        return max(end for end in ends if end < 0xFD)

    def guards(self, base: Guard, checks: Checks) -> Guards:
        """What a run is guarded by; ``base`` without any check, ``protected`` being what the
        machine protects. The same objects each time: an engine need not be told anew."""
        asked = self._asked
        if asked is not None and asked[0] is base and asked[1] is checks:
            return asked[2]  # as nearly always
        key = (id(base), checks)
        if key not in self._guards:
            strict = self._guard(base, checks, frozenset[CheckMode](("warn", "error")))
            lax = self._guard(base, checks, frozenset[CheckMode](("error",)))
            strict = lax if strict == lax else strict
            self._guards[key] = Guards(base, strict, lax, replace(base, protected=None))
        self._asked = base, checks, self._guards[key]
        return self._guards[key]

    def _guard(self, base: Guard, checks: Checks, levels: Collection[CheckMode]) -> Guard:
        executable, protected = base.executable, None
        if checks.data_execution in levels and executable is not None:
            executable = _and_not(executable, self.data)
        if checks.rom_writes in levels:
            protected = base.protected
        if checks.stray_writes in levels and any(self.stray):
            protected = self.stray if protected is None else _or(protected, self.stray)
        return replace(base, executable=executable, protected=protected)


def _or(one: bytes, other: bytes) -> bytes:
    both = int.from_bytes(one, "little") | int.from_bytes(other, "little")
    return both.to_bytes(SIZE, "little")


def _and_not(one: bytes, other: bytes) -> bytes:
    mask = int.from_bytes(other.translate(_ALL_BITS), "little")
    return (int.from_bytes(one, "little") & ~mask).to_bytes(SIZE, "little")


_ALL_BITS = bytes([0]) + bytes([0xFF]) * 255


@dataclass(slots=True)
class CheckedBoard(StubbedBoard):
    """A stage whose runs are checked; ``jumps`` are the addresses that are looked at."""

    image: Image = field(kw_only=True)
    places: CheckedProgram = field(kw_only=True)
    checks: Checks = field(kw_only=True)
    guards: Guards = field(kw_only=True)
    jumps: frozenset[int] = field(kw_only=True)
    warned: set[tuple[str, int]] = field(default_factory=set)
    count: int = 0

    def is_for(self, stage: StubbedBoard, image: Image, checks: Checks, guards: Guards) -> bool:
        """Whether it is what ``check_stage`` makes of these."""
        same = self.board is stage.board and self.stubs is stage.stubs and self.image is image
        return same and self.checks is checks and self.guards is guards

    def run(self, until: Collection[int], limit: int, observer: Observer | None = None) -> Stop:
        """See Stage. Raises EngineFault for what a check has as an error, too."""
        engine, stops = self.board.engine, {*until, *self.jumps} if self.jumps else until
        end = engine.cycles + limit
        if self.jumps:
            self._look_at_jump()
        while True:
            try:
                stop = StubbedBoard.run(self, stops, end - engine.cycles, observer)
            except EngineFault as fault:
                self._judge(fault)
                stop = self._step_over(until, observer)
            pc = engine.registers.pc
            if stop is Stop.REACHED and pc not in until:
                self._look_at_jump()
            elif stop is not Stop.LIMIT:
                return stop
            if engine.cycles >= end:
                return Stop.LIMIT

    def _step_over(self, until: Collection[int], observer: Observer | None) -> Stop:
        """Execute the instruction that was refused."""
        engine = self.engine
        self.count += 1
        engine.guard = self.guards.free
        try:
            return StubbedBoard.run(self, until, 1, observer)
        finally:
            engine.guard = self.guards.strict if self.count < _MAX else self.guards.lax

    def _judge(self, fault: EngineFault) -> None:
        """Warn of what a guard refused, or raise it with what is wrong."""
        checks, pc = self.checks, self.engine.registers.pc
        written = fault.write if fault.kind is FaultKind.ROM_WRITE else None
        if fault.kind is FaultKind.OUTSIDE and self.places.data[pc]:
            came = "" if fault.address == pc else f", after {self.image.describe(fault.address)}"
            self._tell(
                "data_execution",
                FaultKind.DATA,
                pc,
                f"{{at}} is data in the source but is executed{came}",
                fault,
            )
        elif written is not None and self.places.stray[written.address]:
            sentence = written.describe("which is in no memory area of the program's layout")
            self._tell("stray_writes", FaultKind.STRAY_WRITE, fault.address, sentence, fault)
        elif written is not None and checks.rom_writes == "warn":
            self._tell("rom_writes", fault.kind, fault.address, fault.sentence, fault)
        else:
            raise fault

    def _look_at_jump(self) -> None:
        """Judge a jump that comes next."""
        engine, peek = self.engine, self.board.peek
        pc = engine.registers.pc
        if pc not in self.jumps or peek(pc) != _JUMP[0] or peek(pc + 1 & 0xFFFF) != _JUMP[1]:
            return
        page = peek(pc + 2 & 0xFFFF) << 8
        sentence = (
            f"jmp (${page | 0xFF:04X}) at {{at}} takes the high byte of its target from "
            f"${page:04X}: the NMOS 6502 does not go on into the next page"
        )
        fault = EngineFault(FaultKind.INDIRECT_JUMP, engine.name, pc, _JUMP[0], sentence)
        self._tell("indirect_jump", fault.kind, pc, sentence, fault)

    def _tell(
        self, check: str, kind: FaultKind, site: int, sentence: str, fault: EngineFault
    ) -> None:
        """Warn, or raise, as the level of a check says."""
        level = getattr(self.checks, check)
        if level == "error":
            hint = f" (checks={{'{check}': 'off'}} disables this check)"
            sentence += hint
            raise EngineFault(
                kind, fault.engine, site, fault.opcode, sentence, fault.write
            ) from None
        line = self.image.line_at(site)
        place = (check, site if line is None else line.address)
        if level == "warn" and place not in self.warned:
            self.warned.add(place)
            warn(self.image, site, sentence.replace("{at}", self.image.describe(site)), check)


def check_stage(
    stage: StubbedBoard, image: Image, places: CheckedProgram, checks: Checks, guards: Guards
) -> StubbedBoard:
    """A stage whose runs are checked, in place of ``stage``, whose engine has the strict one of
    ``guards``. ``image`` is the part of the program that is in sight. Warnings are
    RomproofWarning."""
    known = places.stage
    if known is not None and known.is_for(stage, image, checks, guards):
        known.warned.clear()
        known.count = 0
        return known
    jumps = places.jumps if checks.indirect_jump != "off" else frozenset()
    if guards.strict is guards.lax and guards.lax is guards.base and not jumps:
        return stage
    places.stage = CheckedBoard(
        stage.board,
        stage.abi,
        stage.stubs,
        image=image,
        places=places,
        checks=checks,
        guards=guards,
        jumps=jumps,
    )
    return places.stage


def warn(image: Image, address: int, text: str, check: str) -> None:
    """A RomproofWarning at the source line of an address; Python shows it once for each line."""
    line = image.line_at(address)
    name, number = (line.span.source.name, line.span.line) if line else (f"${address:04X}", 1)
    message = f"{text} [{check}]"
    warnings.warn_explicit(RomproofWarning(message), None, name, number, registry=_shown)
