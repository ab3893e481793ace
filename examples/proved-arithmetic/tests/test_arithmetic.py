"""The routines against Python's own arithmetic. With --romproof-prove: for all inputs."""

import math

import pytest

import romproof

both = pytest.mark.parametrize(
    "cpu", [pytest.param(cpu, marks=pytest.mark.rom(cpu)) for cpu in ("mos6502", "sm83")]
)


@both
def test_every_root(rom, cpu):
    machine = rom.machine()
    for number in range(256):
        result = machine.call("root", a=number)
        assert (result.x if cpu == "mos6502" else result.b) == math.isqrt(number)


@romproof.equivalent("multiply", lambda a, x: a * x, rom="mos6502", gives="product:little")
def test_the_product_on_the_6502(): ...


@romproof.equivalent("multiply", lambda a, e: a * e, rom="sm83", gives="hl")
def test_the_product_on_the_game_boy(): ...
