"""Routines in their banks, the handler, HALT, keys, and whole frames on a Game Boy."""

import pytest


@pytest.fixture
def machine(rom):
    """The program at its main loop for the first time."""
    machine = rom.machine()
    machine.run_until("main_loop", limit=100_000)
    return machine


def test_the_routine_of_a_bank_is_called_there(rom):
    machine = rom.machine()
    assert machine.call("level_digits", a=3).mem["digits"] == b"F3"
    assert machine.board.banks()[1] == 2
    assert machine.call("level_digits", a=0).mem["digits"] == b"FG"


def test_the_call_into_another_bank_switches_by_itself(rom):
    machine = rom.machine()
    assert machine.board.banks()[1] == 1
    assert machine.call("show_level", mem={"level": 7}).mem["digits"] == b"F7"


def test_a_stub_in_place_of_the_routine_in_bank_2(rom):
    machine = rom.machine()
    floors = []
    machine.stub("level_digits", lambda m: floors.append(m.registers.a))
    machine.call("show_level", mem={"level": 4})
    assert floors == [4]


def test_colours_come_before_the_screen(rom):
    machine = rom.machine()
    log = machine.watch("rBGP", "rLCDC", reads=False)
    machine.call("screen_on")
    assert log.writes == [("rBGP", 0xE4), ("rLCDC", 0x91)]


def test_a_key_is_pressed_once(rom):
    machine = rom.machine()
    with machine.buttons.hold("up"):
        assert machine.call("read_keys", mem={"keys": 0}).mem["pressed"] == b"\x04"
        assert machine.call("read_keys").mem["pressed"] == b"\x00"
    assert machine.call("read_keys").mem["keys"] == b"\x00"


def test_the_handler_counts_and_keeps_the_registers(rom):
    result = rom.call("vblank", interrupt=True, a=0x12, mem={"frames": 255})
    assert (result.mem["frames"], result.a, result.ime) == (b"\x00", 0x12, 1)


def test_the_cpu_sleeps_until_the_vertical_blank(machine):
    result = machine.call("wait_vblank")
    assert machine.read("frames") == b"\x01"
    assert result.cycles < 17_556  # M-cycles of a frame


def test_up_three_floors_in_six_frames(machine):
    machine.run_frames(1)
    for _ in range(3):
        with machine.buttons.hold("up"):
            machine.run_frames(1)
        machine.run_frames(1)
    assert machine.read("level") == b"\x03"
    assert machine.read("digits") == b"F3"


def test_not_beyond_the_top(machine):
    machine.write("level", 9)
    saved = machine.save()
    for button, level in (("up", b"\x09"), ("down", b"\x08")):
        machine.restore(saved)
        with machine.buttons.hold(button):
            machine.run_frames(3)
        assert machine.read("level") == level
