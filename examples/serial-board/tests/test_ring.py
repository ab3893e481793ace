"""The ring against Python's queue, byte by byte."""

from collections import deque
from random import Random


def test_bytes_come_out_as_they_went_in(rom):
    machine = rom.machine()
    machine.write("ring_head", 0)
    machine.write("ring_tail", 0)
    waiting, chance = deque(), Random(6502)
    for _ in range(300):
        if chance.random() < 0.55:
            byte = chance.randrange(256)
            lost = machine.call("put", a=byte).flags.c
            assert lost == (len(waiting) == 15)
            if not lost:
                waiting.append(byte)
        else:
            result = machine.call("get")
            assert result.flags.c == (not waiting)
            if waiting:
                assert result.a == waiting.popleft()


def test_a_byte_at_the_port_goes_into_the_ring(rom):
    r = rom.call(
        "poll",
        mem={"SERIAL_STATUS": 0x80, "SERIAL_DATA": 65, "ring_head": 3, "ring_tail": 3},
    )
    assert r.mem["ring_head"] == b"\x04"
    assert r.mem["ring"][3] == 65


def test_nothing_happens_without_a_byte(rom):
    r = rom.call(
        "poll",
        mem={"SERIAL_STATUS": 0, "SERIAL_DATA": 65, "ring_head": 3, "ring_tail": 3},
    )
    assert r.mem["ring_head"] == b"\x03"
