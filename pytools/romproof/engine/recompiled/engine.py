"""The engine ``recompiled``: the interpreter of ``llvm``, and translated code where it pays."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from romproof.engine.base import LoopExit, clear_bits
from romproof.engine.llvm.compile import compile_module
from romproof.engine.llvm.engine import LlvmEngine
from romproof.engine.llvm.interpreter import FUNCTION
from romproof.engine.llvm.running import (
    SLICE,
    Interpreter,
    RunFunction,
    buffer_address,
    interpreter_for,
)
from romproof.engine.llvm.state import ExitCode as ExitCode
from romproof.engine.llvm.weave import Weave
from romproof.engine.probe import Probed
from romproof.engine.protocol import Observer, Stop
from romproof.engine.recompiled.discover import discover
from romproof.engine.recompiled.translate import HEAD, translation, units_driver
from romproof.engine.recompiled.translated import Translated
from romproof.engine.recompiled.units import Units
from romproof.engine.space import (
    CODE,
    ENTRY,
    NEVER,
    ON_FETCH,
    ON_READ,
    ON_WRITE,
    OUTSIDE,
    READ_CALL,
    SIZE,
    STOP,
    WRITE_CALL,
    AddressSpace,
)

if TYPE_CHECKING:
    from romproof.engine.batch import BatchResult

WARM_UP = 2_000_000
"""Cycles that are interpreted before a translation is made: it takes a second or so."""
PATIENT = 1_000_000_000
"""The same for jobs that nobody called long: the interpreter takes about as much time for so
many as a translation does, so that a wrong guess costs twice the time at most."""
MAX_TRANSLATIONS = 16
"""A program that changes its code again and again is left to the interpreter in the end."""
SHELF = 4
"""Translations that stay in memory: for other guards, for programs that alternate."""
MANY_MISSES = 200
"""So often the interpreter had to help out when a new translation is considered."""

MAX_PAGED = 5_000
"""Instructions of code in pages that are translated at most. More than that is hardly ever one
program's: data was taken for code, and to translate it takes minutes."""

_ASSUMED = ON_READ | (ON_WRITE & ~CODE)
_KEPT = bytes(action & _ASSUMED for action in range(256))
_MAY_BE_CODE = bytes(not action & (OUTSIDE | ON_READ) for action in range(256))


@cache
def _with_exploration(weave: Weave, banked: bool) -> Weave:
    """The variant with an eye on writes to code and on where jumps lead."""
    return replace(weave, writes=True, explore=True, banked=banked)


def _collect_actions(space: AddressSpace) -> bytes:
    """What translated code assumes to be asked for at each address. ENTRY marks those where that
    may change on the way, so that it has to look."""
    actions = space.actions.translate(_KEPT)
    for first, last in space.varying:
        for address in range(first, last + 1):
            actions[address] |= READ_CALL | WRITE_CALL | ENTRY
    return bytes(actions)


class _TooLarge(Exception):
    """There is too much code to be translated; the interpreter goes on."""


class RecompiledEngine(LlvmEngine):
    """Translates what it has seen executed, and what can be reached from there.

    Only address spaces are translated whose pages stay where they are. Whatever translated code
    cannot do is done by the interpreter: device accesses, unknown addresses, instructions whose
    bytes have changed, and all while an interrupt line is active. ``warm_up`` is the number of
    cycles after which code is translated; ``translations`` counts how often it was.
    """

    name = "recompiled"

    def __init__(
        self, cpu: str = "mos6502", space: AddressSpace | None = None, warm_up: int = WARM_UP
    ) -> None:
        super().__init__(cpu, space)
        self.warm_up = warm_up
        self.many_misses = MANY_MISSES
        self.translations = 0
        self._interpreted = 0
        self._explored = bytearray(SIZE)
        self._state.explored = buffer_address(self._explored)
        self._translated: Translated | None = None
        self._shelf: list[Translated] = []
        self._volatile: set[int] = set()
        self._too_large = False
        self._units: Units | None = None
        self._units_run: Any = None
        self._beneath: Interpreter
        self._units_version = -1
        self._hidden = False
        """Whether translated code may have read marked bytes that are its own, see ``probe``."""
        self._stops: set[int] = set()

    def run(self, until: Collection[int], limit: int, observer: Observer | None = None) -> Stop:
        """See the protocol. Code at the addresses ``until`` is not translated."""
        self.keep_out(until)
        if self._units is not None:
            self._units.drop_at(until)
        if self._translated is not None and not self._translated.placed.isdisjoint(until):
            self._drop()
        return super().run(until, limit, observer)

    def weave(self) -> Weave:
        """As the interpreter's, with an eye on writes to code and on where jumps lead."""
        weave = super().weave()
        if not self._translates(weave):
            return weave
        return _with_exploration(weave, self.space.windows is not None)

    def _translates(self, weave: Weave) -> bool:
        """Whether code may be translated: no instrumentation, no banks that are switched."""
        woven = self._recording is not None or self._later is not None
        if woven or self._too_large:
            return False
        if self.space.windows is not None:
            return True
        return self.space.fixed and self.translations < MAX_TRANSLATIONS

    def _go(self, limit: int) -> tuple[LoopExit, int]:
        weave = self.weave()
        if not self._translates(weave):
            return super()._go(limit)
        if self.space.windows is not None:
            return self._go_banked(weave, limit)
        self.note_head(self._registers.pc)
        if self._translated is None and self._interpreted < self.warm_up:
            start = self.cycles
            part = min(limit, start + self.warm_up - self._interpreted)
            outcome = super()._go(part)
            self._interpreted += self.cycles - start
            if outcome[0] is not LoopExit.LIMIT or self.cycles >= limit:
                return outcome
        while True:
            try:
                self._prepare(weave)
            except _TooLarge:
                self._too_large = True
                return super()._go(limit)
            code = self._run(self._translated.run if self._translated else self._runner(), limit)
            if code is ExitCode.MODIFIED:
                self._note_modified()
            elif code is ExitCode.MISSES:
                self._note_misses()
            elif code is ExitCode.LIMIT and self.cycles < limit:
                weave = self.weave()
            else:
                return self._exit(code)
            if not self._translates(weave):
                return super()._go(limit)

    def _go_banked(self, weave: Weave, limit: int) -> tuple[LoopExit, int]:
        """See ``_go``, for memory whose banks are switched."""
        units = self._units or self._new_units()
        units.note_head(self._registers.pc)
        if self._interpreted < self.warm_up:
            start = self.cycles
            part = min(limit, start + self.warm_up - self._interpreted)
            outcome = super()._go(part)
            self._interpreted += self.cycles - start
            if outcome[0] is not LoopExit.LIMIT or self.cycles >= limit:
                return outcome
            units.note_head(self._registers.pc)
        self._prepare_units(units, weave)
        while True:
            code = self._run(self._units_run, limit)
            state = self._state
            if code is ExitCode.LIMIT and self.cycles < limit:
                weave = self.weave()
                self._prepare_units(units, weave)
                continue
            if code is not ExitCode.MISSES:
                return self._exit(code)
            state.misses, state.most_misses = 0, 2 * state.most_misses
            self._grow(units)

    def _run(self, run: Any, limit: int) -> ExitCode:
        """See LlvmEngine. All cycles count for the interpreter: its own are not told apart."""
        if isinstance(run, Interpreter):
            return super()._run(run, limit)
        start, self._state.interpreter = self.cycles, self._beneath.address
        code = super()._run(run, limit)
        self._beneath.count((self.cycles - start) % SLICE)
        return code

    def _new_units(self) -> Units:
        units = self._units = Units(self.cpu, self.space)
        state = self._state
        state.entries, state.functions, state.explored, state.where = units.addresses
        return units

    def _prepare_units(self, units: Units, weave: Weave) -> None:
        """Make sure that what is translated is what is there, and asked for."""
        space, state = self.space, self._state
        again = units.drop_changed()
        if (units.weave, self._units_version) != (weave, space.version):
            assumed = _collect_actions(space)
            if (units.weave, units.assumed) != (weave, assumed):
                units.use(weave, assumed)
                run = compile_module(f"units {weave!r}", FUNCTION, lambda: units_driver(weave))
                self._units_run = RunFunction(run.address)
                self._beneath = interpreter_for(weave)
                state.misses, state.most_misses = 0, self.many_misses
            self._units_version = space.version
            self._mark(units)
        state.modified = 0
        if again or not units.units:
            self._grow(units)

    def _grow(self, units: Units) -> None:
        """Translate what was seen and is not translated yet."""
        allowed = bytes(self.space.actions.translate(_MAY_BE_CODE))
        units.grow(allowed, self._stops)
        self._mark(units)
        self.translations = units.made

    def _mark(self, units: Units) -> None:
        clear_bits(self.space.actions, ENTRY)
        units.mark()
        self._state.early = units.longest

    def _go_on(self, run: Any) -> ExitCode:
        """See LlvmEngine. Between two heads, the interpreter brings translated code to the next:
        to begin there is no reason to translate anew."""
        if isinstance(run, Interpreter):
            return self._call(run)
        state, actions = self._state, self.space.actions
        self._beneath.count(SLICE)
        state.interpreter = self._beneath.address
        if not actions[state.r_pc] & ENTRY:
            state.fetch_mask = ON_FETCH
            code = self._call(self._beneath)
            if code is not ExitCode.FETCH or actions[state.r_pc] & (STOP | OUTSIDE):
                return code
            if state.cycles >= state.limit:
                return ExitCode.LIMIT
        return self._call(run)

    def _prepare(self, weave: Weave) -> None:
        """Make sure that what is translated is what is there."""
        current, space = self._translated, self.space
        same = current is not None and (current.weave, current.version) == (weave, space.version)
        if current is not None and same and current.holds(space.read_all()):
            return
        self._drop()
        self._install(self.translation_for(weave))

    def translation_for(self, weave: Weave) -> Translated:
        """A translation of what was seen, for a variant of compiled code."""
        actions, seen = _collect_actions(self.space), self.space.read_all()
        for known in self._shelf:
            fits = known.weave == weave and known.actions == actions
            if fits and known.placed.isdisjoint(self._stops) and known.holds(seen):
                return known
        translated = self._translate(weave, actions)
        self._shelf = [translated, *self._shelf[: SHELF - 1]]
        return translated

    def _translate(self, weave: Weave, assumed: bytes) -> Translated:
        """Translate what can be reached; ``assumed`` is what is asked for at each address."""
        space, memory = self.space, bytes(self.space.read_all())
        allowed = bytearray(space.actions.translate(_MAY_BE_CODE))
        for address in self._volatile | self._stops:
            allowed[address] = 0
        heads = [a for a, how in enumerate(self._explored) if how == HEAD]
        most = SIZE if space.flat else MAX_PAGED
        code = discover(self.cpu, memory, heads, bytes(allowed), most, weave.interrupts)
        if len(code.placed) > most:
            raise _TooLarge
        translated = Translated(weave, code, memory, assumed, space)
        actions = bytearray(assumed)
        for address in translated.watched:
            actions[address] |= CODE
        key = hashlib.sha256(repr((weave, sorted(code.heads), sorted(code.placed))).encode())
        key.update(bytes(actions) + translated.bytes)
        compilation = compile_module(
            key.hexdigest(),
            FUNCTION,
            lambda: translation(weave, code, bytes(actions)),
        )
        translated.run = RunFunction(compilation.address)
        self.translations += 1
        return translated

    def _install(self, translated: Translated) -> None:
        """Use a translation from now on."""
        translated.mark(self.space.actions)
        translated.version = self.space.version
        state = self._state
        self._beneath = interpreter_for(translated.weave)
        state.modified, state.misses, state.most_misses = 0, 0, MANY_MISSES
        self._translated = translated
        self._note_hidden()

    @property
    def probed(self) -> Probed | None:
        """See Probing."""
        return None if self._hidden else super().probed

    def probe(self, marked: bytes | None) -> None:
        """See Probing."""
        super().probe(marked)
        self._hidden = False
        self._note_hidden()

    def _note_hidden(self) -> None:
        """Translated code does not read its own bytes any more: it would not be noticed."""
        if self._marked is not None and self._translated is not None:
            self._hidden |= self._translated.touches(self._marked.given)

    @property
    def translated_instructions(self) -> int:
        """How many of ``instructions`` translated code has executed; the rest was interpreted."""
        return int(self._state.translated)

    def translate_only(self, code: Collection[int], heads: Collection[int]) -> None:
        """Translate what is at the addresses ``code`` before it is ever executed, and nothing
        else. Execution may begin at ``heads``."""
        self._stops = set(range(SIZE)).difference(code)
        self.warm_up = 0
        for address in heads:
            self.note_head(address)

    # what batch.py needs besides (its protocol Translating)

    @property
    def explored_address(self) -> int:
        """Where compiled code notes what it has seen."""
        return buffer_address(self._explored)

    def keep_out(self, addresses: Collection[int]) -> None:
        """Do not translate what is at these addresses."""
        self._stops.update(addresses)

    def note_head(self, address: int) -> None:
        """Execution may begin here."""
        if self._units is not None:
            self._units.note_head(address)
        else:
            self._explored[address] |= HEAD

    def translates(self, places: Collection[tuple[int, int]]) -> bool:
        """Whether any of the places, (address, size), holds code that was executed."""
        return any(any(self._explored[max(0, a - 2) : a + size]) for a, size in places)

    def _run_many(self, registers: Any, *arguments: Any) -> BatchResult:
        from romproof.engine.recompiled.batch import run_translated

        return run_translated(self, registers, *arguments)

    def _drop(self) -> None:
        if self._translated is not None:
            clear_bits(self.space.actions, ENTRY | CODE)
            self._translated = None

    def _forget(self) -> None:
        """The translation in use is no good any more."""
        self._shelf = [known for known in self._shelf if known is not self._translated]
        self._drop()

    def _note_modified(self) -> None:
        """The program has changed its code: those bytes are left to the interpreter."""
        assert self._translated is not None
        self._state.modified = 0
        changed = self._translated.find_changed(self.space.read_all())
        if changed:  # it may have put the old bytes back
            self._volatile |= changed
            self._forget()

    def _note_misses(self) -> None:
        """Jumps often led to where nothing was translated: is there more to translate?"""
        assert self._translated is not None
        self._state.misses = 0
        heads = {a for a, how in enumerate(self._explored) if how == HEAD}
        if heads <= self._translated.tried:
            self._state.most_misses = NEVER
        else:
            self._forget()
