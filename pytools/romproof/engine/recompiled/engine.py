"""The engine ``recompiled``: the interpreter of ``llvm``, and translated code where it pays."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from romproof.engine.base import Exit, set_bits
from romproof.engine.llvm.compile import Optimise, compiled
from romproof.engine.llvm.engine import LlvmEngine, Run, buffer_address, interpreter_for
from romproof.engine.llvm.interpreter import FUNCTION
from romproof.engine.llvm.state import Code as ExitCode
from romproof.engine.llvm.weave import Weave
from romproof.engine.protocol import Observer, Stop
from romproof.engine.recompiled.discover import discover
from romproof.engine.recompiled.translate import translation
from romproof.engine.recompiled.translated import Translated
from romproof.engine.space import CODE, ENTRY, NEVER, ON_READ, ON_WRITE, OUTSIDE, SIZE, AddressSpace

WARM_UP = 2_000_000
"""Cycles that are interpreted before a translation is made: it takes a second or so."""
MOST_TRANSLATIONS = 16
"""A program that changes its code again and again is left to the interpreter in the end."""
MANY_MISSES = 200
"""So often the interpreter had to help out when a new translation is considered."""

_HEAD = 3
"""In the map of explored addresses: executed, and reached by a jump not in the code."""
_ASSUMED = ON_READ | (ON_WRITE & ~CODE)
_KEPT = bytes(action & _ASSUMED for action in range(256))
_MAY_BE_CODE = bytes(not action & (OUTSIDE | ON_READ) for action in range(256))


class RecompiledEngine(LlvmEngine):
    """Translates what it has seen executed, and what can be reached from there.

    Only flat address spaces are translated. Whatever translated code cannot do is done by the
    interpreter: device accesses, unknown addresses, instructions whose bytes have changed, and
    all while an interrupt line is active. ``warm_up`` is the number of cycles after which code
    is translated; ``translations`` counts how often it was.
    """

    name = "recompiled"

    def __init__(
        self, cpu: str = "mos6502", space: AddressSpace | None = None, warm_up: int = WARM_UP
    ) -> None:
        super().__init__(cpu, space)
        self.warm_up = warm_up
        self.translations = 0
        self._interpreted = 0
        self._explored = bytearray(SIZE)
        self._state.explored = buffer_address(self._explored)
        self._translated: Translated | None = None
        self._volatile: set[int] = set()
        self._stops: set[int] = set()

    def run(self, until: Collection[int], limit: int, observer: Observer | None = None) -> Stop:
        """See the protocol. Code at the addresses ``until`` is not translated."""
        self._stops.update(until)
        if self._translated is not None and not self._translated.placed.isdisjoint(until):
            self._drop()
        return super().run(until, limit, observer)

    def weave(self) -> Weave:
        """As the interpreter's, with an eye on writes to code and on where jumps lead."""
        weave = super().weave()
        return replace(weave, writes=True, explore=True) if self._translates(weave) else weave

    def _translates(self, weave: Weave) -> bool:
        """Whether code may be translated: no instrumentation, no banks."""
        woven = self._recording is not None or self._later is not None
        return not (woven or weave.paged) and self.translations < MOST_TRANSLATIONS

    def _go(self, limit: int) -> tuple[Exit, int]:
        weave = self.weave()
        if not self._translates(weave):
            return super()._go(limit)
        self._explored[self._registers.pc] |= _HEAD
        if self._translated is None and self._interpreted < self.warm_up:
            start = self.cycles
            part = min(limit, start + self.warm_up - self._interpreted)
            found = super()._go(part)
            self._interpreted += self.cycles - start
            if found[0] is not Exit.LIMIT or self.cycles >= limit:
                return found
        while True:
            self._prepare(weave)
            code = self._run(self._translated.run if self._translated else self._runner(), limit)
            if code is ExitCode.MODIFIED:
                self._note_modified()
            elif code is ExitCode.MISSES:
                self._note_misses()
            else:
                return self._exit(code)
            if not self._translates(weave):
                return super()._go(limit)

    def _prepare(self, weave: Weave) -> None:
        """Make sure that what is translated is still what is there."""
        known = self._translated
        memory, space = self.space.store, self.space
        if known is not None and known.weave == weave and known.holds(memory):
            if known.version == space.version:
                return
            if space.actions.translate(_KEPT) == known.actions:
                known.version = space.version
                return
        self._drop()
        self._translated = self._translate(weave)

    def _translate(self, weave: Weave) -> Translated:
        space, memory = self.space, bytes(self.space.store)
        allowed = bytearray(space.actions.translate(_MAY_BE_CODE))
        for address in self._volatile | self._stops:
            allowed[address] = 0
        heads = [a for a, how in enumerate(self._explored) if how == _HEAD]
        code = discover(self.cpu, memory, heads, bytes(allowed))
        assumed = space.actions.translate(_KEPT)
        found = Translated(weave, code, memory, bytes(assumed), space.version)
        actions = bytearray(assumed)
        for address in found.addresses:
            actions[address] |= CODE
        key = hashlib.sha256(repr((weave, sorted(code.heads), self._stops)).encode())
        key.update(bytes(actions) + found.bytes)
        compilation = compiled(
            key.hexdigest(),
            FUNCTION,
            lambda: translation(weave, code, bytes(actions)),
            Optimise.QUICKLY,
        )
        found.run = Run(compilation.address)
        for address in found.addresses:
            space.actions[address] |= CODE
        for head in code.heads:
            space.actions[head] |= ENTRY
        state = self._state
        state.interpreter = ctypes.cast(interpreter_for(weave), ctypes.c_void_p).value
        state.modified, state.misses, state.most_misses = 0, 0, MANY_MISSES
        self.translations += 1
        return found

    def _drop(self) -> None:
        if self._translated is not None:
            set_bits(self.space.actions, ENTRY, None)
            set_bits(self.space.actions, CODE, None)
            self._translated = None

    def _note_modified(self) -> None:
        """The program has changed its code: those bytes are left to the interpreter."""
        assert self._translated is not None
        self._state.modified = 0
        changed = self._translated.changed(self.space.store)
        if changed:  # it may have put the old bytes back
            self._volatile |= changed
            self._drop()

    def _note_misses(self) -> None:
        """Jumps often led to where nothing was translated: is there more to translate?"""
        assert self._translated is not None
        self._state.misses = 0
        heads = {a for a, how in enumerate(self._explored) if how == _HEAD}
        if heads <= self._translated.tried:
            self._state.most_misses = NEVER
        else:
            self._drop()
