"""The engine ``plain``: exact to the bus cycle, any device, every cycle can be watched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any

from romproof.engine import faults
from romproof.engine.base import LoopExit, MicrocodeEngine
from romproof.engine.faults import CpuFault, check_stack
from romproof.engine.inputs import Unsupported
from romproof.engine.plain.core import BusCycle, Core, WatchedCore
from romproof.engine.plain.emit import function
from romproof.engine.plain.notes import access_notes, join_watchers, notes_for
from romproof.engine.space import ON_FETCH, AddressSpace
from romproof.engine.stack import moves
from romproof.isa.cpus import cpu_named

InstructionFunction = Callable[[Any], int | None]
"""What ``emit`` makes of a microcode: acts on a Core; may give the microcode to go on with."""


class PlainEngine(MicrocodeEngine):
    """Executes the microcode on Python ints."""

    name = "plain"

    def __init__(self, cpu: str = "mos6502", space: AddressSpace | None = None) -> None:
        super().__init__(cpu, space)
        self._number = 0
        self._core = Core(self.space, self._jam)
        self._values: Callable[[Core], tuple[Any, ...]] = attrgetter(*self.cpu.registers)
        self._watch: Callable[[BusCycle], None] | None = None

    def watch(self, watch: Callable[[BusCycle], None] | None) -> None:
        """Tell ``watch`` of every bus cycle from now on; None ends that."""
        self._watch = watch
        self._prepare_recording()

    @property
    def executing(self) -> int:
        """See MicrocodeEngine."""
        return self._core.start

    def registers_now(self) -> dict[str, int]:
        """The registers by their names in the microcode, within a run too: for who watches."""
        return dict(zip(self.cpu.registers, map(int, self._values(self._core)), strict=True))

    def _prepare_recording(self) -> None:
        """A core that reports its bus cycles, if there is a callback for them."""
        observers = [] if self._watch is None else [self._watch]
        if self._recording is not None and self._recording.access:
            observers.append(access_notes(self._recording.access))
        self._core = Core(self.space, self._jam)
        if observers:
            core = WatchedCore(self.space, self._jam)
            core.watch = observers[0] if len(observers) == 1 else join_watchers(*observers)
            self._core = core

    def reset(self) -> None:
        """See MicrocodeEngine."""
        sequence = self.cpu.sequences.get("reset")
        if sequence is None:
            raise Unsupported(
                f"{self.cpu.name} has no reset sequence of its own: a boot ROM sets its registers"
            )
        core = self._load()
        _, table = functions(self.cpu.name)
        core.fetch(core.pc)  # as before every sequence, and of no use
        table[sequence](core)
        self._save()

    def _go(self, limit: int) -> tuple[LoopExit, int]:
        core = self._load()
        prologue, table = functions(self.cpu.name)
        actions = self.space.actions
        done = 0
        last = pc = core.pc
        top = self._guard.stack_top if self._guard else None
        no_brk = self._guard is not None and not self._guard.brk
        stack_moves = _moves(self.cpu.name) if self._guard else ()
        note = notes_for(self.cpu, core, self._recording, self._later)
        names, values = _fragile(self.cpu.name)
        before = values(core)
        try:
            while True:
                core.start = pc
                number: int | None = prologue(core)
                if top is not None:
                    self._step_guarded(core, number, top, no_brk, table, stack_moves)
                else:
                    while number is not None:
                        self._number = number
                        number = table[number](core)
                done += 1
                last, began = pc, before[0]
                pc, before = core.pc, values(core)
                if note is not None:
                    note(began, core.cycles, last, pc, self._number)
                if core.stopped:
                    core.stopped = False
                    return LoopExit.STOPPED, last
                if actions[pc] & ON_FETCH:
                    return LoopExit.FETCH, last
                if core.cycles >= limit:
                    return LoopExit.LIMIT, last
        except CpuFault as fault:
            put_back(core, names, before)
            raise self._fault(fault, pc) from None
        except BaseException:  # of a device, a watchpoint, an observer
            put_back(core, names, before)
            raise
        finally:
            self.instructions += done
            self._save()

    def _step_guarded(
        self,
        core: Any,
        number: int | None,
        top: int,
        no_brk: bool,
        table: Sequence[InstructionFunction],
        stack_moves: Sequence[Any],
    ) -> None:
        """One instruction, with an eye on BRK and on the stack pointer."""
        while number is not None:
            self._number = number
            if no_brk and number == self.cpu.software_interrupt:
                raise faults.brk()
            move = stack_moves[number]
            if move is None:
                number = table[number](core)
                continue
            stack = self.cpu.stack
            registers = {name: getattr(core, name) for name in self.cpu.registers}
            following = table[number](core)
            before, after = registers[stack], getattr(core, stack)
            if after != before:
                wrong = check_stack(self.cpu, number, move, before, after, top)
                if wrong is not None:
                    for name, value in registers.items():
                        setattr(core, name, value)
                    raise wrong
                self.lowest_s = min(self.lowest_s, after)
            number = following

    def _jam(self) -> None:
        raise faults.jam(self.cpu.opcodes[self._number])

    def _load(self) -> Any:
        core: Any = self._core
        core.cycles = self.cycles
        for name, value in self._registers.unpack().items():
            setattr(core, name, value)
        return core

    def _save(self) -> None:
        self.cycles = self._core.cycles
        self._registers.pack(self.registers_now())


@cache
def functions(cpu: str) -> tuple[InstructionFunction, tuple[InstructionFunction, ...]]:
    """The prologue of a CPU, and what each of its microcodes does, as functions on a Core."""
    described = cpu_named(cpu)
    source = [function("prologue", described.prologue)]
    source += [function(f"f{n}", microcode) for n, microcode in enumerate(described.microcode)]
    names: dict[str, Any] = {}
    exec(compile("\n".join(source), f"<{cpu}>", "exec"), names)
    return names["prologue"], tuple(names[f"f{n}"] for n in range(len(described.microcode)))


@cache
def _fragile(cpu: str) -> tuple[tuple[str, ...], Callable[[Any], tuple[int, ...]]]:
    """What a prologue changes of a Core, and a function that gives the values: they are put
    back when the instruction turns out to be a fault."""
    names = ("cycles", *(name for name, _ in cpu_named(cpu).prologue.results))
    return names, attrgetter(*names)


def put_back(core: Any, names: tuple[str, ...], values: tuple[int, ...]) -> None:
    """As if the instruction had not begun."""
    for name, value in zip(names, values, strict=True):
        setattr(core, name, value)


_moves = cache(lambda cpu: moves(cpu_named(cpu)))
