"""Routines, the handler, the order of accesses, and whole frames on an NES."""

import pytest

import romproof

LEFT, RIGHT = 16, 232


@pytest.fixture
def machine(rom):
    """The program at its main loop for the first time."""
    machine = rom.machine()
    machine.run_until("main_loop", limit=200_000)
    return machine


def test_sprites_are_cleared(rom):
    result = rom.call("clear_sprites")
    assert result.mem["sprites"] == b"\xff" * 256


def test_the_walls_hold_the_player(rom):
    machine = rom.machine()
    machine.write("player_x", RIGHT - 3)
    for _ in range(3):
        machine.call("move_player", mem={"keys": 0x01})
    assert machine.read("player_x")[0] in (RIGHT - 1, RIGHT)


def test_the_pad_is_read(rom):
    machine = rom.machine()
    with machine.buttons.hold("a", "left"):
        assert machine.call("read_pad").mem["keys"] == b"\x82"
    assert machine.call("read_pad").mem["keys"] == b"\x00"


def test_the_palette_is_written_in_order(rom):
    machine = rom.machine()
    log = machine.watch("PPUADDR", "PPUDATA")
    machine.call("load_palette")
    assert log.writes[:3] == [("PPUADDR", 0x3F), ("PPUADDR", 0x00), ("PPUDATA", 0x0F)]
    assert [name for name, _ in log.writes].count("PPUDATA") == 20


def test_the_handler_keeps_the_registers(rom):
    result = rom.call("nmi", interrupt=True, a=0x12, x=0x34, mem={"frames": 255})
    assert result.mem["frames"] == b"\x00"
    assert (result.a, result.x) == (0x12, 0x34)


def test_the_handler_hands_the_sprites_over_first(rom):
    machine = rom.machine()
    log = machine.watch("OAMADDR", "OAMDMA", "frames", reads=False)
    machine.call("nmi", interrupt=True, mem={"frames": 4})
    assert log.writes == [("OAMADDR", 0), ("OAMDMA", 2), ("frames", 5)]


def test_a_frame_moves_the_player_by_two_pixels(machine):
    machine.run_frames(1)  # the first iteration of the main loop is over: it waits
    with machine.buttons.hold("right"):
        before = machine.read("player_x")[0]
        machine.run_frames(1)
        assert machine.read("player_x")[0] == before + 2
        machine.run_frames(10)
        assert machine.read("player_x")[0] == before + 22
    machine.run_frames(5)
    assert machine.read("player_x")[0] == before + 22
    assert machine.read("sprites")[3] == before + 22


def test_two_ways_from_the_same_state(machine):
    machine.run_frames(1)
    saved, before = machine.save(), machine.read("player_x")[0]
    for button, sign in (("left", -1), ("right", 1)):
        machine.restore(saved)
        with machine.buttons.hold(button):
            machine.run_frames(4)
        assert machine.read("player_x")[0] == before + sign * 8


def test_a_device_of_the_test_in_place_of_the_pad(rom):
    class Stuck:
        """All buttons held, however often it is read."""

        def read(self, address, cycle):
            return 1

        def write(self, address, value, cycle):
            assert value in (0, 1)

    machine = rom.machine()
    machine.attach("JOY1", Stuck())
    assert machine.call("read_pad").mem["keys"] == b"\xff"


def test_what_a_contract_does_not_allow_is_not_called(rom):
    with pytest.raises(romproof.RomproofError, match="LEFT <= player_x"):
        rom.call("move_player", mem={"keys": 1, "player_x": 3})
