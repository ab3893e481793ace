"""The machines there are, by the names that manifests have for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from romproof.engine.engines import make_engine
from romproof.isa.abi import abi_of
from romproof.machine.board import BadBoard, Board, BoardError
from romproof.machine.flat import FlatBoard
from romproof.machine.memory import MemoryMap
from romproof.program.image import Image
from romproof.text.diagnostic import suggest

FLAT = "flat"


def _gameboy(image: Image, engine: str, fill: int, model: str | None) -> Board:
    from romproof.machine.gameboy.board import GameBoyBoard

    return GameBoyBoard(_file(image, "gameboy"), engine, fill, model)


def _nes(image: Image, engine: str, fill: int, model: str | None) -> Board:
    from romproof.machine.nes.machine import Nes

    _refuse_model("nes", model)
    return Nes(_file(image, "nes"), engine, fill, warm=True)


def _c64(image: Image, engine: str, fill: int, model: str | None) -> Board:
    from romproof.machine.c64.machine import C64

    _refuse_model("c64", model)
    return C64(image.blocks, engine, fill)


Maker = Callable[[Image, str, int, str | None], Board]
MACHINES: Mapping[str, Maker] = MappingProxyType({"nes": _nes, "gameboy": _gameboy, "c64": _c64})
"""Those that are more than flat memory: each is made of an image, the name of an engine, the byte
that memory holds where nothing was written, and the model. An NES is warm: its PPU obeys from the
start."""


def machine_names() -> tuple[str, ...]:
    """All names of machines."""
    return (FLAT, *MACHINES)


def make_board(
    machine: str,
    image: Image,
    engine: str,
    fill: int,
    flat: MemoryMap | None,
    model: str | None = None,
) -> Board:
    """A machine with a program in it; ``flat`` is its memory where that is flat, ``model`` which
    Game Boy it is, what the ROM's header says when not given.

    Raises BoardError for another name, and what the machine raises for an image that is not for
    it; NoSuchEngine, MissingExtra.
    """
    if machine == FLAT:
        assert flat is not None, "flat memory has no machine to load a program"
        abi = abi_of(image.cpu)
        return FlatBoard(make_engine(engine, abi.cpu), flat, abi)
    if machine not in MACHINES:
        hint = suggest(machine, machine_names()) or f"there are: {', '.join(machine_names())}"
        raise BoardError(f"no machine '{machine}'; {hint}")
    try:
        return MACHINES[machine](image, engine, fill, model)
    except BadBoard as fault:
        name = image.files[0].name if image.files else "the program"
        raise type(fault)(
            f'{name}: {fault}; in flat memory (machine = "flat", --machine flat) its routines can '
            f"be called"
        ) from None


def _refuse_model(machine: str, model: str | None) -> None:
    if model is not None:
        raise BoardError(f"the machine '{machine}' has no model '{model}': only Game Boys differ")


def _file(image: Image, machine: str) -> bytes:
    """The image's file. Raises BoardError when there is none."""
    if not image.files:
        raise BoardError(f"the machine '{machine}' needs a ROM file, and the image has none")
    return image.files[0].data
