"""What the CPU's side of the PPU knows of the picture: notes for the beam, and what it tells.

The registers that lines move are worked out when somebody asks. As long as a program leaves the PPU
alone while lines are drawn, or only scrolls, that takes a formula; once it switches lines on or off
in the middle of them, or accesses memory there, the beam is asked.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from dataclasses import dataclass

from romproof.engine.chips import Chip, fields, in_python
from romproof.machine.nes.mappers import KIB
from romproof.machine.nes.picture import log as kinds
from romproof.machine.nes.picture.beam import Beam
from romproof.machine.nes.picture.evaluation import Evaluation
from romproof.machine.nes.picture.log import BLOCKS, PictureLog
from romproof.machine.nes.picture.replay import SIZE
from romproof.machine.nes.regions import Region
from romproof.machine.nes.scroll import HEIGHT, Scroll
from romproof.machine.nes.video_memory import AT_PALETTE, AT_VRAM, VideoMemory


@dataclass(frozen=True, slots=True)
class FrameShown:
    """A complete picture, with what it was drawn from; see Replay. ``nametables`` and ``oam`` are
    as they were at its end."""

    pixels: bytes
    under: bytes
    origins: bytes
    begins: tuple[int, ...]
    nametables: tuple[bytes, ...]
    oam: bytes


class Drawer:
    """Runs a beam: in Python, or compiled where the machine's engine is."""

    def __init__(self, beam: Beam) -> None:
        self._beam = beam
        self._is_compiled = False
        self._run: Callable[[int], int] | None = None

    def choose(self, engine: str) -> None:
        """``engine`` is what the CPU runs on."""
        self._is_compiled = engine != "plain"

    def run(self, dot: int) -> None:
        """Let the beam run up to a dot."""
        if self._run is None:
            self._run = self._make()
        self._run(dot)

    def _make(self) -> Callable[[int], int]:
        if not self._is_compiled:
            return self._beam.run
        from romproof.engine.llvm.chips.method import CompiledMethod

        return CompiledMethod(self._beam, "run")


@fields({"_shown": 12})
class PpuPicture(Chip):
    """``log``, ``beam`` and ``scroll`` are its parts; ``oam``, ``address`` and ``buffer`` are
    sprite memory, the place in it that $2004 accesses, and the byte that $2007 gives next.
    ``is_odd``: lines of this frame are drawn in a way that only the beam knows."""

    address: int
    buffer: int
    is_odd: bool
    is_stale: bool
    """Whether drawing was switched off in the middle of lines, so that the beam has in it what was
    not put out: no frame may be skipped."""
    _shown: MutableSequence[int]
    """The banks of graphics that the beam knows of."""

    def __init__(self, region: Region, memory: VideoMemory, fill: int) -> None:
        self.region = region
        self.memory = memory
        self.scroll = Scroll(region)
        self.log = PictureLog()
        self.oam = bytearray([fill]) * 0x100
        evaluation = Evaluation()
        evaluation.oam[:] = [fill] * 0x100
        self.beam = Beam(
            region, self.log, evaluation, memory.chr, memory.vram, memory.palette, bool(memory.rom)
        )
        self.drawer = Drawer(self.beam)
        self.log.begin = -1
        for place in range(8):
            self.beam.patterns[place] = memory.patterns[place]
        for place in range(4):
            self.beam.nametables[place] = memory.nametables[place]

    @property
    def parts(self) -> tuple[Chip, ...]:
        """Itself and what it is made of, without the log."""
        beam = self.beam
        return self, self.scroll, beam, beam.evaluation, beam.units

    def note(self, kind: int, place: int, value: int, dot: int) -> None:
        """Something was done that the beam has to know, after a dot."""
        if self.log.is_full(0):
            self.draw(dot)
        self.log.note(kind, place, value, dot)

    def note_dma(self, dot: int) -> None:
        """All of OAM was written."""
        if self.log.is_full(1):
            self.draw(dot)
        block = self.log.block % BLOCKS
        at = block * 0x100
        self.log.blocks[at : at + 0x100] = self.oam[0:0x100]
        self.log.block += 1
        self.log.note(kinds.DMA, 0, block, dot)

    def note_banks(self, dot: int) -> None:
        """Other graphics may be in sight: those that are."""
        for place in range(8):
            self._note_bank(place, self.memory.patterns[place], dot)
        for place in range(4):
            self._note_bank(8 + place, self.memory.nametables[place], dot)

    def complete(self, dot: int, is_drawn: bool, mask: int, control: int, odd: bool) -> None:
        """The last line was drawn: this is dot 0 of line 240."""
        if self.is_odd:
            self.ask(dot)
            self.is_odd = self.beam.busy
            self.is_stale = not is_drawn
        elif is_drawn:
            self.address = 0
        if self.beam.reached < self.log.begin:
            if self.is_stale:
                self.draw(self.log.begin)
            else:
                self.beam.skip()
        log, scroll = self.log, self.scroll
        log.begin, log.mark, log.mark_block = dot, log.count, log.block
        log.registers[0], log.registers[1] = scroll.v, scroll.t
        log.registers[2] = scroll.second << 3 | scroll.fine_x
        log.registers[3] = self.buffer << 8 | self.address
        log.registers[4] = control << 8 | mask
        log.registers[5] = odd
        log.number += 1

    def begin_odd(self, dot: int) -> None:
        """From now on only the beam knows, until the frame is complete."""
        self.is_odd = True
        self.ask(dot)

    @in_python
    def draw(self, dot: int) -> None:
        """Let the beam draw up to a dot."""
        self.drawer.run(dot)

    @in_python
    def ask(self, dot: int) -> None:
        """Let the beam draw up to a dot, and take over what it knows."""
        self.drawer.run(dot)
        beam, scroll = self.beam, self.scroll
        scroll.v, scroll.t, scroll.at = beam.v, beam.t, dot
        self.buffer = beam.buffer
        self.address = beam.evaluation.address
        self.oam[:] = bytes(beam.evaluation.oam)
        self.memory.vram[:] = beam.vram
        self.memory.palette[:] = bytes(beam.palette)
        if not self.memory.rom:
            self.memory.chr[:] = beam.chr

    @in_python
    def tiles_of_sprites(self) -> int:
        """What $2004 gives while lines are drawn, when the beam was asked."""
        return self.beam.tiles_of_sprites()

    def shown(self) -> FrameShown:
        """The last complete picture; it is drawn now."""
        self.drawer.run(self.log.begin)
        beam, half = self.beam, 1 - self.beam.half
        pixels = slice(half * SIZE, (half + 1) * SIZE)
        return FrameShown(
            bytes(beam.pixels[pixels]),
            bytes(beam.under[pixels]),
            bytes(beam.origins[pixels]),
            tuple(beam.begins[half * HEIGHT : (half + 1) * HEIGHT]),
            tuple(bytes(beam.vram[at : at + KIB]) for at in beam.nametables),
            bytes(beam.evaluation.oam),
        )

    def remember(self) -> tuple[bytes, ...]:
        """What is in memory, for ``note_changes``."""
        memory = self.memory
        patterns = b"" if memory.rom else bytes(memory.chr)
        return bytes(memory.vram), bytes(memory.palette), patterns, bytes(self.oam)

    def note_changes(self, before: tuple[bytes, ...], dot: int) -> None:
        """Note what somebody has changed in memory since it was remembered."""
        now = self.remember()
        parts = (
            (kinds.MEMORY, AT_VRAM),
            (kinds.MEMORY, AT_PALETTE),
            (kinds.MEMORY, 0),
            (kinds.SPRITES, 0),
        )
        for (kind, first), old, new in zip(parts, before, now, strict=True):
            for place, byte in enumerate(new):
                if byte != old[place]:
                    self.note(kind, first + place, byte, dot)

    def _note_bank(self, place: int, value: int, dot: int) -> None:
        if self._shown[place] != value:
            self._shown[place] = value
            self.note(kinds.BANK, place, value, dot)
