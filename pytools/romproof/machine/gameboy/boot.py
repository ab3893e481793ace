"""The state in which the boot ROM of a DMG (revisions A to C) leaves the machine."""

from __future__ import annotations

from romproof.engine.registers import Sm83Registers
from romproof.machine.gameboy import line as at
from romproof.machine.gameboy.header import CartridgeHeader
from romproof.machine.gameboy.interrupts import Interrupt

DIVIDER = 0xABCC >> 2
"""The counter behind DIV, in M-cycles."""
REQUESTED = Interrupt.VBLANK
LCD = bytes.fromhex("91 00 00 00 00 00 FF FC FF FF 00 00")
"""$FF40 to $FF4B."""
DOT = at.LAST * at.LINE + 404
"""The dot of the frame that comes next."""
_Z, _HC = 0x80, 0x30


def registers(header: CartridgeHeader) -> Sm83Registers:
    """The CPU's registers. The boot ROM has added up the header, which shows in H and C."""
    flags = _Z | (_HC if header.checksum else 0)
    return Sm83Registers(
        a=0x01, f=flags, b=0x00, c=0x13, d=0x00, e=0xD8, h=0x01, l=0x4D, sp=0xFFFE, pc=0x0100
    )
