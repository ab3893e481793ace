"""The digits of all bytes."""

import pytest

import romproof


@pytest.mark.parametrize("number", [0, 9, 10, 99, 100, 199, 200, 255])
def test_the_digits_are_those_that_python_prints(rom, number):
    found = rom.call("to_decimal", a=number).mem["digits"]
    assert "".join(str(digit) for digit in found) == f"{number:03}"


@romproof.equivalent("to_decimal", lambda a: bytes([a // 100, a // 10 % 10, a % 10]))
def test_it_is_division(): ...
