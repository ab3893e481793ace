"""Calling routines and reading what they did."""

from __future__ import annotations

from typing import Any

import pytest
from handmade import assemble, with_symbol_size
from hypothesis import given, settings
from hypothesis import strategies as st
from programs import PROGRAM

from romproof.engine.engines import NoSuchEngine
from romproof.harness.rom import Rom
from romproof.harness.state.values import BadValue
from romproof.isa.abi import MOS6502
from romproof.machine.memory import FILL
from romproof.program.image import UnknownSymbol

ROM = Rom(assemble(PROGRAM))


def test_a_call_gives_registers_flags_cycles_and_instructions() -> None:
    r = ROM.call("add_five", a=0xFE)
    assert (r.a, r.x, r.y, r.s) == (3, MOS6502.poison["x"], MOS6502.poison["y"], 0xFF)
    assert (r.flags.c, r.flags["z"], r.flags.n, r.flags.v) == (1, 0, 0, 0)
    assert dict(r.flags) == {"n": 0, "v": 0, "d": 0, "i": 1, "z": 0, "c": 1}
    assert r.cycles == 2 + 2 + 6
    assert (r.instructions, r.stack) == (3, 0)
    assert not r.changed


@pytest.mark.parametrize("given", [{"c": 1}, {"flags": {"c": 1}}, {"c": 0}, {"flags": {"C": 0}}])
def test_flags_are_set_among_the_registers_or_by_letter(given: dict[str, Any]) -> None:
    carry = given["c"] if "c" in given else next(iter(given["flags"].values()))
    machine = ROM.machine()
    machine.write(0x0300, b"\x69\x00\x60", code=True)  # adc #0; rts
    r = machine.call(0x0300, a=7, v=0, **given)
    assert (r.a, r.flags.v) == (7 + carry, 0)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"c": 2}, "c=2: a flag is 0 or 1"),
        ({"c": 1, "flags": {"c": 1}}, r"c= and flags=\{'c': …\} both set a flag"),
        ({"zf": 1}, "zf=: the flags of the mos6502 are n v d i z c; registers are a x y"),
    ],
)
def test_flags_that_cannot_be_meant(given: dict[str, Any], text: str) -> None:
    with pytest.raises(BadValue, match=text):
        ROM.call("rotate", **given)


@settings(deadline=None)
@given(st.integers(0, 255), st.integers(0, 255), st.integers(0, 255))
def test_add_five_is_addition(a: int, x: int, y: int) -> None:
    r = ROM.call("add_five", a=a, x=x, y=y)
    assert r.a == (a + 5) & 0xFF
    assert r.flags.c == int(a + 5 > 255)
    assert (r.x, r.y) == (x, y)


@pytest.mark.parametrize("engine", ["plain", "llvm", "recompiled"])
def test_calls_after_one_another_are_as_on_a_new_machine(engine: str) -> None:
    image = assemble(PROGRAM)
    one = Rom(image, engine)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("rotate", {"mem": {"lfsr": b"\1\2\3\4"}}),
        ("add_five", {"a": 7}),
        ("rotate", {"mem": {"lfsr": b"\xff\0\0\0", 0x0400: 9}, "check": False}),
        ("rotate", {"mem": {"lfsr": b"\1\2\3\4"}}),
        ("rotate", {"mem": {"lfsr": b"\1\2\3\4"}, "checks": {"data_execution": "off"}}),
    ]
    for routine, how in calls:
        again, new = one.call(routine, **how), Rom(image, engine).call(routine, **how)
        assert again == new
        assert (again.before, again.after) == (new.before, new.after)


@settings(deadline=None)
@given(st.binary(min_size=4, max_size=4))
def test_memory_goes_in_and_comes_out(state: bytes) -> None:
    r = ROM.call("rotate", mem={"lfsr": state})
    number = int.from_bytes(state, "little") << 1
    assert r.mem["lfsr"] == (number & 0xFFFFFFFF).to_bytes(4, "little")
    assert r.read("lfsr") == r.mem["lfsr"] == r.mem[0x10:0x14]
    assert r.flags.c == number >> 32
    assert ("lfsr" in r.changed) == (r.mem["lfsr"] != state)
    assert set(r.changed) == {0x10 + i for i in range(4) if r.mem[0x10 + i] != state[i]}


@pytest.mark.parametrize(
    "value", [bytes([1, 2, 3, 4]), [1, 2, 3, 4], 0x04030201, bytearray(b"\1\2\3\4")]
)
def test_memory_values_may_be_bytes_lists_and_little_endian_integers(value: object) -> None:
    machine = ROM.machine()
    machine.write("lfsr", value)  # type: ignore[arg-type]
    assert machine.read("lfsr") == b"\1\2\3\4"
    assert machine.read("lfsr", 2) == b"\1\2"
    assert machine.read(0x12) == b"\3"


def test_negative_numbers_are_in_twos_complement() -> None:
    machine = ROM.machine()
    machine.write("lfsr", -2)
    assert machine.read("lfsr") == b"\xfe\xff\xff\xff"


def test_changed_names_symbols() -> None:
    r = ROM.call("rotate", mem={"lfsr": 1})
    assert r.changed == {0x10: (1, 2)}
    assert r.changed[0x10] == (1, 2)
    assert r.changed.symbol("lfsr") == (b"\1\0\0\0", b"\2\0\0\0")
    assert r.changed.symbols == {"lfsr": (b"\1\0\0\0", b"\2\0\0\0")}
    assert "sum" not in r.changed


def test_every_call_starts_fresh_and_a_machine_does_not() -> None:
    assert ROM.call("bump", mem={"sum": 7}).mem["sum"] == b"\x08"
    assert ROM.call("bump").mem["sum"] == bytes([FILL + 1])
    machine = ROM.machine()
    machine.write("sum", 0)
    for _ in range(3):
        machine.call("bump")
    assert machine.read("sum") == b"\3"
    machine.reset()
    assert machine.read("sum") == bytes([FILL])


def test_the_fill_byte_can_be_chosen() -> None:
    assert Rom(ROM.image, fill=0).call("bump").mem["sum"] == b"\1"


def test_flags_can_be_given_and_others_are_poisoned() -> None:
    assert ROM.call("bump", flags={"d": 1}).flags.d == 1
    r = ROM.call("bump", flags={"C": 0, "v": False})
    assert (r.flags.c, r.flags.v, r.flags.d, r.flags.i) == (0, 0, 0, 1)
    assert ROM.call("bump").flags.c == 1


def test_an_inner_call_uses_stack() -> None:
    r = ROM.call("outer", a=1)
    assert (r.a, r.stack, r.cycles) == (11, 2, 6 + 10 + 6 + 10 + 2 + 2 + 6)


def test_run_from_reset_until_done() -> None:
    machine = ROM.machine()
    r = machine.run_from("reset", until="done")
    assert r.mem["sum"] == b"\x0a"
    assert r.pc == ROM.image.address("done")
    assert machine.run_from("done", until=["done", "reset"], limit=3).instructions == 1


def test_a_routine_may_be_an_address() -> None:
    assert ROM.call(ROM.image.address("add_five"), a=1).a == 6


def test_code_written_by_the_test_can_be_called() -> None:
    machine = ROM.machine()
    machine.write(0x0300, bytes.fromhex("a9 2a 60"), code=True)
    assert machine.call(0x0300).a == 42


def test_brk_runs_into_its_handler_when_allowed() -> None:
    start = ROM.image.address("handler")
    rom = Rom(assemble(PROGRAM, vectors=start.to_bytes(2, "little")))
    r = rom.call("stop", mem={"sum": 1}, allow_brk=True)
    assert r.mem["sum"] == b"\2"


@pytest.mark.parametrize(
    ("mem", "text"),
    [
        ({"lfsr": 1 << 32}, "4294967296 does not fit into 'lfsr', which has 4 bytes"),
        ({"lfsr": b"123"}, "'lfsr' has 4 bytes, the value given has 3 bytes"),
        ({"sum": 256}, "256 does not fit into 'sum', which has 1 byte$"),
        ({2: 0x2002}, r'which has 1 byte; for 2 bytes write \(0x2002\)\.to_bytes\(2, "little"\)$'),
        ({2: -300}, r'write \(-0x12c\)\.to_bytes\(2, "little", signed=True\)$'),
        ({2: 1 << 16}, r'for 3 bytes write \(0x10000\)\.to_bytes\(3, "little"\)$'),
        ({"sum": [256]}, "integers within 0..255"),
        ({"sum": "text"}, "give bytes, an integer"),
        ({0x10000: 1}, "not an address of 16 bits"),
        ({0xFFFF: b"12"}, "go past"),
    ],
)
def test_values_that_do_not_fit_are_refused(mem: dict[str | int, object], text: str) -> None:
    with pytest.raises(BadValue, match=text):
        ROM.call("rotate", mem=mem)  # type: ignore[arg-type]


def test_what_is_advised_for_a_word_is_taken() -> None:
    for value in (0x2002, 1 << 16, -300):
        with pytest.raises(BadValue) as caught:
            ROM.call("rotate", mem={2: value})
        data = eval(str(caught.value).partition("write ")[2])
        assert int.from_bytes(data, "little", signed=value < 0) == value
        ROM.call("rotate", mem={2: data, "lfsr": 1})


def test_a_symbol_of_unknown_size_takes_any_length_but_must_be_read_with_one() -> None:
    rom = Rom(with_symbol_size(ROM.image, "sum", None))
    r = rom.call("bump", mem={"sum": b"\1\2\3"}, check=False)
    assert r.read("sum", 3) == b"\2\2\3"
    with pytest.raises(BadValue, match=r"size of 'sum' is not known.*read\('sum', 1\)"):
        r.read("sum")
    with pytest.raises(BadValue, match="whose size is not known; for 2 bytes write"):
        rom.call("bump", mem={"sum": 300})


@pytest.mark.parametrize("name", ["lsfr", "rotat"])
def test_unknown_symbols_are_answered_with_the_nearest(name: str) -> None:
    with pytest.raises(UnknownSymbol, match="did you mean"):
        ROM.call(name)
    with pytest.raises(UnknownSymbol, match="did you mean"):
        ROM.call("rotate", mem={name: 1})


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"a": 256}, "a=256 does not fit"),
        ({"y": -129}, "y=-129 does not fit"),
        ({"flags": {"q": 1}}, "is not a flag"),
        ({"flags": {"c": 2}}, "is not a flag"),
        ({"limit": 0}, "at least one cycle"),
        ({"allow_brk": True}, "needs a handler"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, object], text: str) -> None:
    with pytest.raises(BadValue, match=text):
        ROM.call("add_five", **arguments)  # type: ignore[arg-type]


def test_an_unknown_engine_is_answered_with_those_there_are() -> None:
    with pytest.raises(
        NoSuchEngine, match=r"no engine 'py64'; did you mean 'py65'.*available: .*py65"
    ):
        Rom(ROM.image, engine="py64")
