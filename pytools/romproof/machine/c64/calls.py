"""The KERNAL's calls, as Python: what they do, what they destroy and what they are said to take.

What a call returns is as the Programmer's Reference Guide says, or as the original leaves it
where programs rely on that (Z after GETIN and READST). Registers that it affects are changed
even where the original might have left them alone; nothing must depend on them. Cycles are from
the routine's address through its ``rts``: counted in the original's instructions where it is a
straight line, else a round number that says how costly the call is; neither is the ROM's time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from romproof.engine.registers import Registers
from romproof.machine.c64 import channels, petscii, rom, scan
from romproof.machine.c64.kernal import (
    CARRY,
    CLOCK,
    DEVICE,
    FILE,
    MEMORY_BOTTOM,
    MEMORY_TOP,
    MESSAGES,
    NAME,
    NAME_LENGTH,
    SECONDARY,
    STATUS,
    STOP_KEY,
    TIMEOUT,
    ZERO,
    Kernal,
    lose,
    result,
    set_carry,
)

_DAY = 0x4F1A00
"""Sixtieths of a second."""
_MASKED = 0x04
"""The flag I: IRQs are masked."""
_STOP_PRESSED = 0x7F


def act(kernal: Kernal, address: int, registers: Registers, cycle: int) -> int:
    """Do what the routine at an address does; its cycles, through the rts."""
    handler = HANDLERS[address]
    kernal.cycle = cycle
    handler.function(kernal, registers)
    return handler.cycles


def _setlfs(k: Kernal, r: Registers) -> None:
    k.store[FILE], k.store[DEVICE], k.store[SECONDARY] = r.a, r.x, r.y


def _setnam(k: Kernal, r: Registers) -> None:
    k.store[NAME_LENGTH], k.store[NAME], k.store[NAME + 1] = r.a, r.x, r.y


def _readst(k: Kernal, r: Registers) -> None:
    result(r, k.store[STATUS])
    set_carry(r, k.store[DEVICE] >= 2)


def _setmsg(k: Kernal, r: Registers) -> None:
    k.store[MESSAGES] = r.a
    result(r, k.store[STATUS])


def _settmo(k: Kernal, r: Registers) -> None:
    k.store[TIMEOUT] = r.a


def _limit(at: int) -> KernalAction:
    """MEMTOP and MEMBOT: read with carry set, write with carry clear."""

    def action(k: Kernal, r: Registers) -> None:
        if r.p & CARRY:
            r.x, r.y = k.store[at], k.store[at + 1]
        k.store[at], k.store[at + 1] = r.x, r.y

    return action


def _rdtim(k: Kernal, r: Registers) -> None:
    r.y, r.x, r.a = k.store[CLOCK : CLOCK + 3]
    r.p &= ~_MASKED


def _settim(k: Kernal, r: Registers) -> None:
    k.store[CLOCK : CLOCK + 3] = bytes([r.y, r.x, r.a])
    r.p &= ~_MASKED


def tick(k: Kernal, r: Registers) -> None:
    """UDTIM: the clock goes on, and the stop key is looked at."""
    time = int.from_bytes(k.store[CLOCK : CLOCK + 3], "big") + 1
    k.store[CLOCK : CLOCK + 3] = (0 if time > _DAY else time).to_bytes(3, "big")
    k.store[STOP_KEY] = _STOP_PRESSED if "stop" in k.keyboard.keys else 0xFF
    lose(r, "ax")


def _stop(k: Kernal, r: Registers) -> None:
    pressed = k.store[STOP_KEY] == _STOP_PRESSED or "stop" in k.keyboard.keys
    if pressed:
        channels.clrchn(k, r)
        k.store[scan.COUNT] = 0
    lose(r, "ax")
    r.p = r.p & ~ZERO | (ZERO if pressed else 0)


def _screen(k: Kernal, r: Registers) -> None:
    r.x, r.y = 40, 25


def _iobase(k: Kernal, r: Registers) -> None:
    r.x, r.y = 0x00, 0xDC


def _plot(k: Kernal, r: Registers) -> None:
    if not r.p & CARRY:
        k.editor.move(row=r.x, column=r.y)
        lose(r, "a")
    row, column = k.editor.position
    r.x, r.y = row, column


def _scnkey(k: Kernal, r: Registers) -> None:
    k.scanner.scan(k.keyboard.keys)
    lose(r, "axy")


def _restor(k: Kernal, r: Registers) -> None:
    k.store[rom.VECTORS : rom.VECTORS + 0x20] = rom.vectors()
    lose(r, "axy")


def _vector(k: Kernal, r: Registers) -> None:
    at = r.x | r.y << 8
    for i in range(0x20):
        if r.p & CARRY:
            k.write(at + i, k.store[rom.VECTORS + i])
        else:
            k.store[rom.VECTORS + i] = k.peek(at + i & 0xFFFF)
    lose(r, "axy")


def _cint(k: Kernal, r: Registers) -> None:
    k.editor.prepare()
    k.scanner.prepare()
    k.screen.append(petscii.CLEAR)
    lose(r, "axy")


def _ioinit(k: Kernal, r: Registers) -> None:
    k.reset_chips()
    lose(r, "axy")


def _ramtas(k: Kernal, r: Registers) -> None:
    for first, end in ((0x0002, 0x0100), (0x0200, 0x0400)):
        k.store[first:end] = bytes(end - first)
    k.store[MEMORY_BOTTOM : MEMORY_TOP + 2] = b"\x00\x08\x00\xa0"
    k.store[0x0288] = 4
    lose(r, "axy")


def interrupt(k: Kernal, r: Registers) -> None:
    """What the KERNAL does 60 times a second: the clock, the stop key and the keyboard. Its
    registers are on the stack already."""
    tick(k, r)
    k.scanner.scan(k.keyboard.keys)
    k.fill_buffer()
    lose(r, "y")


KernalAction = Callable[[Kernal, Registers], None]


@dataclass(frozen=True, slots=True)
class Handler:
    """``cycles`` are those from the routine's address through its rts; ``counted`` tells that
    they are the sum of the original's instructions, on the path that is usually taken."""

    name: str
    function: KernalAction
    cycles: int
    counted: bool = False


_ACTIONS: Mapping[str, tuple[KernalAction, int, bool]] = {
    "CINT": (_cint, 20_000, False),
    "IOINIT": (_ioinit, 200, False),
    "RAMTAS": (_ramtas, 500_000, False),
    "RESTOR": (_restor, 1_000, False),
    "VECTOR": (_vector, 1_000, False),
    "SETMSG": (_setmsg, 18, True),
    "MEMTOP": (_limit(MEMORY_TOP), 24, True),
    "MEMBOT": (_limit(MEMORY_BOTTOM), 24, True),
    "SCNKEY": (_scnkey, 300, False),
    "SETTMO": (_settmo, 10, True),
    "READST": (_readst, 23, True),
    "SETLFS": (_setlfs, 15, True),
    "SETNAM": (_setnam, 15, True),
    "OPEN": (channels.open_file, 20_000, False),
    "CLOSE": (channels.close, 10_000, False),
    "CHKIN": (channels.chkin, 2_000, False),
    "CHKOUT": (channels.chkout, 2_000, False),
    "CLRCHN": (channels.clrchn, 28, True),
    "CHRIN": (channels.chrin, 1_000, False),
    "CHROUT": (channels.chrout, 500, False),
    "LOAD": (channels.load, 1_000_000, False),
    "SAVE": (channels.save, 1_000_000, False),
    "SETTIM": (_settim, 19, True),
    "RDTIM": (_rdtim, 30, True),
    "STOP": (_stop, 14, True),
    "GETIN": (channels.getin, 150, False),
    "CLALL": (channels.clall, 33, True),
    "UDTIM": (tick, 76, False),
    "SCREEN": (_screen, 10, True),
    "PLOT": (_plot, 15, True),
    "IOBASE": (_iobase, 10, True),
}
_INTERRUPT_CYCLES = 500
HANDLERS: Mapping[int, Handler] = MappingProxyType(
    {
        call.target: Handler(call.name, *_ACTIONS[call.name])
        for call in rom.CALLS
        if call.name in _ACTIONS
    }
    | {
        rom.IRQ_HANDLER: Handler("the KERNAL's interrupt", interrupt, _INTERRUPT_CYCLES),
        rom.LOAD_ENTRY: Handler("LOAD, its address", channels.load_address, 12),
        rom.SAVE_ENTRY: Handler("SAVE, its addresses", channels.save_addresses, 28),
    }
)
"""By the address at which they act. What ends in a jump has the cycles of an rts in its number."""
