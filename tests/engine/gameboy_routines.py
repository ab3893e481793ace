"""Cartridges of the Game Boy with many small random programs: loops, calls within a bank and to
others, devices in every few instructions, ``halt``, OAM DMA, under timer and LCD interrupts.

Unlike the code of ``gameboy_lockstep.py`` a program stays in its code, so that most of what it
executes is translated once its places were seen (``many_lockstep.py``)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

BANKS = 8
PROGRAMS = 96
"""Programs in a cartridge, twelve in each bank; that in bank 0 stand beside the handlers."""
EACH = PROGRAMS // BANKS
COUNTERS = 0xC7E0
"""Handlers count here, a byte for each interrupt."""
DMA = 0xFF80
"""Where programs call the routine that waits for OAM DMA; ``COPY`` has to be there."""
COPY = bytes.fromhex("e0463e283d20fdc9")
OWN_BANK = 0xC7F0
"""Has to hold the number of the bank that a program is in."""
_FAR, _HANDLERS, _NEAR, _BANK = 0x0150, 0x0180, 0x0300, 0x4000
_SLOT, _SUB = 0x100, 0x40
"""Bytes of a program, and of a routine that programs call; four of them come first in a bank."""
_SUBS = 4

_READ = (0x00, 0x04, 0x05, 0x0F, 0x0F, 0x41, 0x41, 0x44, 0x44, 0x45, 0x24, 0x02, 0x46)
_WRITTEN = (0x04, 0x05, 0x06, 0x00, 0x0F, 0x41, 0x42, 0x43, 0x45, 0x47, 0x4A, 0x4B, 0x12, 0x02)
_ALONE = [
    *range(0x04, 0x40, 8), *range(0x05, 0x40, 8), *range(0x03, 0x34, 0x10), *range(0x07, 0x40, 8),
    *range(0x09, 0x3A, 0x10), *range(0x0B, 0x3C, 0x10),
    *(op for op in range(0x40, 0xC0) if op & 7 != 6 and not 0x70 <= op < 0x78),
]  # fmt: skip
_ALONE = [op for op in _ALONE if op not in (0x33, 0x34, 0x35, 0x3B, 0x39)]
"""Instructions of one byte that change registers only, and not SP."""
_AT_HL = (0x34, 0x35, 0x22, 0x32, 0x2A, 0x3A, 0x77, 0x70, 0x7E, 0x46, 0x86, 0x96, 0xAE, 0xBE)


def first_of(program: int) -> tuple[int, int]:
    """The bank of a program, and its address; they are begun again and again."""
    bank, slot = divmod(program % PROGRAMS, EACH)
    start = _NEAR if bank == 0 else _BANK
    return bank, start + _SUBS * _SUB + slot * _SLOT


def cartridge(seed: int) -> bytes:
    """MBC5 without RAM, with PROGRAMS programs."""
    random, rom = Random(f"routines {seed}"), bytearray(b"\xc9" * BANKS * _BANK)
    far = bytes.fromhex("ea0020cd0040") + bytes((0xFA,)) + OWN_BANK.to_bytes(2, "little")
    _put(rom, _FAR, far + bytes.fromhex("ea0020c9"))
    for number in range(5):
        place = _HANDLERS + 0x40 * number
        _put(rom, 0x40 + 8 * number, b"\xc3" + place.to_bytes(2, "little"))
        _put(rom, place, _handler(random, number))
    for bank in range(BANKS):
        begin = _NEAR if bank == 0 else bank * _BANK
        for number in range(_SUBS):
            body = b"".join(random.choice(_QUIET)(random) for _ in range(random.randint(2, 5)))
            _put(rom, begin + number * _SUB, body[: _SUB - 8] + bytes(7) + b"\xc9")
    for program in range(PROGRAMS):
        bank, address = first_of(program)
        _put(rom, address % _BANK + bank * _BANK, _program(random, bank, address))
    rom[0x147:0x14A] = bytes((0x19, 2, 0))
    rom[0x14D] = -sum(byte + 1 for byte in rom[0x134:0x14D]) & 0xFF
    return bytes(rom)


def _put(rom: bytearray, place: int, code: bytes) -> None:
    rom[place : place + len(code)] = code


def _handler(random: Random, number: int) -> bytes:
    """Saves what it uses, counts, sees to a device now and then."""
    count = b"\x21" + (COUNTERS + number).to_bytes(2, "little") + b"\x34"
    more = b"".join(random.choice((_alone, _device_read, _written))(random) for _ in range(2))
    nested = b"\xfb" if random.random() < 0.15 else b""
    back = b"\xd9" if random.random() < 0.9 else b"\xfb\xc9"
    if random.random() < 0.3:
        return b"\xf5\xe5" + count + b"\xe1\xf1" + back
    saved, restored = b"\xf5\xc5\xd5\xe5", b"\xe1\xd1\xc1\xf1"
    return saved + count + nested + more + restored + back


def _program(random: Random, bank: int, address: int) -> bytes:
    code = bytearray()
    size = random.randint(0x20, 0x70)
    while len(code) < size:
        code += _piece(random, bank)
    if random.random() < 0.85:
        target = address
    else:
        target = first_of(bank * EACH + random.randrange(EACH))[1]
    return bytes(code) + b"\xc3" + target.to_bytes(2, "little")


def _piece(random: Random, bank: int) -> bytes:
    chance = random.random()
    if chance < 0.06:
        return _loop(random)
    if chance < 0.12:
        piece = random.choice(_QUIET)(random)
        return bytes((random.choice((0x20, 0x28, 0x30, 0x38, 0x18)), len(piece))) + piece
    if chance < 0.18:
        near = (_NEAR if bank == 0 else _BANK) + random.randrange(_SUBS) * _SUB
        opcode = random.choice((0xCD, 0xCD, 0xC4, 0xCC, 0xD4, 0xDC))
        return bytes((opcode,)) + near.to_bytes(2, "little")
    if chance < 0.21 and bank:
        return bytes((0x3E, random.randrange(1, BANKS), 0xCD)) + _FAR.to_bytes(2, "little")
    if chance < 0.34:
        return random.choice(_DEVICES)(random)
    return random.choice(_QUIET)(random)


def _alone(random: Random) -> bytes:
    return bytes(random.choices(_ALONE, k=random.randint(2, 6)))


def _prefixed(random: Random) -> bytes:
    number = random.randrange(0x100)
    return bytes((0xCB, number + 1 if number & 7 == 6 else number))


def _number(random: Random) -> bytes:
    opcodes = (0x06, 0x0E, 0x16, 0x1E, 0x26, 0x2E, 0x3E, *range(0xC6, 0x100, 8))
    return bytes((random.choice(opcodes), random.randrange(0x100)))


def _memory(random: Random) -> bytes:
    """A few accesses to WRAM by HL, or one by its address."""
    high = random.choice((*range(0xC0, 0xC7), 0xE1))
    place = bytes((random.randrange(0x100), high))
    if random.random() < 0.3:
        return bytes((random.choice((0xEA, 0xFA, 0x08)),)) + place
    most = bytes(random.choices(_AT_HL, k=random.randint(1, 4)))
    number = random.randrange(0x100) & 0xF8 | 6
    return b"\x21" + place + most + (bytes((0xCB, number)) if random.random() < 0.3 else b"")


def _stack(random: Random) -> bytes:
    push, pop = (random.choice((0xC5, 0xD5, 0xE5, 0xF5)) + n for n in (0, -4))
    return bytes((push,)) + _alone(random) + bytes((pop,))


def _loop(random: Random) -> bytes:
    """With B, which its body leaves alone."""
    allowed = [op for op in _ALONE if not (op < 0x10 or 0x40 <= op < 0x48)]
    body = bytes(random.choices(allowed, k=random.randint(1, 5)))
    if random.random() < 0.3:
        body += random.choice((_device_read, _video))(random)
    return bytes((0x06, random.randint(1, 12))) + body + bytes((5, 0x20, 0xFD - len(body)))


def _device_read(random: Random) -> bytes:
    return bytes((0xF0, random.choice(_READ)))


def _written(random: Random) -> bytes:
    return bytes((0x3E, random.randrange(0x100), 0xE0, random.choice(_WRITTEN)))


def _video(random: Random) -> bytes:
    """VRAM or OAM."""
    high = random.choice((0x80, 0x88, 0x98, 0x9F, 0xFE))
    most = bytes(random.choices(_AT_HL, k=random.randint(1, 4)))
    return b"\x21" + bytes((random.randrange(0x98), high)) + most


def _waiting(random: Random) -> bytes:
    """As games wait, for the mode that STAT shows or for a line."""
    return random.choice(
        (
            bytes.fromhex("f041e60220fa"),
            bytes.fromhex("f041e60320fa"),
            bytes.fromhex("f041cb4f20fa"),
            bytes((0xF0, 0x44, 0xFE, random.randrange(154), 0x38, 0xFA)),
            bytes.fromhex("f00fe60428fa"),
        )
    )


def _filling(random: Random) -> bytes:
    """Bytes to VRAM, or to OAM, before each of which it waits until that can be reached; with B."""
    high = random.choice((0x80, 0x98, 0x98, 0x9F, 0xFE))
    wait = bytes.fromhex(random.choice(("f041e60220fa", "fa41ffe60320f9", "f041cb4f20fa")))
    body = wait + bytes(
        random.choices((0x77, 0x22, 0x2A, 0x7E, 0x34, 0x2C), k=random.randint(1, 3))
    )
    if random.random() < 0.3:
        other = random.choice((_device_read, _scrolled))
        body += other(random) + bytes((random.choice((0x77, 0x22, 0x7E)),))
    place = bytes((0x06, random.randint(2, 20), 0x21, random.randrange(0x90), high))
    return place + body + bytes((5, 0x20, 0xFD - len(body)))


def _scrolled(random: Random) -> bytes:
    """A write on which the lengths of modes depend, or what STAT shows and asks for."""
    value = random.choice((0x3C, 0x3E, 0xAF))  # inc a; ld a, n; xor a
    more = bytes((random.randrange(0x80),)) if value == 0x3E else b""
    return (
        bytes((value,)) + more + bytes((0xE0, random.choice((0x41, 0x43, 0x43, 0x45, 0x4A, 0x4B))))
    )


def _timer(random: Random) -> bytes:
    """An interrupt in each 40 to 1,000 M-cycles."""
    speed, ticks = random.choice(((5, 0x100 - random.randrange(10, 0x100)), (6, 0xC0), (7, 0xF0)))
    return bytes((0x3E, ticks, 0xE0, 0x06, 0x3E, speed, 0xE0, 0x07))


def _halt(random: Random) -> bytes:
    enabled = bytes((0x3E, 4 | random.randrange(4), 0xE0, 0xFF))
    return _timer(random) + enabled + random.choice((b"\xfb\x76\x00", b"\x76\x00", b"\xfb\x00\x76"))


def _enabling(random: Random) -> bytes:
    choices = (b"\xfb", b"\xfb", b"\xf3", bytes((0x3E, random.randrange(0x20), 0xE0, 0xFF)))
    return random.choice(choices)


def _lcd(random: Random) -> bytes:
    value = random.choice((0x91, 0x93, 0xB3, 0x97, 0x11))
    return bytes((0x3E, value, 0xE0, 0x40))


def _copying(random: Random) -> bytes:
    page = 0xC0 | random.randrange(0x1E)
    if random.random() < 0.02:
        return bytes((0x3E, page, 0xE0, 0x46))  # from here: what is fetched is what is copied
    return bytes((0x3E, page, 0xCD)) + DMA.to_bytes(2, "little")


_QUIET: tuple[Callable[[Random], bytes], ...] = (
    _alone, _alone, _alone, _prefixed, _number, _memory, _memory, _stack,
)  # fmt: skip
_DEVICES: tuple[Callable[[Random], bytes], ...] = (
    _device_read, _device_read, _device_read, _written, _written, _video, _video, _waiting,
    _filling, _filling, _timer, _halt, _enabling, _enabling, _lcd, _copying,
)  # fmt: skip
