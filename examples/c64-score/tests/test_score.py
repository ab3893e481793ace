"""The program on a C64: who holds the button when, what is written and what is saved."""

import pytest

import romproof
from romproof.machine.c64.machine import C64


@pytest.fixture(params=["pal", "ntsc"])
def machine(request):
    image = romproof.build(".").image
    machine = C64(image.files[0].data, region=request.param)
    machine.start()
    return machine


def finish(machine):
    machine.run({machine.nowhere}, limit=2_000_000)
    assert machine.registers.pc == machine.nowhere


def test_nobody_fires(machine):
    finish(machine)
    assert machine.text == "0000\n"


def test_who_holds_the_button_gets_a_point_in_each_frame(machine):
    machine.press("fire")
    finish(machine)
    assert machine.text == "0010\n"


def test_only_the_moment_counts(machine):
    irq = romproof.build(".").image.address("irq")
    for held in (True, False, True):
        if held:
            machine.press("fire")
        else:
            machine.release("fire")
        machine.run({irq}, limit=100_000)
        machine.run((), limit=100)
    machine.release("fire")
    finish(machine)
    assert machine.text == "0002\n"


def test_the_score_is_saved_with_its_address(machine):
    machine.files["score"] = b"an old one"
    machine.press("fire")
    finish(machine)
    score = romproof.build(".").image.address("score")
    assert machine.files == {"score": score.to_bytes(2, "little") + b"\x10\x00"}


def test_the_screen_of_a_routine(rom):
    machine = rom.machine()
    machine.call("print_score", mem={"score": b"\x34\x12"})
    assert machine.board.text == "1234\n"


@pytest.mark.parametrize(("score", "points", "sum_"), [(0, 1, 1), (99, 1, 100), (9999, 1, 9999)])
def test_points_are_decimal(rom, score, points, sum_):
    def bcd(number):
        return bytes.fromhex(f"{number:04}")[::-1]

    found = rom.call("add_points", a=bcd(points)[0], mem={"score": bcd(score)})
    assert found.mem["score"] == bcd(sum_)
