"""The state in which the boot ROM leaves the machine: a DMG (revisions A to C), or a Color."""

from __future__ import annotations

from collections.abc import MutableSequence
from dataclasses import dataclass

from romproof.engine.registers import Sm83Registers
from romproof.machine.gameboy import line as at
from romproof.machine.gameboy.header import CartridgeHeader
from romproof.machine.gameboy.interrupts import Interrupt
from romproof.machine.gameboy.model import Console

REQUESTED = Interrupt.VBLANK
_Z, _HC = 0x80, 0x30
_LOGO_SUMS = (0x43, 0x58)
"""With one of these sums the Color's boot ROM writes the logo's map to VRAM: HL is behind it."""


@dataclass(frozen=True, slots=True)
class PowerOnState:
    """``divider`` is the counter behind DIV, in M-cycles; ``dot`` that of the frame that comes
    next; ``lcd`` the registers $FF40 to $FF4B; ``chosen`` the bits of P1 for groups of buttons;
    ``dma`` the last page of OAM DMA; ``wave`` the wave memory, empty for what memory holds."""

    divider: int
    dot: int
    lcd: bytes
    chosen: int
    dma: int
    wave: bytes


_LCD = bytes.fromhex("91 00 00 00 00 00 FF FC FF FF 00 00")
_LCD_OF_CGB = bytes.fromhex("91 00 00 00 00 00 00 FC 00 00 00 00")
_WAVE = b"\x00\xff" * 8

DMG = PowerOnState(0xABCC >> 2, at.LAST * at.LINE + 404, _LCD, 0x00, 0xFF, b"")
COLOR = PowerOnState(0x1EA0 >> 2, 144 * at.LINE + 172, _LCD_OF_CGB, 0x00, 0x00, _WAVE)
"""The first two numbers are those of Gambatte (libgambatte/src/initstate.cpp)."""
COMPATIBLE = PowerOnState(0x2678 >> 2, 148 * at.LINE + 360, _LCD_OF_CGB, 0x30, 0x00, _WAVE)
"""A Color with a cartridge that does not use colours. DIV is that of mooneye-test-suite
(``boot_div-cgbABCDE``). The LCD is about as many dots later as DIV says, compared with COLOR: 356
would be just as many, and is not what the test ``stat_irq_blocking`` finds."""


def begin_of(kind: Console) -> PowerOnState:
    """The state of the devices."""
    if not kind.is_cgb:
        return DMG
    return COLOR if kind.in_color else COMPATIBLE


def registers(header: CartridgeHeader, kind: Console) -> Sm83Registers:
    """The CPU's registers (Pan Docs, "CPU registers" at power-up). The DMG's boot ROM has added up
    the header, which shows in H and C; the Color's the title of games by Nintendo, in B."""
    if not kind.is_cgb:
        flags = _Z | (_HC if header.checksum else 0)
        return Sm83Registers(
            a=0x01, f=flags, b=0x00, c=0x13, d=0x00, e=0xD8, h=0x01, l=0x4D, sp=0xFFFE, pc=0x0100
        )
    if kind.in_color:
        return Sm83Registers(
            a=0x11, f=_Z, b=0x00, c=0x00, d=0xFF, e=0x56, h=0x00, l=0x0D, sp=0xFFFE, pc=0x0100
        )
    pair = 0x991A if header.title_sum in _LOGO_SUMS else 0x007C
    return Sm83Registers(
        a=0x11, f=_Z, b=header.title_sum, c=0x00, d=0x00, e=0x08,
        h=pair >> 8, l=pair & 0xFF, sp=0xFFFE, pc=0x0100,
    )  # fmt: skip


def shows_logo(header: CartridgeHeader, kind: Console) -> bool:
    """Whether the logo is still in the map when the boot ROM ends."""
    return not kind.is_cgb or (not kind.in_color and header.title_sum in _LOGO_SUMS)


_LOGO = slice(0x104, 0x134)
_LOGO_TILES, _LOGO_MAP, _LOGO_WIDTH = 0x0010, 0x1904, 12
"""Where the logo's tiles begin in VRAM, and its two rows of tiles in the map."""
_TRADEMARK = bytes.fromhex("3C 42 B9 A5 B9 A5 42 3C")
_NEXT_ROW = 0x20


def draw_logo(rom: bytes, vram: MutableSequence[int], first: int, with_map: bool) -> None:
    """Write to VRAM, which begins at ``first``, what the boot ROM leaves there: the logo of the
    cartridge's header, each of its pixels twice as wide and high, and a trademark sign behind it
    (Pan Docs, "Power-Up Sequence"; the sign: SameBoy, BootROMs). The Color's leaves the tiles only,
    but for some old cartridges."""
    rows = [_doubled(half) for byte in rom[_LOGO] for half in (byte >> 4, byte & 0x0F)]
    rows = [row for row in rows for _ in range(2)] + list(_TRADEMARK)
    for number, row in enumerate(rows):  # only the first of both bits of a colour is set
        vram[first + _LOGO_TILES + 2 * number] = row
    if not with_map:
        return
    for number in range(2 * _LOGO_WIDTH):
        line, column = divmod(number, _LOGO_WIDTH)
        vram[first + _LOGO_MAP + _NEXT_ROW * line + column] = number + 1
    vram[first + _LOGO_MAP + _LOGO_WIDTH] = 2 * _LOGO_WIDTH + 1


def _doubled(bits: int) -> int:
    """Four bits, each of them twice."""
    return sum(3 << 2 * number for number in range(4) if bits >> number & 1)
