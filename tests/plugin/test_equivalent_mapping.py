"""What a model takes and gives: names, forms, and messages when they are not clear."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from equivalent_programs import rom as built

from romproof.contract.nouns.model import Contract
from romproof.harness.rom import Rom
from romproof.isa.abi import abi_of
from romproof.prover.models.mapping import Compared, Mapping, mapping_of
from romproof.prover.replay.trial import ExampleView, ResultView, call
from romproof.prover.results import Example
from romproof.prover.states.model_places import BadMapping

Model = Callable[..., Any]

LFSR = bytes.fromhex("12345678")
QUEUE = bytes(range(20))


@pytest.fixture(scope="module")
def roms(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Rom]:
    """The program on each CPU."""
    return {cpu: built(tmp_path_factory.mktemp("p"), cpu) for cpu in ("6502", "sm83")}


def _contract(rom: Rom, routine: str) -> Contract:
    return rom.contracts[routine]


def _mapping(rom: Rom, routine: str, model: Model, **options: Any) -> Mapping:
    return mapping_of(_contract(rom, routine), abi_of(rom.image.cpu), model, **options)


def _example(rom: Rom) -> Example:
    memory = {rom.image.address("lfsr"): LFSR, rom.image.address("queue"): QUEUE}
    memory[rom.image.address("sum")] = b"\x09"
    registers = {"a": 0x11, "x": 0x22, "c": 0x33, "d": 1, "e": 2, "h": 0xAB, "l": 0xCD}
    known = {r.attribute for r in abi_of(rom.image.cpu).registers}
    return Example({k: v for k, v in registers.items() if k in known}, {"c": 1, "z": 1}, memory)


def taken(rom: Rom, routine: str, model: Model, **options: Any) -> Any:
    """What the model gives for the inputs of the example."""
    view = ExampleView(abi_of(rom.image.cpu), _example(rom), rom.memory_map.initial)
    return _mapping(rom, routine, model, **options).run(model, view)


def compared(rom: Rom, routine: str, result: object, **options: Any) -> list[Compared]:
    """What a model's result is compared with."""
    example = _example(rom)
    called = call(rom, _contract(rom, routine), example, None)

    def model(*inputs: Any) -> Any:
        return result

    return list(_mapping(rom, routine, model, **options).compare(result, ResultView(called)))


def as_contracts_write_them(C: int, X: int, A: int) -> tuple[int, int, int]:  # noqa: N803
    """A model whose parameters are called as contracts call registers."""
    return C, X, A


def test_parameters_are_inputs_by_name_or_in_order(roms: dict[str, Rom]) -> None:
    mos, sm83 = roms["6502"], roms["sm83"]
    assert taken(mos, "add", lambda c, x, a: (c, x, a)) == (1, 0x22, 0x11)
    assert taken(mos, "add", as_contracts_write_them) == (1, 0x22, 0x11)
    assert taken(mos, "add", lambda one, two, carry: (one, two, carry)) == (0x11, 0x22, 1)
    assert taken(mos, "add", lambda *inputs: inputs) == (0x11, 0x22, 1)
    assert taken(mos, "add", lambda x, radix=10: (x, radix)) == (0x22, 10)
    assert taken(mos, "bump", lambda sum: sum) == 9
    assert taken(mos, "bump", abs) == 9
    assert taken(mos, "next_byte", lambda state: state) == bytearray(LFSR)
    assert taken(mos, "next_byte", max) == 0x78
    # on the SM83 C is a register; the flag has another name
    assert taken(sm83, "add_c", lambda a, c, cf: (a, c, cf)) == (0x11, 0x33, 1)
    assert taken(sm83, "add_words", lambda hl, de: (hl, de)) == (0xABCD, 0x0102)
    assert taken(sm83, "add_words", lambda one, two: (one, two)) == (0xABCD, 0x0102)
    assert taken(sm83, "add_words", lambda h, e: (h, e)) == (0xAB, 2)
    assert taken(sm83, "add_words", lambda dehl: dehl) == 0x0102_ABCD
    assert taken(sm83, "add_words", lambda long: long, takes="hlde") == 0xABCD_0102


def positional(state: int, /, factor: int = 1) -> int:
    return state * factor


@pytest.mark.parametrize(
    ("model", "takes", "expected"),
    [
        (lambda state: state, {"state": "lfsr:big"}, 0x12345678),
        (lambda state: state, {"state": "lfsr:little"}, 0x78563412),
        (lambda state: state, ("lfsr:big",), 0x12345678),
        (lambda state: state, "lfsr:big", 0x12345678),
        (lambda top: top, {"top": "lfsr[0]"}, 0x12),
        (lambda top: top, {"top": "lfsr[-1]"}, 0x78),
        (lambda part: part, {"part": "lfsr[1:3]"}, b"\x34\x56"),
        (lambda part: part, {"part": "lfsr[2:]:big"}, 0x5678),
        (lambda part: part, {"part": "lfsr[:2]:little"}, 0x3412),
        (lambda both: both, {"both": ("lfsr[0]", ("lfsr[1]", "lfsr:big"))}, None),
        (positional, {"state": "lfsr:big"}, 0x12345678),
        (positional, {"state": "lfsr[0]", "factor": "lfsr[1]"}, 0x12 * 0x34),
        (max, ("lfsr[0]", "lfsr[1]"), 0x34),
    ],
)
def test_takes_says_where_values_come_from(
    roms: dict[str, Rom], model: Model, takes: Any, expected: Any
) -> None:
    if expected is None:
        expected = (0x12, (0x34, 0x12345678))
    assert taken(roms["6502"], "next_byte", model, takes=takes) == expected


def test_constants_have_the_names_of_parameters(roms: dict[str, Rom]) -> None:
    mapping = {"mask": 0xA3, "other": 5}
    assert taken(roms["6502"], "bump", lambda sum, mask: (sum, mask), constants=mapping) == (
        9,
        0xA3,
    )


def test_a_model_may_change_what_it_is_given(roms: dict[str, Rom]) -> None:
    def model(queue: bytearray, a: int) -> bytearray:
        queue[0] = a
        return queue

    assert taken(roms["6502"], "shift_in", model)[0] == 0x11


@pytest.mark.parametrize(
    ("routine", "model", "takes", "message"),
    [
        ("next_byte", lambda lfsr, n: 0, None, r"the parameter n .* \(its inputs: lfsr\)"),
        ("add", lambda a, b, d: 0, None, r"the parameters b, d .* takes={'b': 'a'}"),
        ("add", lambda one: 0, None, r"parameter one .* \(its inputs: a, x, c\)"),
        ("add", lambda y: 0, {"y": "y"}, "'y' is not an input of 'add'; there are c, a, x"),
        (
            "next_byte",
            lambda s: 0,
            {"s": "lfrs:big"},
            "'lfrs' is not an input .* did you mean 'lfsr'",
        ),
        ("next_byte", lambda s: 0, {"s": "lfsr[4]"}, r"'lfsr\[4\]': lfsr has the bytes 0 to 3"),
        ("next_byte", lambda s: 0, {"s": "lfsr big"}, "is not a register, flag or memory: write"),
        ("next_byte", lambda s: 0, {"z": "lfsr"}, "no such parameter; it has s"),
        ("next_byte", lambda s: 0, {"s": 4}, "give names of inputs"),
        ("add", lambda s, x, c: 0, {"s": "a:big"}, "a is a register or flag, not memory"),
        ("nothing", lambda: 0, None, "the contract of 'nothing' has no 'in:'"),
    ],
)
def test_unclear_arguments_are_refused(
    roms: dict[str, Rom], routine: str, model: Model, takes: Any, message: str
) -> None:
    with pytest.raises(BadMapping, match=message):
        _mapping(roms["6502"], routine, model, takes=takes)


STATE = 0x67023456
"""What next_byte makes of LFSR, most significant byte first."""


@pytest.mark.parametrize(
    ("result", "gives"),
    [
        ((STATE >> 24, STATE.to_bytes(4, "big")), None),
        ((STATE >> 24, list(STATE.to_bytes(4, "big"))), None),
        ((STATE >> 24, bytearray(STATE.to_bytes(4, "big"))), None),
        ((STATE >> 24, int.from_bytes(STATE.to_bytes(4, "big"), "little")), None),
        ((STATE >> 24, STATE), ("a", "lfsr:big")),
        ([STATE, STATE >> 24], ("lfsr:big", "A")),
        (STATE, "lfsr:big"),
        ((STATE,), ("lfsr:big",)),
        (STATE >> 24, ("lfsr[0]",)),
        (STATE & 0xFFFF, ("lfsr[2:4]:big",)),
        ({"a": STATE >> 24, "lfsr:big": STATE}, None),
        ({"lfsr:big": STATE}, "lfsr"),
        ({"lfsr": STATE, "a": STATE >> 24}, ("lfsr:big", "a")),
        ({"lfsr": STATE.to_bytes(4, "big"), "a": STATE >> 24, "x": 0, "z": 1}, None),
    ],
)
def test_results_are_told_in_many_forms(roms: dict[str, Rom], result: Any, gives: Any) -> None:
    found = compared(roms["6502"], "next_byte", result, gives=gives)
    assert found
    assert all(each.equal for each in found)


def test_differences_are_found(roms: dict[str, Rom]) -> None:
    mos, sm83 = roms["6502"], roms["sm83"]
    for result in ((0, b"abcd"), (256 + (STATE >> 24), [300, 0, 0, 0]), (-1, -1), (True, [0] * 4)):
        assert [each.equal for each in compared(mos, "next_byte", result)] == [False, False]
    (one,) = compared(sm83, "add_words", 0xABCD + 0x0102)
    assert (one.equal, str(one.place)) == (True, "hl")
    found = compared(sm83, "add_words", {"h": 0xAC, "l": 0xCF, "cf": 1})
    assert [each.equal for each in found] == [True, True, False]


@pytest.mark.parametrize(
    ("routine", "result", "gives", "message"),
    [
        ("next_byte", 5, None, r"gives 1 number, but its results are 2: a, lfsr; return a tuple"),
        ("next_byte", (1, 2, 3), None, "gives 3 values, but its results are 2"),
        ("next_byte", None, None, "gives None, but"),
        ("next_byte", b"abcd", None, "gives a bytes, but"),
        ("next_byte", {"a": 1}, None, r"does not give lfsr; .* name the outputs with gives"),
        ("next_byte", {"a": 1, "lfrs": 1}, None, "'lfrs' is not an output .* did you mean 'lfsr'"),
        ("next_byte", {"a": 1, 2: 1}, None, "dict with the key 2"),
        ("next_byte", (1, b"abc"), None, "gives 3 bytes for lfsr, which has 4"),
        ("next_byte", (b"a", 1), None, "gives a bytes for a: it must be a number"),
        ("next_byte", (1.0, 1), None, "gives a float for a"),
        ("next_byte", (1, ["a"] * 4), None, "its bytes must be numbers"),
        ("next_byte", 1, ("b",), "'b' is not an output of 'next_byte'"),
        ("next_byte", 1, (), r"gives=\(\) is neither a name"),
        ("shift_in", 1, None, "number for queue, which has 20 bytes; say gives='queue:big'"),
    ],
)
def test_unclear_results_are_refused(
    roms: dict[str, Rom], routine: str, result: Any, gives: Any, message: str
) -> None:
    with pytest.raises(BadMapping, match=message):
        compared(roms["6502"], routine, result, gives=gives)
