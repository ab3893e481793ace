"""The Game Boy ROM on our own Game Boy: presses on any cycle, what hardware does not forgive."""

from __future__ import annotations

import pytest
from gameboy_watch import Watch
from slow import slow_but

from fairdeck.tarot.draw import Generator, Reduction
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK
from fairdeck.tarot.library import tarot_rom
from fairdeck.tarot.played import orientations
from fairdeck.tarot.shuffle import CARDS, shuffle
from fairdeck.tarot.targets import SM83
from romproof.machine.gameboy.lcd import FRAME
from romproof.machine.gameboy.machine import GameBoy
from romproof.program.image import Image

pytestmark = pytest.mark.xdist_group("tarot-gameboy")
TURN = 42
"""M-cycles of one turn of the loop that times the press."""
PATIENCE = 100 * FRAME


@pytest.fixture(scope="module")
def image() -> Image:
    return tarot_rom(SM83, DEFAULT_FEEDBACK, Reduction.CORRECT).image


class Played:
    """The ROM on our own Game Boy, watched or not."""

    def __init__(
        self, image: Image, fill: int = 0x5A, watched: bool = True, colour: bool = False
    ) -> None:
        self.image = image
        self.machine = GameBoy(image.files[0].data, fill=fill)
        if colour:
            self.machine.registers.a = 0x11
        self.watch = Watch(self.machine, image) if watched else None
        # the counter is the program's own from its first wait on
        self.machine.run(PATIENCE, until={image.address("wait_for_press")})
        self.machine.run(FRAME)

    def read(self, symbol: str, size: int) -> bytes:
        """Memory from a symbol on."""
        first = self.image.address(symbol)
        return bytes(self.machine.peek(first + i) for i in range(size))

    def write(self, symbol: str, data: bytes) -> None:
        """Change work RAM from a symbol on."""
        space, first = self.machine.memory.space, self.image.address(symbol)
        for address, byte in enumerate(data, first):
            space.store[space.write_pages[address >> 8] + (address & 0xFF)] = byte

    def press(self, *keys: str, after: int = FRAME) -> None:
        """Press keys, each ``after`` M-cycles, and wait until the program waits again."""
        for key in keys:
            self.machine.run(after)
            waits = self.read("waits", 2)
            self.machine.press(key)
            assert self.machine.run_until(lambda _: self.read("waits", 2) != waits, PATIENCE)  # noqa: B023
            self.machine.release(key)
            self.machine.run(FRAME)


@pytest.mark.slow
def test_presses_on_any_cycle_give_the_deck_of_their_seed(image: Image) -> None:
    played = Played(image, watched=False)
    seeds = []
    for number in range(3):
        played.press("start", after=4 * FRAME + 1001 * number)
        seeds.append(int.from_bytes(played.read("seed", 4), "big"))
        made = shuffle(Generator(seeds[-1]))
        assert tuple(played.read("deck", CARDS)) == made.deck
        assert tuple(played.read("orientation", CARDS)) == orientations(made.generator)
        played.press("b")
    assert len(set(seeds)) == 3


@pytest.mark.slow
def test_every_turn_of_the_loop_is_another_seed(image: Image) -> None:
    seeds = []
    for turns in range(3):
        played = Played(image, watched=False)
        played.press("start", after=3 * FRAME + turns * TURN)
        seeds.append(played.read("seed", 4))
    assert len(set(seeds)) == 3


@pytest.mark.slow_cases("True")
@pytest.mark.parametrize("colour", slow_but([True], [False, True]))
def test_nothing_is_done_that_the_machine_does_not_forgive(image: Image, colour: bool) -> None:
    """Colours take time. Our machine has none, but when the program takes it for one that has, it
    writes at the same addresses in the same cycles."""
    played = Played(image, colour=colour)
    played.press("select", "up", "right", "down", "b", "start", "a", "a", "a", "a")
    played.press(
        "select", "right", "down", "up", "left", "b", "select", "start", "a", "b", "select"
    )
    played.write("seed", bytes(4))
    played.press("start", "up", "start")
    assert (played.read("screen", 1), played.read("seed", 4)) == (b"\x02", b"\x10\0\0\0")
    assert played.watch is not None
    assert played.watch.faults == []
    assert played.watch.vram_writes > 10_000


@pytest.mark.slow
def test_what_memory_holds_at_the_start_changes_nothing(image: Image) -> None:
    decks = []
    for fill in (0x00, 0x5A, 0xFF):
        played = Played(image, fill, watched=False)
        played.press("start", "a", "select", "right", after=3 * FRAME)
        screen = bytes(played.machine.peek(0x9800 + i) for i in range(0x400))
        decks.append((played.read("seed", 4), played.read("deck", CARDS), screen))
    assert decks[0] == decks[1] == decks[2]


@pytest.mark.slow
def test_the_watch_sees_what_it_is_for(image: Image) -> None:
    """With the wait for VBlank taken out the same keys are faults."""
    rom = bytearray(image.files[0].data)
    rom[image.address("wait_for_vblank")] = 0xC9  # ret
    machine = GameBoy(bytes(rom))
    watch = Watch(machine, image)
    machine.run(20 * FRAME)
    for key in ("start", "a"):
        machine.press(key)
        machine.run(3 * FRAME)
        machine.release(key)
        machine.run(5 * FRAME)
    assert any("switches the screen off" in fault for fault in watch.faults)
    assert any("writes to VRAM" in fault for fault in watch.faults)
