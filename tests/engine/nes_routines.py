"""The same as ``gameboy_routines.py`` for the NES, a mapper for each number: MMC3's, sound's and
the sample channel's IRQ, NMI, OAM and sample DMA, the PPU's registers, banks."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

MAPPERS = (0, 1, 2, 3, 4, 7)
PROGRAMS = 96
COUNTERS = 0xE0
"""Handlers count in the zero page: NMI here, IRQ one further."""
_PIECE, _SLOT, _SUB, _SUBS = 0x2000, 0xC0, 0x40, 4
"""Bytes of the smallest bank, of a program, of a routine that programs call; so many of them."""
_FIRST = _SUBS * _SUB
_NMI, _IRQ = 0x1F00, 0x1F80
"""Handlers, in each of the banks."""
_ALONE = bytes.fromhex("0a4a2a6aaaa88a98e8c8ca881838b8d8f8eaba1a")
_IMMEDIATE = bytes.fromhex("a9a2a069e9290949c9e0c00b4bcbeb80")
_PAGE0 = bytes.fromhex("a585a686a48465e5c524e6c60646266607274767 87a7c7e7b59575f5d6f6163656")
_RAM = bytes.fromhex("ad8d0d2d4d6dcdedeece0e4eac8caebd9db999fede1e5d7ddb0f2faf8f")
_READ = (0x2002, 0x2002, 0x2004, 0x2007, 0x4015, 0x4015, 0x4016, 0x3FFA, 0x5000, 0x2003)
_WRITTEN = (
    0x2000, 0x2001, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x4003, 0x4010, 0x4015, 0x4016, 0x4017,
)  # fmt: skip
_BRANCHES = (0x10, 0x30, 0x50, 0x70, 0x90, 0xB0, 0xD0, 0xF0)


def mapper_of(seed: int) -> int:
    """Which board a cartridge has."""
    return MAPPERS[seed % len(MAPPERS)]


def pieces_of(mapper: int) -> int:
    """How many of the smallest banks."""
    return 4 if mapper in (0, 3) else 8


def home(mapper: int, piece: int) -> tuple[int, int | None, int]:
    """Where a piece is when its programs run: the address, and the window that has to show a bank
    for that; None: it is there anyhow."""
    if mapper in (0, 3):
        return 0x8000 + piece * _PIECE, None, 0
    if mapper == 7:
        return 0x8000 + piece % 4 * _PIECE, 0, piece // 4
    if piece >= 6:
        return 0xC000 + (piece - 6) * _PIECE, None, 0
    address = 0x8000 + piece % 2 * _PIECE
    return (address, piece % 2, piece) if mapper == 4 else (address, 0, piece // 2)


def first_of(mapper: int, program: int) -> tuple[int, int]:
    """The piece of a program, and its address."""
    piece, slot = divmod(program % PROGRAMS, PROGRAMS // pieces_of(mapper))
    return piece, home(mapper, piece)[0] + _FIRST + slot * _SLOT


def cartridge(seed: int) -> bytes:
    """With PROGRAMS programs."""
    random, mapper = Random(f"routines {seed}"), mapper_of(seed)
    count = pieces_of(mapper)
    program = bytearray(b"\x60" * count * _PIECE)
    for piece in range(count):
        base, place = home(mapper, piece)[0], piece * _PIECE
        for number in range(_SUBS):
            body = b"".join(random.choice(_QUIET)(random) for _ in range(random.randint(2, 5)))
            _put(
                program, place + number * _SUB, body[: _SUB - 4].ljust(_SUB - 1, b"\xea") + b"\x60"
            )
        _put(program, place + _NMI, _handler(random, mapper, 0))
        _put(program, place + _IRQ, _handler(random, mapper, 1))
        for number in range(PROGRAMS // count):
            at = _FIRST + number * _SLOT
            _put(program, place + at, _program(random, mapper, base, base + at))
        vectors = (0xE000 + _NMI, 0xE000 + _FIRST, 0xE000 + _IRQ)
        _put(program, place + _PIECE - 6, b"".join(v.to_bytes(2, "little") for v in vectors))
    flags = (mapper & 0x0F) << 4 | random.randrange(2)
    header = b"NES\x1a" + bytes((len(program) // 0x4000, 1, flags)) + bytes(9)
    return header + bytes(program) + bytes(_PIECE)


def _put(program: bytearray, place: int, code: bytes) -> None:
    program[place : place + len(code)] = code


def _word(opcode: int, address: int) -> bytes:
    return bytes((opcode, address & 0xFF, address >> 8))


def _handler(random: Random, mapper: int, number: int) -> bytes:
    """Counts, sees to what asks; and to a device now and then."""
    code = b"\x48" + bytes((0xE6, COUNTERS + number))
    if number:
        code += _word(0xAD, 0x4015)
        if mapper == 4:
            code += _word(0x8D, 0xE000) + _word(0x8D, 0xE001)
        code += bytes((0xA9, random.choice((0x10, 0x10, 0)))) + _word(0x8D, 0x4015)
    if random.random() < 0.5:
        code += random.choice((_device_read, _ram))(random)
    if random.random() < 0.2:
        code += b"\x58\xea\x78"
    return code + b"\x68\x40"


def _program(random: Random, mapper: int, base: int, address: int) -> bytes:
    code = bytearray()
    size = random.randint(0x20, 0x60)
    while len(code) < size:
        code += _piece(random, mapper, base)
    if random.random() < 0.85:
        return bytes(code) + _word(0x4C, address)
    return bytes(code) + _word(0x4C, base + _FIRST + random.randrange(10) * _SLOT)


def _piece(random: Random, mapper: int, base: int) -> bytes:
    chance = random.random()
    if chance < 0.07:
        return _loop(random)
    if chance < 0.13:
        piece = random.choice(_QUIET)(random)
        return bytes((random.choice(_BRANCHES), len(piece))) + piece
    if chance < 0.19:
        return _word(0x20, random.choice((base, 0xE000)) + random.randrange(_SUBS) * _SUB)
    if chance < 0.205:
        return _banks(random, mapper)
    if chance < 0.21:
        return b"\x00\xea"
    if chance < 0.30:
        return random.choice(_DEVICES)(random)
    if chance < 0.32:
        return _asking(random, mapper)
    return random.choice(_QUIET)(random)


def _alone(random: Random) -> bytes:
    return bytes(random.choices(_ALONE, k=random.randint(1, 4)))


def _immediate(random: Random) -> bytes:
    return bytes((random.choice(_IMMEDIATE), random.randrange(0x100)))


def _page0(random: Random) -> bytes:
    return bytes((random.choice(_PAGE0), random.randrange(0xE0)))


def _ram(random: Random) -> bytes:
    return _word(random.choice(_RAM), random.randrange(0x0300, 0x0700))


def _pointer(random: Random) -> bytes:
    """A pointer, and an access by it."""
    at = random.randrange(0xD0)
    setting = bytes((0xA9, random.randrange(0x100), 0x85, at, 0xA9, random.randrange(3, 7)))
    return setting + bytes((0x85, at + 1, random.choice((0xB1, 0x91, 0x71, 0xD1, 0xB3)), at))


def _stack(random: Random) -> bytes:
    push, pull = random.choice(((0x48, 0x68), (0x48, 0x68), (0x08, 0x28)))
    return bytes((push,)) + _immediate(random) + bytes((pull,))


def _loop(random: Random) -> bytes:
    """With X, which its body leaves alone."""
    body = b"".join(
        random.choice((bytes((random.choice(b"\x0a\x4a\x88\xc8\x18\x98"),)), _page0_a(random)))
        for _ in range(random.randint(1, 4))
    )
    if random.random() < 0.3:
        body += _device_read(random)
    return bytes((0xA2, random.randint(1, 12))) + body + bytes((0xCA, 0xD0, 0xFD - len(body)))


def _page0_a(random: Random) -> bytes:
    return bytes((random.choice(b"\xa5\x85\x65\xe6\xb5\x95\x45"), random.randrange(0xC0)))


def _device_read(random: Random) -> bytes:
    return _word(random.choice((0xAD, 0x2C, 0xAC)), random.choice(_READ))


def _written(random: Random) -> bytes:
    opcode = random.choice((0x8D, 0x8D, 0x8E, 0x8C))
    return bytes((0xA9, random.randrange(0x100))) + _word(opcode, random.choice(_WRITTEN))


def _by_index(random: Random) -> bytes:
    """Near the registers by an index, with its dummy read."""
    return _word(random.choice((0xBD, 0xB9, 0x9D)), random.choice((0x1FF0, 0x1F80, 0x3FC0, 0x20F8)))


def _waiting(random: Random) -> bytes:
    return random.choice((_word(0x2C, 0x2002) + b"\x10\xfb", _word(0xAD, 0x2002) + b"\x30\xfb"))


def _masked(random: Random) -> bytes:
    return random.choice((b"\x58", b"\x58", b"\x78"))


def _copying(random: Random) -> bytes:
    return bytes((0xA9, random.randrange(8))) + _word(0x8D, 0x4014)


def _asking(random: Random, mapper: int) -> bytes:
    """IRQs in a few hundred cycles, again and again."""
    if mapper == 4 and random.random() < 0.7:
        shown = bytes((0xA9, 0x18)) + _word(0x8D, 0x2001) + bytes((0xA9, 8)) + _word(0x8D, 0x2000)
        lines = bytes((0xA9, random.randrange(8))) + _word(0x8D, 0xC000) + _word(0x8D, 0xC001)
        return shown + lines + _word(0x8D, 0xE001) + b"\x58"
    rate = bytes((0xA9, 0x80 | random.randrange(8, 16))) + _word(0x8D, 0x4010)
    one = bytes((0xA9, 0)) + _word(0x8D, 0x4013)
    return rate + one + bytes((0xA9, 0x10)) + _word(0x8D, 0x4015) + b"\x58"


def _banks(random: Random, mapper: int) -> bytes:
    """Another bank, and on at a program's begin wherever that is now."""
    base = 0x8000 + random.randrange(4) * _PIECE
    start = base + _FIRST + random.randrange(PROGRAMS // pieces_of(mapper)) * _SLOT
    if mapper == 1:
        address, byte = random.choice((0xE000, 0xE000, 0xA000)), random.randrange(4)
        code = bytes((0xA9, byte)) + (_word(0x8D, address) + b"\x4a") * 5
    elif mapper == 4:
        which = random.choice((6, 7))
        code = bytes((0xA9, which)) + _word(0x8D, 0x8000)
        code += bytes((0xA9, random.randrange(8))) + _word(0x8D, 0x8001)
    else:
        code = bytes((0xA9, random.randrange(8))) + _word(0x8D, 0x8000 | random.randrange(0x8000))
    return code + _word(0x4C, start)


_QUIET: tuple[Callable[[Random], bytes], ...] = (
    _alone, _alone, _immediate, _immediate, _page0, _page0, _ram, _ram, _pointer, _stack,
)  # fmt: skip
_DEVICES: tuple[Callable[[Random], bytes], ...] = (
    _device_read, _device_read, _written, _written, _by_index, _waiting, _masked, _copying,
)  # fmt: skip
