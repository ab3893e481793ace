"""What kind of image a file is, and its memory; kinds that cannot be loaded are refused by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath

from romproof.formats.errors import BadImage
from romproof.formats.gameboy import gameboy_layout, is_gameboy
from romproof.formats.ines import MAGIC
from romproof.formats.layout import C64, FLAT, GAME_BOY, MACHINES, NES, ImageLayout
from romproof.formats.nes import nes_layout
from romproof.formats.plain import is_basic_program, plain_layout, prg_layout
from romproof.text.diagnostic import suggest

ENDINGS = {".nes": NES, ".gb": GAME_BOY, ".gbc": GAME_BOY, ".sgb": GAME_BOY, ".prg": C64}
"""The machine that a file is for by the ending of its name; .bin is for any."""
PLAIN = (".bin", ".rom", ".raw")
"""Endings of files with nothing but the bytes of a program."""

_DISK = (
    "a disk image: extract the program, for example with c1541 -attach DISK -read NAME "
    "game.prg, and load the .prg"
)
_TAPE = "a tape image: extract the program and load the .prg"
_LINK = "an object file: link it, and load the image"
_PACKED = "packed: unpack it and load the image in it"
_HEX = "an image as text: convert it, as with objcopy -I ihex -O binary, and load the .bin"
_PATCH = "a patch, not an image: apply it, and load the image"
_OTHER = "for a machine with another CPU"
REFUSED: Mapping[str, str] = {
    **dict.fromkeys((".d64", ".d71", ".d81", ".g64", ".d80", ".d82"), _DISK),
    **dict.fromkeys((".t64", ".tap"), _TAPE),
    **dict.fromkeys((".o", ".obj", ".o65", ".lib", ".a"), _LINK),
    **dict.fromkeys((".zip", ".gz", ".7z", ".rar", ".xz", ".bz2", ".tgz"), _PACKED),
    **dict.fromkeys((".hex", ".ihx", ".s19", ".srec", ".mot"), _HEX),
    **dict.fromkeys((".ips", ".bps", ".ups", ".xdelta"), _PATCH),
    ".crt": "a cartridge of the C64: convert it, as with cartconv -i GAME.crt -o game.bin, and "
    "load the .bin with its load address ($8000)",
    ".p00": "a program in a container of PC64: remove its first 26 bytes and load the .prg",
    ".fds": "a disk of the Famicom Disk System, which is not supported; images for the NES are "
    ".nes",
    ".unf": "a UNIF image: convert it to NES 2.0 (.nes)",
    ".unif": "a UNIF image: convert it to NES 2.0 (.nes)",
    ".nsf": "music of the NES: cut off its header of 128 bytes and load the .bin with its load "
    "address (bytes 8 and 9 of the header)",
    ".gbs": "music of the Game Boy: cut off its header of 112 bytes and load the .bin with its "
    "load address",
    ".sid": "music of the C64: cut off its header and load the .prg",
    ".xex": "an executable of the Atari, with several blocks: cut out one and load the .bin "
    "with its load address",
    ".a26": "a cartridge of the Atari 2600: rename it to .bin and give its load address ($F000)",
    ".elf": "an ELF file: convert it, as with objcopy -O binary, and load the .bin with its load "
    "address",
    **dict.fromkeys((".sfc", ".smc", ".gba", ".sms", ".gg", ".md", ".gen", ".pce"), _OTHER),
    **dict.fromkeys((".n64", ".z64", ".nds", ".ws", ".wsc", ".lnx", ".vb"), _OTHER),
}
"""What a file is that cannot be loaded, and what to do, by the ending of its name."""

_BEGINNINGS: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", ".zip"),
    (b"\x1f\x8b\x08", ".gz"),
    (b"7z\xbc\xaf\x27\x1c", ".7z"),
    (b"Rar!", ".rar"),
    (b"FDS\x1a", ".fds"),
    (b"UNIF", ".unf"),
    (b"NESM\x1a", ".nsf"),
    (b"GBS\x01", ".gbs"),
    (b"C64 CARTRIDGE   ", ".crt"),
    (b"C64File\0", ".p00"),
    (b"C64-TAPE-RAW", ".tap"),
    (b"C64 tape image", ".t64"),
    (b"C64S tape", ".t64"),
    (b"GCR-1541", ".g64"),
    (b"PSID", ".sid"),
    (b"RSID", ".sid"),
    (b"\x7fELF", ".elf"),
    (b"Uzna", ".o"),
    (b"naUz", ".lib"),
    (b"RGB9", ".o"),
    (b"PATCH", ".ips"),
    (b"BPS1", ".bps"),
    (b"!<arch>", ".a"),
)
"""How files begin that cannot be loaded, whatever they are called."""
_D64_SIZES = (174_848, 175_531, 196_608, 197_376)
"""Bytes of 35 or 40 tracks, with or without a byte of errors for each sector (VICE manual)."""


def is_image(name: str) -> bool:
    """Whether a file is called like an image, one that is refused among them."""
    ending = PurePath(name).suffix.lower()
    return ending in ENDINGS or ending in PLAIN or ending in REFUSED


def cpu_of(name: str, machine: str | None = None) -> str:
    """The CPU of an image as far as its name, or its machine, says it."""
    kind = machine or ENDINGS.get(PurePath(name).suffix.lower(), FLAT)
    return CPUS.get(kind, "6502")


def read_layout(
    name: str,
    data: bytes,
    machine: str | None = None,
    load_address: int | None = None,
    cpu: str | None = None,
    bases: Mapping[int, int] | None = None,
) -> ImageLayout:
    """The memory of the image ``name``; ``data`` is its file.

    ``machine`` None: what the file says, then its name's ending. ``load_address`` is for .bin.
    ``bases`` are addresses of an NES cartridge's pages. Raises BadImage.
    """
    if machine is not None and machine not in MACHINES:
        hint = suggest(machine, MACHINES) or f"the machines are {', '.join(MACHINES)}"
        raise BadImage(f"no machine '{machine}'; {hint}")
    try:
        return _layout(name, data, machine, load_address, cpu, bases)
    except BadImage as fault:
        raise BadImage(f"{name}: {fault}") from None


def refuse_others(name: str, data: bytes) -> None:
    """Raise BadImage for a file that is no image which can be loaded, and says so: an archive, a
    disk, an object."""
    try:
        _refuse(PurePath(name).suffix.lower(), data)
    except BadImage as fault:
        raise BadImage(f"{name}: {fault}") from None


def _layout(
    name: str,
    data: bytes,
    machine: str | None,
    load_address: int | None,
    cpu: str | None,
    bases: Mapping[int, int] | None,
) -> ImageLayout:
    ending = PurePath(name).suffix.lower()
    _refuse(ending, data)
    kind = _kind(ending, data, machine, load_address)
    if kind != FLAT and cpu is not None and (cpu == "sm83") != (kind == GAME_BOY):
        raise BadImage(f"the CPU of this image is {CPUS[kind]}, not {cpu}")
    if load_address is not None and kind != FLAT:
        raise BadImage("a load address is for .bin only: this image contains its addresses")
    if kind == NES:
        return _as(machine, nes_layout(name, data, bases))
    if kind == GAME_BOY:
        return _as(machine, gameboy_layout(name, data))
    if kind == C64:
        return prg_layout(name, data, machine or C64)
    assert load_address is not None
    if machine == NES:
        raise BadImage(
            "the machine 'nes' takes a whole image, which begins with a header, 'NES' and $1A; "
            "bytes with a load address are for flat memory"
        )
    return plain_layout(name, data, load_address, machine or FLAT, cpu or "6502")


CPUS = {NES: "2a03", GAME_BOY: "sm83", C64: "6510"}
"""The CPUs of the machines, as images have them; flat memory is anybody's."""


def _as(machine: str | None, layout: ImageLayout) -> ImageLayout:
    """The layout for a machine that was asked for: flat memory takes everything."""
    if machine in (None, layout.machine):
        return layout
    if machine == FLAT:
        return replace(layout, machine=FLAT)
    raise BadImage(f"this is an image for the machine '{layout.machine}', not '{machine}'")


def _refuse(ending: str, data: bytes) -> None:
    for beginning, kind in _BEGINNINGS:
        if data.startswith(beginning) and ending not in (".prg",):
            raise BadImage(f"this is {_describe_kind(kind)}")
    if ending in REFUSED:
        raise BadImage(f"this is {_describe_kind(ending)}")
    if ending not in (*ENDINGS, *PLAIN) and len(data) in _D64_SIZES:
        raise BadImage(f"this is {_describe_kind('.d64')}")


def _describe_kind(kind: str) -> str:
    return f"{REFUSED[kind]} [{kind}]"


def _kind(ending: str, data: bytes, machine: str | None, load_address: int | None) -> str:
    """How the file is to be read: as one of the machines, FLAT for bare bytes."""
    if data.startswith(MAGIC) or ending == ".nes":
        return NES
    if load_address is not None and ending not in ENDINGS:
        return FLAT
    if ENDINGS.get(ending) == GAME_BOY or is_gameboy(data):
        return GAME_BOY
    if ending == ".prg" or (machine is None and ending not in PLAIN and is_basic_program(data)):
        return C64
    if machine in (GAME_BOY, NES) or (machine == C64 and ending not in PLAIN):
        return machine
    if ending in PLAIN or machine is not None:
        raise BadImage(
            "a file without a header needs a load address (load_address = 0x8000, "
            "--load-address 0x8000)"
        )
    known = ", ".join((*ENDINGS, *PLAIN))
    raise BadImage(
        f"the name does not select a kind of image; the kinds are {known}. A program of the "
        'C64 may have any name if the machine is given (machine = "c64", --machine c64)'
    )
