"""The timers of a CIA (6526): 16 bits that count down and are loaded from a latch.

What is asked of a timer goes through stages: it counts from the third cycle after the write that
starts it on, and is loaded in the second one after the write that asks for it. One that reaches
0 is loaded at once, and does not count in the next cycle: its period is its latch and one more.
Source: the stages as VICE and libsidplayfp have them (``ciatimer``), which are after the tests
of Wolfgang Lorenz.
"""

from __future__ import annotations

from romproof.engine.space import NEVER

START, ONE_SHOT, LOAD = 0x01, 0x08, 0x10
"""Bits of the control registers CRA and CRB."""


class Timer:
    """A timer. ``at`` is the last cycle it has gone through.

    With ``counts_cycles`` it counts cycles, else the calls of ``count_one``.
    """

    def __init__(self) -> None:
        self.at = 0
        self.counter = self.latch = 0xFFFF
        self.running = self.one_shot = False
        self.counts_cycles = True
        self._counts_next = self._counts = False
        """Whether it counts in the cycle after next, and in the next one."""
        self._single = False
        """Whether an event came that it is to count."""
        self._load_stages = 0
        """1 when it was asked to load, 2 a cycle later."""
        self._was_one_shot = False
        self._loads = False
        """Whether it is being loaded in this cycle."""
        self.toggle = True
        """Changes whenever it runs out; true when it is started."""
        self.ran_out_at = -1

    def control(self, value: int) -> None:
        """Take the bits of a control register, written in the cycle ``at``."""
        if value & START and not self.running:
            self.toggle = True
        self.running, self.one_shot = bool(value & START), bool(value & ONE_SHOT)
        if value & LOAD:
            self._load_stages |= 1

    def set_latch(self, value: int, high: bool) -> None:
        """Write half of the latch; a stopped timer is loaded when it is the upper half."""
        self.latch = self.latch & 0xFF | value << 8 if high else self.latch & 0xFF00 | value
        if self._loads or (high and not self.running):
            self.counter = self.latch

    def count_one(self) -> None:
        """In the cycle ``at`` came one of the events that it counts."""
        self._single = True

    def advance(self, to: int) -> int | None:
        """Go through the cycles up to ``to``; the first in which the timer ran out, if any."""
        first = None
        while self.at < to:
            if self._steady:
                self._glide(to)
                if self.at == to:
                    break
            if self._cycle() and first is None:
                first = self.at
        return first

    def next_event(self) -> int:
        """A cycle after ``at`` before which the timer does not run out; NEVER when it cannot."""
        if not self._steady:
            return self.at + 1
        return self.at + max(self.counter, 1) if self._counts else NEVER

    @property
    def _steady(self) -> bool:
        """Whether it does the same in each cycle until it runs out."""
        if self._load_stages or self._single or self._loads or self._was_one_shot != self.one_shot:
            return False
        return self._counts_next == self._counts == (self.running and self.counts_cycles)

    def _glide(self, to: int) -> None:
        """Steady: go to the cycle before the one in which the timer runs out, or to ``to``."""
        if self._counts:
            to = min(to, self.at + max(self.counter - 1, 0))
            self.counter -= to - self.at
        self.at = to

    def _cycle(self) -> bool:
        """One cycle; whether the timer runs out in it."""
        self.at += 1
        if self._counts and self.counter:
            self.counter -= 1
        self._counts = self._counts_next or (self._single and self.running)
        self._counts_next = self.running and self.counts_cycles
        self._single = False
        self._loads = bool(self._load_stages & 2)
        self._load_stages = self._load_stages << 1 & 2
        runs_out = self._counts and not self.counter
        if runs_out:
            self._loads, self.toggle, self.ran_out_at = True, not self.toggle, self.at
            if self.one_shot or self._was_one_shot:
                self.running = self._counts_next = False
        self._was_one_shot = self.one_shot
        if self._loads:
            self.counter = self.latch
            self._counts = False
        return runs_out
