"""States as JSON and back: on each machine what is read goes on as what was saved."""

from __future__ import annotations

import json
from collections.abc import Callable, MutableSequence
from typing import Any

import pytest
from c64_programs import prg
from gameboy_programs import cartridge
from nes_programs import image

from romproof.engine.chips import Chip, fields
from romproof.engine.engines import make_engine
from romproof.isa.abi import abi_of
from romproof.machine.board import Board
from romproof.machine.c64.machine import C64
from romproof.machine.flat import FlatBoard
from romproof.machine.gameboy.board import GameBoyBoard
from romproof.machine.memory import load_image
from romproof.machine.nes.machine import Nes
from romproof.machine.nes.memory import MAPPERS
from romproof.machine.saved import SavedChip
from romproof.machine.statevalues import BadState, StateReader, StateWriter
from romproof.program.image import Block, Image

LOOP = """
loop:
 inc a
 ld hl, $c000
 ld [hl], a
 ldh [$80], a
 ldh [$00], a
 jr loop
"""


def _gameboy(kind: int, color: int = 0, banks: int = 4) -> Callable[[], Board]:
    rom = cartridge(LOOP, kind=kind, banks=banks, ram=3 if kind not in (0, 1) else 0, color=color)
    return lambda: GameBoyBoard(rom, "plain")


def _nes(mapper: int, prg: int | None = None) -> Callable[[], Board]:
    size = prg or (2 if mapper in (0, 3) else 4)
    rom = image(mapper, prg=size, chr=0 if mapper in (2, 7, 28, 30, 71) else 4 if mapper else 1)
    return lambda: Nes(rom, "plain")


def _flat() -> Board:
    block = Block("ram", 0x200, bytes.fromhex("e8 86 10 4c 00 02"), writable=True)
    program = Image("mos6502", (), (block,), (), (), (), (), (), ())
    board = FlatBoard(make_engine("plain", "mos6502"), load_image(program), abi_of("mos6502"))
    board.engine.registers.pc = 0x200
    return board


def _c64() -> Board:
    return C64(prg("loop:\n inc $0400\n jmp loop"), "plain")


MAKERS: dict[str, Callable[[], Board]] = {
    "flat": _flat,
    "c64": _c64,
    **{f"nes {n}": _nes(n) for n in MAPPERS},
    **{f"gameboy {n:02x}": _gameboy(n) for n in (0x00, 0x01, 0x03, 0x06, 0x10, 0x1E, 0xFF)},
    "gameboy color": _gameboy(0x1E, 0xC0),
}


def _written(board: Board) -> Any:
    return json.loads(json.dumps(StateWriter(board.program).write(board.save())))


def _read(value: Any, board: Board) -> Any:
    return StateReader(board.program, len(board.space.store)).read(value, board.save())


def _begin(board: Board) -> None:
    """Something that leaves traces in as many devices as can be."""
    if isinstance(board, Nes):
        for place, byte in enumerate(bytes.fromhex("e8 86 10 8d 05 20 4c 00 02")):
            board.poke(0x200 + place, byte)
        board.memory.ram[0x300] = 0x40
    elif isinstance(board, C64):
        board.start()
        board.files["kept"] = b"abc"
        board.type("typed")
        board.press("fire")
        board.interrupt("nmi")
    for button in sorted(board.buttons)[:1]:
        board.press(button)
    board.run((), 20_000)


@pytest.mark.parametrize("name", MAKERS)
def test_a_state_goes_on_on_another_machine_as_on_the_first(name: str) -> None:
    first, second = MAKERS[name](), MAKERS[name]()
    _begin(first)
    value = _written(first)
    if name == "c64":
        second.start()
    second.run((), 777)
    second.restore(_read(value, second))
    assert _written(second) == value
    for board in (first, second):
        board.run((), 40_000)
    assert _written(second) == _written(first)
    assert _written(second) != value


def test_the_program_is_not_in_the_state_of_a_cartridge() -> None:
    for small, large in ((_nes(2), _nes(2, 16)), (_gameboy(1), _gameboy(1, 0, 16))):
        lengths = [len(json.dumps(_written(make()))) for make in (small, large)]
        assert lengths[1] - lengths[0] < 1000  # the programs differ by 192 KiB
    changed = MAKERS["nes 2"]()
    changed.poke(0x8123, 0xEE)
    other = MAKERS["nes 2"]()
    other.restore(_read(_written(changed), other))
    assert other.peek(0x8123) == 0xEE


def test_changed_rom_of_a_game_boy_comes_along() -> None:
    first, second = MAKERS["gameboy 01"](), MAKERS["gameboy 01"]()
    first.poke(0x0200, 0x12)
    second.restore(_read(_written(first), second))
    assert second.peek(0x0200) == 0x12
    second.restore(_read(_written(MAKERS["gameboy 01"]()), second))
    assert second.peek(0x0200) == 0


def test_devices_that_share_something_still_do() -> None:
    board = C64(prg("rts"), "plain")
    made = C64(prg("rts"), "plain")
    made.restore(_read(_written(board), made))
    made.type("x")
    assert made.kernal.store is made.space.store
    assert made.kernal.keyboard is made._cia1._ports


def test_open_files_come_along() -> None:
    board, other = C64(prg("rts"), "plain"), C64(prg("rts"), "plain")
    board.kernal.files.open(2, 8, 1, b"new,s,w")
    opened = board.kernal.files.table[2]
    other.restore(_read(_written(board), other))
    assert other.kernal.files.table == {2: opened}
    assert other.kernal.files.table[2] is not opened


def _chip(row: Any) -> dict[str, Any]:
    found: dict[str, Any] = row["chip"]
    return found


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda v: v["tuple"].pop(), r"it has \d parts instead of \d"),
        (lambda v: v["tuple"][1]["devices"].pop(), "devices instead of"),
        (lambda v: _chip(v["tuple"][1]["devices"][0]).update(more=1), "Ppu differs in more"),
        (lambda v: _chip(v["tuple"][1]["devices"][1]).update(start=1 << 63), "start of Frames"),
        (lambda v: _chip(v["tuple"][1]["devices"][1]).update(odd=2), "odd of Frames is 2"),
        (lambda v: _chip(v["tuple"][2]["devices"][0]).update(nmi_at="x"), "nmi_at of Signals"),
        (lambda v: v["tuple"][3]["has"].update(a=256), "register A is 256"),
        (lambda v: v["tuple"][3]["has"].update(a=None), "a of Registers is None"),
        (lambda v: v["tuple"][3].update(object="Banks"), "a Banks is in place of a Registers"),
        (lambda v: v["tuple"][0].update(bytes="AA=="), "bytes of memory instead of"),
        (lambda v: v["tuple"][0].update(bytes="*"), "not base64"),
        (lambda v: v["tuple"][0].update(rom=5), "not as long as the machine's"),
        (lambda v: v["tuple"].__setitem__(4, {"eval": "1"}), "a tuple is missing"),
    ],
)
def test_what_is_no_state_of_the_machine(spoil: Callable[[Any], object], says: str) -> None:
    board = MAKERS["nes 4"]()
    value = _written(board)
    spoil(value)
    with pytest.raises(Exception, match=says) as caught:
        _read(value, board)
    assert isinstance(caught.value, BadState)
    assert "\n" not in str(caught.value)


@fields({"entries": 4}, name=3)
class Log(Chip):
    """A chip whose entries are its state up to the last one that it has."""

    entries: MutableSequence[int]
    name: MutableSequence[int]
    count: int
    is_on: bool


def _log(count: int) -> SavedChip:
    chip = Log()
    chip.count, chip.is_on = count, True
    chip.entries[:] = [7, -8, 9, 10]
    chip.name[:] = list(b"abc")
    described: Any = Log.entries
    return SavedChip(bytes(chip)[: described.offset + 8 * count], {}, Log)


@pytest.mark.parametrize("count", range(5))
def test_a_chip_of_which_the_start_is_saved(count: int) -> None:
    saved = _log(count)
    value = json.loads(json.dumps(StateWriter().write(saved)))
    assert value["chip"].get("entries", []) == [7, -8, 9, 10][:count]
    assert value["chip"]["name"] == list(b"abc")
    for other in range(4):
        read = StateReader().read(value, _log(other))
        assert StateWriter().write(read) == value
        assert saved.fields.startswith(read.fields)
    if count:
        value["chip"]["entries"] += [0] * 4
        with pytest.raises(BadState, match="entries of Log has not 4 members"):
            StateReader().read(value, _log(0))


def test_a_whole_chip_has_all_its_fields() -> None:
    value = StateWriter().write(_log(2))
    whole = SavedChip(bytes(Log()), {}, Log)
    with pytest.raises(BadState, match="entries of Log has not 4 members"):
        StateReader().read(value, whole)


def test_pages_are_those_of_the_memory() -> None:
    board = MAKERS["gameboy 01"]()
    value = _written(board)
    value["tuple"][2]["array"][5] = 1 << 31
    with pytest.raises(BadState, match="its pages are not in the machine's memory"):
        _read(value, board)


def test_what_no_state_has_is_not_written() -> None:
    with pytest.raises(TypeError, match="no state of a machine has a complex"):
        StateWriter().write(1j)
