"""The NES ROM on our own 6502, with a strict console around it: RAM, timing, sound, every card.

What is compared here in the picture's memory, cynes shows: see test_tarot_nes.py.
"""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from nes_console import FRAME, Console
from tarot_screens import COLUMNS, ROWS, Shown, back, difference, edge, face, small

from fairdeck.tarot.cards import NAMES
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK, next_byte
from fairdeck.tarot.nes import KEYS, nes_rom
from fairdeck.tarot.played import Screen, orientations
from fairdeck.tarot.runs import Request, on_model
from fairdeck.tarot.shuffle import CARDS
from romproof import Image, Machine, Rom, Verdict, bounds, prove

pytestmark = pytest.mark.xdist_group("tarot-nes")
needs_z3 = pytest.mark.skipif(find_spec("z3") is None, reason="there is no z3: romproof[prove]")
NAMES_FIRST, NAME_COLUMNS, LEFT, TOP = 0x2000, 32, 6, 6
NOISE, PULSE = range(0x400C, 0x4010), range(0x4000, 0x4004)


@pytest.fixture(scope="module")
def image() -> Image:
    return nes_rom(DEFAULT_FEEDBACK, Reduction.CORRECT).image


@pytest.fixture
def machine(image: Image) -> Machine:
    return Rom(image).machine()


def press(console: Console, *keys: str) -> None:
    """Press keys one after the other, each until the program waits again."""
    for key in keys:
        before = console.read("waits", 2)
        console.press(KEYS[key], 1, 1)
        for _ in range(60):
            if console.read("waits", 2) != before:
                break
            console.run(1)
        else:
            pytest.fail(f"after {key} the program does not wait again")
        console.run(0.6)


def shown(console: Console) -> list[bytes]:
    """The tiles of the screen, row by row."""
    first = NAMES_FIRST + NAME_COLUMNS * TOP + LEFT
    starts = range(first, first + NAME_COLUMNS * ROWS, NAME_COLUMNS)
    return [bytes(console.ppu.memory[start : start + COLUMNS]) for start in starts]


def state(console: Console) -> Shown:
    """What the program's variables say."""
    return Shown(
        seed=int.from_bytes(console.read("seed", 4), "big"),
        number=int.from_bytes(console.read("shuffles", 2), "little"),
        turned=console.read("turned", 1)[0],
        pointer=console.read("pointer", 1)[0],
        deck=tuple(console.read("deck", CARDS)),
        reversed=tuple(byte == 1 for byte in console.read("orientation", CARDS)),
    )


def is_as_the_page_says(console: Console) -> None:
    """Whether the screen is what docs/roms.md makes of the variables."""
    wanted = {
        Screen.TITLE: Shown.title,
        Screen.SEED: Shown.typing,
        Screen.SPREAD: Shown.spread,
        Screen.REST: Shown.rest,
    }[Screen(console.read("screen", 1)[0])](state(console))
    told = difference(shown(console), wanted)
    assert not told, told


TOUR = (
    "start a a a a select down right up left right right down b start a b select up down left right"
    " b start b select down right up right left start a select select start select down down start"
)


@pytest.fixture(scope="module")
def tours(image: Image) -> list[tuple[Console, list[bytes]]]:
    """Two consoles whose RAM held other things, after the same keys, and their RAM after each.

    The second one makes the first half of the tour. What is read before it is written, the first
    one tells of too, on all of it.
    """
    found = []
    for fill in (0x5A, 0xA5):
        console, seen = Console(image, fill), []
        console.run(6)
        keys = TOUR.split()
        for key in keys if fill == 0x5A else keys[: len(keys) // 2]:
            press(console, key)
            if fill == 0x5A:
                is_as_the_page_says(console)
            names = ("screen", "waits", "seed", "shuffles", "lfsr", "rng", "flips_left")
            sizes = (1, 2, 4, 2, 4, 1, 1)
            variables = [console.read(n, size) for n, size in zip(names, sizes, strict=True)]
            seen.append(b"".join((*variables, *shown(console))))
        found.append((console, seen))
    return found


@pytest.mark.slow
def test_no_ram_is_read_before_it_is_written(tours: list[tuple[Console, list[bytes]]]) -> None:
    for console, _ in tours:
        assert [console.image.describe(event.pc) for event in console.uninitialised] == []
    assert len(tours[1][1]) >= 20
    assert tours[0][1][: len(tours[1][1])] == tours[1][1]


@pytest.mark.slow
def test_such_reads_would_be_seen(image: Image) -> None:
    console = Console(image, 0x5A)
    console.engine.registers.pc = image.address("wait_for_press")
    console.run(0.5)
    assert console.uninitialised[0].address == image.address("waits")


@pytest.mark.slow
def test_the_picture_is_written_only_while_it_is_not_drawn(
    tours: list[tuple[Console, list[bytes]]],
) -> None:
    for console, _ in tours:
        assert console.faults == []
        assert len(console.ports.sound) > 20


def test_such_writes_would_be_seen(image: Image) -> None:
    console = Console(image, 0x5A)
    console.run(6)
    begun = console.ppu.due() - FRAME
    console.ppu.write(0x2007, 0, begun + 2270)
    assert console.faults == []
    console.ppu.write(0x2007, 0, begun + 2280)
    assert console.faults == [f"cycle {begun + 2280}: $2007 is written while it draws"]
    early = Console(image, 0x5A)
    early.ppu.write(0x2000, 0x80, 100)
    assert len(early.faults) == 1


@pytest.mark.slow
def test_every_seed_shows_its_own_screens(image: Image) -> None:
    """Lists and spreads of some decks, each against the page."""
    console = Console(image, 0)
    console.run(6)
    for _ in range(4):
        press(console, "start", "a", "a", "a")
        is_as_the_page_says(console)
        press(console, "select", "down")
        is_as_the_page_says(console)
        press(console, "start", "b")
    assert console.faults == []


def test_the_longest_name_fits(image: Image) -> None:
    console = Console(image, 0)
    console.run(6)
    press(console, "start")
    knight = NAMES.index("Knight of Pentacles")
    console.engine.memory[image.address("deck") + 1] = knight
    press(console, "a", "a")
    rows = shown(console)
    assert rows[13] == b"2KNIGHT OF PENTACLES"
    assert rows[14].strip() in (b"UPRIGHT", b"REVERSED")


def test_a_refused_seed_is_told_and_heard(image: Image) -> None:
    console = Console(image, 0)
    console.run(6)
    press(console, "select")
    first = image.address("seed")
    console.engine.memory[first : first + 4] = bytes.fromhex("10000000")
    press(console, "down")
    assert console.read("seed", 4) == bytes(4)
    console.ports.sound.clear()
    press(console, "start")
    message = state(console)
    message.refused = True
    assert not difference(shown(console), message.typing())
    assert {address for _, address, _ in console.ports.sound} <= set(PULSE)
    assert len(console.ports.sound) == 3
    press(console, "right")  # the next key takes it back
    is_as_the_page_says(console)
    press(console, "up", "start")
    assert console.read("seed", 4).hex() == "01000000"
    assert tuple(console.read("deck", CARDS)) == on_model(Request(0x01000000))[0].deck


def test_a_turning_card_is_heard_and_seen(image: Image) -> None:
    console = Console(image, 0)
    console.run(6)
    press(console, "start")
    console.ports.sound.clear()
    console.ports.held = KEYS["a"]
    console.run(3)
    rows = shown(console)[2:10]
    assert b"".join(row[:6] for row in rows) == edge()
    assert b"".join(row[7:13] for row in rows) == back()
    console.ports.held = 0
    console.run(12)
    deck, reversed_ = state(console).deck, state(console).reversed
    assert b"".join(row[:6] for row in shown(console)[2:10]) == face(deck[0], reversed_[0])
    assert [address for _, address, _ in console.ports.sound] == [0x400C, 0x400E, 0x400F]


def test_the_colours_of_the_cards(image: Image) -> None:
    console = Console(image, 0)
    console.run(6)
    press(console, "start", "a", "a", "a")
    palettes = [bytes(console.ppu.memory[at : at + 4]) for at in range(0x3F00, 0x3F10, 4)]
    groups = [0 if card < 22 else 1 + (card - 22) // 14 for card in state(console).deck[:3]]
    table = [
        bytes(console.engine.memory[at : at + 4])
        for at in range(image.address("palettes"), image.address("palettes") + 24, 4)
    ]
    assert palettes == [table[0], *(table[1 + group] for group in groups)]
    # each card is in a palette of its own: two bits for 2 by 2 tiles
    for row in range(8, 16):
        for column in range(32):
            byte = console.ppu.memory[0x23C0 + 8 * (row // 4) + column // 4]
            palette = byte >> (2 * (column // 2 % 2) + 4 * (row // 2 % 2)) & 3
            there = [1 + i for i in range(3) if 6 + 7 * i <= column < 12 + 7 * i]
            assert not there or palette == there[0]


def model_seed(state: int, pressed: bytes) -> int:
    """What seed_from_press makes of the register and of four bytes about the press."""
    for byte in pressed:
        state, _ = next_byte(state ^ byte << 24, DEFAULT_FEEDBACK)
    for _ in range(12):
        state, _ = next_byte(state, DEFAULT_FEEDBACK)
    return state or 1


def cancelling(state: int) -> bytes:
    """The press that brings a register to zero: its bytes meet what lfsr3 to lfsr0 are by then."""
    for _ in range(3):
        state, _ = next_byte(state, DEFAULT_FEEDBACK)
    return state.to_bytes(4, "little")


@pytest.mark.parametrize(
    ("register", "pressed"),
    [
        (0x5441524F, bytes.fromhex("00012345")),
        (0x00000001, bytes.fromhex("00000000")),
        (0xFFFFFFFF, bytes.fromhex("ffffffff")),
        (0x12345678, cancelling(0x12345678)),
    ],
)
def test_the_press_is_stirred_into_the_register(
    machine: Machine, register: int, pressed: bytes
) -> None:
    machine.write("lfsr", register.to_bytes(4, "big"))
    machine.write("press", pressed)
    machine.call("seed_from_press")
    wanted = model_seed(register, pressed).to_bytes(4, "big")
    assert machine.read("seed", 4) == machine.read("lfsr", 4) == wanted


@pytest.mark.slow
def test_a_press_is_timed_to_54_cycles(image: Image) -> None:
    counted, seeds = [], []
    for extra in (0, 54, 54 * 100):
        console = Console(image, 0)
        console.run(20 + extra / FRAME)
        press(console, "start")
        counted.append(console.read("press", 3)[2])
        seeds.append(console.read("seed", 4))
    # the low byte: the others are zeros again in the next wait
    assert (counted[1] - counted[0]) % 256 == 1
    assert 98 <= (counted[2] - counted[0]) % 256 <= 100  # the NMI takes some of it
    assert len(set(seeds)) == 3


def test_every_card_has_its_tiles_and_its_name(machine: Machine) -> None:
    for card, name in enumerate(NAMES):
        for turned in (0, 1):
            machine.call("make_face", a=card, x=turned)
            assert machine.read("face", 48) == face(card, bool(turned)), name
        machine.call("line_begin", a=1)
        machine.call("line_name", a=card)
        assert machine.read("line", 20).decode() == f" {name.upper()}".ljust(20)
        machine.call("card_parts", a=card)
        tiles = machine.read("rank_tiles", 2) + bytes([0x89 + machine.read("group", 1)[0]])
        assert tiles == small(card, False)
    machine.call("make_back")
    assert machine.read("face", 48) == back()
    machine.call("make_edge")
    assert machine.read("face", 48) == edge()


@pytest.mark.parametrize("number", [0, 1, 9, 10, 78, 100, 999, 1000, 9999, 10000, 43210, 65535])
def test_numbers_have_no_zeros_in_front(machine: Machine, number: int) -> None:
    machine.call("line_begin", a=3)
    machine.write("number", number.to_bytes(2, "little"))
    machine.call("line_number")
    assert machine.read("line", 20).decode().rstrip() == f"   {number}"


def test_the_generator_is_put_back_after_the_orientation(machine: Machine) -> None:
    machine.write("seed", bytes.fromhex("12345678"))
    machine.call("begin_deck")
    for number, outcome in enumerate(on_model(Request(0x12345678, 3)), 1):
        machine.call("next_shuffle")
        after = outcome.generator
        assert machine.read("lfsr", 4) == after.state.to_bytes(4, "big")
        assert machine.read("flips_left", 1)[0] == after.flips_left
        assert tuple(machine.read("deck", CARDS)) == outcome.deck
        found = tuple(byte == 1 for byte in machine.read("orientation", CARDS))
        assert found == orientations(after)
        assert int.from_bytes(machine.read("shuffles", 2), "little") == number


def test_a_frame_has_time_for_a_card(image: Image) -> None:
    """Counted in the code: a palette and a card before the beam is back, 2,273 cycles."""
    rows = {row.name: row.bounds for row in bounds(Rom(image), "put_palette", "put_card")}
    palette, card = rows["put_palette"].worst, rows["put_card"].worst
    assert palette is not None
    assert card is not None
    assert palette + card < 1600


@needs_z3
@pytest.mark.long
def test_the_contracts_hold_for_all_inputs(image: Image) -> None:
    """All but that of next_shuffle, whose draws are too many ways for one proof."""
    rom = Rom(image)
    own = {r.name for r in image.routines if "/tarot-nes/" in r.module} & set(rom.contracts)
    proofs = prove(rom, *sorted(own - {"next_shuffle"}))
    assert len(own) == 25
    assert {proof.routine for proof in proofs} >= own - {"next_shuffle"}
    assert [proof.routine for proof in proofs if proof.verdict is not Verdict.PROVED] == []
