"""What a model does with symbolic numbers it does with plain ones, or nothing is proved."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import model_channels
import model_true
import pytest

from romproof import choose, word
from romproof.harness.rom import Rom
from romproof.isa.abi import abi_of
from romproof.projects import build, load
from romproof.prover.models.instructions import KNOWN
from romproof.prover.models.mapping import mapping_of
from romproof.prover.refinement.equivalence import prove_equivalent
from romproof.prover.replay.trial import Claim
from romproof.prover.results import Example, Proof, Verdict
from romproof.prover.states.model_places import BadMapping

pytest.importorskip("z3")

CHANNELS = model_channels.every()

SOURCE = """\
.segment "ZEROPAGE"
.exportzp sum, data, pair
sum: .res 1
data: .res 3
pair: .res 2
.segment "CODE"
.export bump, keep, both, nothing

;; bump – one more.
; in:       sum
; out:      sum
; clobbers: N Z
.proc bump
  inc sum
  rts
.endproc

;; keep – nothing is done.
; in:       data[3]
; out:      data[3]
.proc keep
  rts
.endproc

;; both – nothing is done, either.
; in:       pair[2]
; out:      pair[2]
.proc both
  rts
.endproc

;; nothing – nothing comes out.
; in:       A
; clobbers: X N Z
; out:      C
.proc nothing
  ldx #1
  rts
.endproc
"""


@pytest.fixture(scope="module")
def rom(tmp_path_factory: pytest.TempPathFactory) -> Rom:
    folder = tmp_path_factory.mktemp("models")
    (folder / "prog.s").write_text(SOURCE)
    (folder / "prog.cfg").write_text(
        "MEMORY { ZP: start = $10, size = $F0, type = rw;\n"
        "  ROM: start = $C000, size = $2000, type = ro, file = %O; }\n"
        "SEGMENTS { ZEROPAGE: load = ZP, type = zp; CODE: load = ROM, type = ro; }\n"
    )
    (folder / "pyproject.toml").write_text(
        "[tool.romproof]\nsources = ['prog.s']\nconfig = 'prog.cfg'\nengine = 'plain'\n"
    )
    return Rom(build(load(folder / "pyproject.toml", None)).image, "plain")


def proved(
    rom: Rom, routine: str, model: Callable[..., Any], requires: Any = None, **told: Any
) -> Proof:
    mapping = mapping_of(rom.contracts[routine], abi_of(rom.image.cpu), model, **told)
    return prove_equivalent(rom, routine, mapping, model, requires).proof


def claim_of(rom: Rom, routine: str, model: Callable[..., Any], requires: Any) -> Claim:
    contract, abi = rom.contracts[routine], abi_of(rom.image.cpu)
    mapping = mapping_of(contract, abi, model)
    return Claim(contract, abi, mapping, model, rom.memory_map.initial, None, requires)


def details(proof: Proof) -> str:
    return "\n".join(f.detail for f in proof.findings if f.verdict is not Verdict.PROVED)


@pytest.mark.parametrize("name", CHANNELS)
def test_a_wrong_model_is_never_proved(rom: Rom, name: str) -> None:
    found = proved(rom, "bump", CHANNELS[name], takes="sum")
    assert found.verdict in (Verdict.REFUTED, Verdict.UNKNOWN), details(found)
    if found.verdict is Verdict.UNKNOWN:
        assert re.search(
            r"(model|channels)_\w+\.py:\d+: |changes state that "
            r"outlives",
            details(found),
        )


def test_a_model_without_a_result_is_an_error(rom: Rom) -> None:
    def forgetful(sum: Any) -> Any:
        if sum != 3:
            return sum + 1 & 0xFF
        return None

    with pytest.raises(BadMapping, match=r"'forgetful' \(.*\.py:\d+\) gives None for some inputs"):
        proved(rom, "bump", forgetful)
    with pytest.raises(BadMapping, match="gives None for every input: a 'return' is missing"):
        proved(rom, "bump", lambda sum: None)


@pytest.mark.slow_cases(
    "by_named_tuples",
    "by_enumeration",
    "by_int_enumeration",
    "by_text",
    "by_text_of_truths",
    "by_attributes",
    "by_rounding",
    "by_list",
    "by_array",
    "by_own_exception",
    "by_closure",
    "by_generators",
    "by_dictionary_result",
    "by_generator_result",
)
@pytest.mark.parametrize("name", model_true.MODELS)
def test_a_right_model_is_proved(rom: Rom, name: str) -> None:
    found = proved(rom, "bump", model_true.MODELS[name], takes="sum")
    assert found.verdict is Verdict.PROVED, details(found)


# ---------------------------------------------------------------- bytes


def wrong_bytes(found: Any, data: Any) -> Any:
    return [0, 0, 0] if found else data


@pytest.mark.parametrize(
    "model",
    [
        lambda data: wrong_bytes(data != list(data), data),
        lambda data: wrong_bytes(data + b"x" == [*data, 0x78], data) if data[0] else [1, 1, 1],
        lambda data: wrong_bytes(isinstance(data, bytearray), data),
        lambda data: wrong_bytes(not isinstance(data, bytes), data),
        lambda data: wrong_bytes(isinstance(data[0].to_bytes(1), bytes), data),
        lambda data: wrong_bytes(data.hex() == "020304", data),
        lambda data: wrong_bytes(data.find(b"a") == 0, data),
        lambda data: wrong_bytes(b"ab" in data, data),
        lambda data: wrong_bytes(bytes(data) == b"abc", data),
        lambda data: wrong_bytes(int.from_bytes(data) == 5, data),
        lambda data: wrong_bytes(memoryview(data)[0] == 5, data),
        lambda data: wrong_bytes(str(data) == "bytearray(b'abc')", data),
        lambda data: wrong_bytes(data < b"b", data),
        lambda data: wrong_bytes(data.pop() == 3, data),
        lambda data: wrong_bytes(data.append(3), data) if data[0] else [1, 1, 1],
        lambda data: wrong_bytes(data.term if hasattr(data, "term") else 1, data),
        lambda data: wrong_bytes(data._symbolic_cells == 1, data),
        lambda data: wrong_bytes(data[:1] == b"a", data),
        lambda data: wrong_bytes({data[:1].copy()[0] & 7: 1}.get(3), data),
        lambda data: wrong_bytes(word([data[0] + 1, 0]) == 256, data),
    ],
)
def test_bytes_are_as_those_of_python(rom: Rom, model: Callable[..., Any]) -> None:
    found = proved(rom, "keep", model)
    assert found.verdict in (Verdict.REFUTED, Verdict.UNKNOWN)


def extended(data: Any) -> Any:
    other = data
    other += b"x"
    return data[:3] if len(data) == 4 else [0, 0, 0]


def deleted(data: Any) -> Any:
    del data[0]
    return [data[0], data[0], data[0]]


def chosen(data: Any) -> Any:
    one, other = [data[0]], [data[1]]
    choose(data[0] < data[1], one, other)[0] = 0
    return [*one, *other, data[2]]


def grown(data: Any) -> Any:
    plain = bytearray(b"")
    same = plain
    plain += data
    return data if len(same) == 0 else [0, 0, 0]


@pytest.mark.parametrize("model", [extended, deleted, grown])
def test_what_others_would_see_is_refused(rom: Rom, model: Callable[..., Any]) -> None:
    assert proved(rom, "keep", model).verdict in (Verdict.REFUTED, Verdict.UNKNOWN)


def by_cells(data: Any) -> Any:
    assert isinstance(data, bytearray)
    data[0], data[1] = data[0] ^ data[1], data[1]
    data[0] ^= data[1]
    assert data == bytearray(data[n] for n in (0, 1, 2)) if data == b"abc" else True
    return data


def by_parts(data: Any) -> Any:
    low, high = data[:1], data[1:]
    assert 300 not in [*low, *high]
    return low + high


def by_number(data: Any) -> Any:
    return (word(data, "little") * 2 // 2).to_bytes(3, "little")


@pytest.mark.slow_cases("by_cells", "by_parts")
@pytest.mark.parametrize("model", [by_cells, by_parts, by_number, chosen])
def test_right_models_of_bytes_are_proved(rom: Rom, model: Callable[..., Any]) -> None:
    found = proved(rom, "keep", model)
    assert found.verdict is Verdict.PROVED, details(found)


# ---------------------------------------------------------------- claims that say nothing


def right(sum: Any) -> Any:
    return sum + 1 & 0xFF


def no_return(sum: Any) -> Any:
    sum == 3  # noqa: B015


def some_return(sum: Any) -> Any:
    if sum < 9:
        return True
    return None


def raising(sum: Any) -> Any:
    return 5 // sum > 1


@pytest.mark.parametrize(
    ("requires", "told"),
    [
        (no_return, r"'no_return' \(.*test_models\.py:\d+\), which gives None: a 'return' is miss"),
        (some_return, "'some_return' .* which gives None"),
        (raising, r"'raising' \(.*\.py:\d+\), which raises ZeroDivisionError"),
        (lambda sum: "yes", "which gives 'yes'; it must say True or False"),
        (lambda sum: sum, r"which gives a number within 0\.\.255"),
        (lambda sum: [sum], "must say True or False"),
        (lambda sum: 2, "which gives 2"),
    ],
)
def test_requires_has_to_say_true_or_false(rom: Rom, requires: Any, told: str) -> None:
    with pytest.raises(BadMapping, match=told):
        proved(rom, "bump", lambda sum: 77, requires)
    claim = claim_of(rom, "bump", right, requires)
    inputs = [Example({}, {}, {0x10: bytes([value])}) for value in (9, 0)]
    with pytest.raises(BadMapping, match=told.replace(r"a number within 0\.\.255", "9")):
        print(list(map(claim.allows, inputs)))


@pytest.mark.parametrize(
    "requires",
    [lambda sum: sum < 9, lambda sum: sum & 1, lambda sum: True, lambda sum: 1, lambda sum: not 0],
)
def test_a_number_of_one_bit_says_it_too(rom: Rom, requires: Any) -> None:
    found = proved(rom, "bump", right, requires)
    assert found.verdict is Verdict.PROVED, details(found)


@pytest.mark.parametrize(
    "requires", [lambda sum: False, lambda sum: sum > 255, lambda sum: sum * sum == 2]
)
def test_no_input_at_all_is_vacuous(rom: Rom, requires: Any) -> None:
    found = proved(rom, "bump", lambda sum: 77, requires)
    assert found.verdict is Verdict.VACUOUS
    assert details(found) == "no input satisfies 'requires:'"


def test_requires_that_looks_at_its_numbers_is_refused(rom: Rom) -> None:
    found = proved(rom, "bump", lambda sum: sum + 1, lambda sum: type(sum) is not int or sum < 255)
    assert found.verdict is Verdict.UNKNOWN
    assert "the model uses type" in details(found)


def test_a_claim_that_compares_nothing_is_an_error(rom: Rom) -> None:
    with pytest.raises(BadMapping, match="so there is nothing to compare"):
        proved(rom, "nothing", lambda a: {})
    with pytest.raises(BadMapping, match="is neither a name nor a tuple of names"):
        proved(rom, "bump", right, gives=())
    with pytest.raises(BadMapping, match="does not give sum"):
        proved(rom, "bump", lambda sum: {})


def test_a_model_that_raises_for_every_input_is_refuted(rom: Rom) -> None:
    found = proved(rom, "bump", lambda sum: sum // 0)
    assert found.verdict is Verdict.REFUTED
    assert "the model raises an exception for every input" in details(found)


@pytest.mark.slow
def test_all_inputs_are_tried_where_they_are_few(rom: Rom) -> None:
    found = proved(rom, "bump", right)
    assert found.findings[-1].detail == "256 inputs"
    assert proved(rom, "both", lambda pair: pair).findings[-1].detail == "65,536 inputs"


def test_a_way_that_few_inputs_take_is_run_as_well(rom: Rom) -> None:
    """Also where the model does not take all inputs of the routine."""

    def rare(data: Any) -> Any:
        return data[0] if word(data) == 0x123456 else data[0] ^ 0

    mapping_places = {"gives": ("data[0]",)}
    found = proved(rom, "keep", rare, **mapping_places)
    assert found.verdict is Verdict.PROVED, details(found)

    def looks(data: Any) -> Any:
        return data[0] if data != b"abc" else data[0].low

    assert proved(rom, "keep", looks, **mapping_places).verdict is Verdict.REFUTED


def test_inputs_that_the_model_does_not_take_are_drawn_too(rom: Rom) -> None:
    def rare(first: Any) -> Any:
        return [0x5A] if first == 0x5A else [first + 0]

    mapping = mapping_of(
        rom.contracts["keep"], abi_of(rom.image.cpu), rare, {"first": "data[0]"}, "data[0:1]"
    )
    found = prove_equivalent(rom, "keep", mapping, rare)
    assert found.proof.verdict is Verdict.PROVED, details(found.proof)
    assert len(found.inputs) >= 1000
    assert {len(each.memory[0x11]) for each in found.inputs} == {3}


def test_an_unknown_instruction_is_refused(monkeypatch: pytest.MonkeyPatch, rom: Rom) -> None:
    """As in a version of Python that is younger than this check."""
    monkeypatch.setattr("romproof.prover.models.code.KNOWN", KNOWN - {"BINARY_OP"})

    def more(sum: Any) -> Any:
        return sum + 1 & 0xFF

    found = proved(rom, "bump", more, takes="sum")
    assert found.verdict is Verdict.UNKNOWN
    assert "has the instruction BINARY_OP" in details(found)
