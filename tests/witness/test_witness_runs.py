"""Pieces of code, cycles, ports, models, and the engine without compiled code."""

from __future__ import annotations

from dataclasses import replace

import pytest
from witness_programs import (
    Plan,
    Point,
    piece_in,
    rom_of,
    routine_6502,
    routine_sm83,
    seen,
    statements,
    subject_in,
)

from romproof.witness.compare import BALANCE, DEPENDS, RETURNS
from romproof.witness.models import MODEL, Model, expecting
from romproof.witness.subject import Subject
from romproof.witness.witness import witness

PIECES = """\
.export begin, less, more, lost
begin:  cmp #100
        bcs more
less:   lda #0
        beq more
more:   ldx #1
lost:   pha
        rts
"""
LOOP = ("in: X; requires: X > 0; out: X; clobbers: N Z; cycles: 10..1280", "@l:/dex/bne @l/rts")


def test_a_piece_with_several_ends() -> None:
    text = ";; begin – compares.\n; in: A\n; out: none\n; clobbers: N Z C\n; cycles: 4..5"
    found = witness(piece_in(rom_of(PIECES), text, "begin", ["less", "more"]), tight=True)
    assert found.agrees
    assert (found.inputs, found.exhaustive) == (256, True)
    rom = rom_of(PIECES)
    assert found.ends == {rom.image.address("less"), rom.image.address("more")}


@pytest.mark.parametrize(
    ("text", "ends", "statement"),
    [
        (
            ";; begin – x\n; in: none\n; out: none\n; clobbers: N Z C",
            ["less", "more"],
            DEPENDS.text,
        ),
        (";; begin – x\n; in: A\n; out: none\n; clobbers: Z C", ["less", "more"], "preserves N"),
        (";; more – x\n; in: A\n; out: X\n; clobbers: N Z\n; ensures: X == 1", ["lost"], ""),
        (
            ";; more – x\n; in: A\n; out: X\n; clobbers: N Z\n; ensures: X == A",
            ["lost"],
            "ensures X == A",
        ),
    ],
)
def test_statements_on_pieces(text: str, ends: list[str], statement: str) -> None:
    begin = text.split()[1]
    found = witness(piece_in(rom_of(PIECES), text, begin, ends))
    assert statements(found) == ([statement] if statement else [])


def test_a_piece_must_leave_the_stack_as_it_was() -> None:
    source = ".export begin, done\nbegin:  pha\ndone:   rts\n"
    text = ";; begin – pushes.\n; in: A\n; out: none"
    assert BALANCE.text in statements(witness(piece_in(rom_of(source), text, "begin", ["done"])))


def test_limits_and_the_inputs_that_reach_them() -> None:
    found = seen(*LOOP, tight=True)
    assert found.agrees
    assert found.least is not None
    assert found.most is not None
    assert (found.least.cycles, found.least.input) == (10, Point({"x": 1}))
    assert (found.most.cycles, found.most.input) == (1280, Point({"x": 255}))


@pytest.mark.parametrize(
    ("limits", "tight", "wrong"),
    [
        ((10, 1280), True, False),
        ((None, 1280), True, False),
        ((9, 2000), False, False),
        ((9, None), True, True),
        ((None, 2000), True, True),
        ((11, None), False, True),
        ((None, 1279), False, True),
    ],
)
def test_the_limits_of_the_proof_are_compared(
    limits: tuple[int | None, int | None], tight: bool, wrong: bool
) -> None:
    contract = LOOP[0].partition("; cycles")[0]
    found = seen(contract, LOOP[1], limits=limits, tight=tight)
    assert found.agrees != wrong


@pytest.mark.slow_cases("60.0")
@pytest.mark.parametrize("seconds", [60.0, 0.0])
def test_limits_are_reached_where_not_all_inputs_can_be_executed(seconds: float) -> None:
    """The inputs that reach them come first; where there is no time for these, nothing is said."""
    contract = "in: A Y; requires: A > 0; out: none; clobbers: X N Z; cycles: 12..1282"
    extra = [Point({"a": 1, "y": 0}), Point({"a": 255, "y": 0})]
    plan = Plan(engine="plain", plain_cycles=50_000)
    options = {"plan": plan, "tight": True, "left": lambda: seconds}
    found = seen(contract, "tax/@l:/dex/bne @l/rts", extra=extra, **options)
    assert not found.exhaustive
    assert found.agrees
    claimed = contract.replace("1282", "1283")
    wrong = seen(claimed, "tax/@l:/dex/bne @l/rts", extra=extra, **options)
    assert wrong.agrees == (seconds == 0)


def test_what_does_not_end_is_told_only_where_the_end_was_claimed() -> None:
    forever = ("in: A; out: none; clobbers: N Z C", "@l:/cmp #7/beq @l/rts")
    plan = Plan(limit=10_000)
    assert statements(seen(*forever, plan=plan)) == [RETURNS.text]
    found = seen(*forever, plan=plan, ends=False)
    assert found.agrees
    assert found.unfinished > 0


def test_returns_and_labels_that_were_reached() -> None:
    source = routine_6502(
        "in: A; out: A; clobbers: X N Z C; invariant: @l: X in 1..4; loops: @l 4",
        "cmp #9/bcs @big/lda #1/rts/@big:/ldx #4/@l:/dex/bne @l/lda #2/rts",
    )
    rom = rom_of(source)
    found = witness(subject_in(rom))
    assert found.agrees
    assert len(found.returns) == 2
    assert all(rom.image.line_at(address).data == b"\x60" for address in found.returns)
    ((_, visits),) = found.labels.items()
    assert visits > 100


VERDICTS = [
    pytest.param(
        "6502",
        "in: A X; requires: X < 9; out: A; clobbers: N Z tmp; ensures: A == old A ^ X",
        "stx tmp/eor tmp/rts",
        marks=pytest.mark.slow,
    ),
    ("6502", "in: A; out: none; clobbers: N V Z C", "cmp #$37/bne @e/ldx #$80/@e:/rts"),
    ("6502", "in: A; out: none", "sta tmp/rts"),
    pytest.param(
        "6502",
        "in: A tmp; requires: A < 4; out: none; clobbers: N Z X",
        "ldx tmp/sta tmp/stx tmp/rts",
        marks=pytest.mark.slow,
    ),
    ("6502", "in: A; out: none; stack: 1; clobbers: N Z", "pha/pha/pla/pla/rts"),
    ("6502", "in: none; out: A; clobbers: N Z", "txa/rts"),
    ("sm83", "in: A; secret: A; out: none; clobbers: F", "or a/jr z, .e/.e:/ret"),
    pytest.param(
        "sm83",
        "in: A B; requires: B > 250; out: A; clobbers: F; ensures: A == old A + B & $FF",
        "add a, b/ret",
        marks=pytest.mark.slow,
    ),
    ("sm83", "in: none; out: none", "stop/nop/ret"),
]


@pytest.mark.parametrize(("cpu", "contract", "code"), VERDICTS)
def test_without_compiled_code_the_verdicts_are_the_same(
    cpu: str, contract: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("llvmlite")
    plan = Plan(runs=400)
    fast = seen(contract, code, cpu, plan)
    monkeypatch.setattr("romproof.support.extras.find_spec", lambda name: None)
    slow = seen(contract, code, cpu, plan)
    assert (fast.engine, slow.engine) == ("llvm", "plain")
    assert statements(slow) == statements(fast)
    assert (slow.runs, slow.inputs, slow.least, slow.most, slow.returns) == (
        fast.runs, fast.inputs, fast.least, fast.most, fast.returns
    )  # fmt: skip


def test_a_contract_that_is_falsified_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a prover with a fault would let pass: the same code, one number changed."""
    right = "in: A; out: A; clobbers: N V Z C; cycles: 10; ensures: A == old A + 5 & $FF"
    code = "clc/adc #5/rts"
    assert seen(right, code).agrees
    for old, new in (("+ 5", "+ 4"), ("10", "9"), ("10", "9..11"), (" V", ""), ("$FF", "$7F")):
        assert not seen(right.replace(old, new, 1), code, tight=True).agrees, new


def test_ports_bring_something_else_at_each_read() -> None:
    wait = routine_6502(
        "in: none; out: A; clobbers: N Z C", "@l:/lda tmp/cmp tmp/beq @l/lda #1/rts"
    )
    found = witness(_with_port(wait, "tmp"), Plan(runs=200, plain_cycles=500_000))
    assert found.agrees
    assert found.engine == "plain"


def test_what_a_port_brings_is_no_undeclared_input_but_nothing_is_promised_of_it() -> None:
    source = routine_6502("in: none; out: A; clobbers: N Z; ensures: A < 200", "lda tmp/rts")
    found = witness(_with_port(source, "tmp"), Plan(runs=200, plain_cycles=500_000))
    assert statements(found) == ["ensures A < 200"]
    source = routine_6502(
        "in: none; out: none; clobbers: A N Z C; cycles: 14",
        "lda tmp/cmp tmp/beq @e/nop/nop/@e:/rts",
    )
    found = witness(_with_port(source, "tmp"), Plan(runs=2000, plain_cycles=1_000_000))
    assert "takes 14 cycles" in statements(found)


def test_a_range_of_ports_that_is_not_touched_changes_nothing() -> None:
    source = routine_6502("in: A; out: A; clobbers: N Z; ensures: A == old A", "ora #0/rts")
    found = witness(_with_port(source, "tmp"))
    assert found.agrees
    assert found.engine != "plain" or found.exhaustive


@pytest.mark.slow
def test_ports_that_only_some_inputs_read_are_found_out() -> None:
    wait = "cmp #77/bne @e/@l:/lda tmp/cmp tmp/beq @l/@e:/lda #1/rts"
    source = routine_6502("in: A; out: A; clobbers: N Z C", wait)
    found = witness(_with_port(source, "tmp"))
    assert found.agrees
    assert found.engine == "plain"
    assert RETURNS.text in statements(witness(subject_in(rom_of(source)), Plan(limit=10_000)))


def _with_port(source: str, name: str) -> Subject:
    rom = rom_of(source)
    address = rom.image.address(name)
    return replace(subject_in(rom), volatile=(range(address, address + 1),))


def test_models() -> None:
    rom = rom_of(routine_6502("in: A X; out: A; clobbers: N V Z C tmp", "stx tmp/clc/adc tmp/rts"))
    it = subject_in(rom)
    right = expecting(it, lambda before: {"a": before.register("A") + before.register("X") & 0xFF})
    assert witness(it, Plan(exhaustive=256), model=right).agrees
    wrong = expecting(it, lambda before: {"a": before.register("A") | before.register("X")})
    (one,) = witness(it, Plan(exhaustive=256), model=wrong).disagreements
    assert one.statement == MODEL
    assert "A is $" in one.detail
    only = Model(wrong.differs, lambda before: before.register("A") & before.register("X") == 0)
    found = witness(it, Plan(exhaustive=256), model=only)
    assert found.agrees
    assert found.runs >= 1000


def test_models_of_memory_flags_and_ends() -> None:
    source = routine_sm83("in: A; out: CF arr[16]", "ld [arr], a/ld [arr+1], a/scf/ret")
    rom = rom_of(source, "sm83")
    contract = rom.contracts["it"]
    assert contract.outputs
    it = subject_in(rom)
    address = rom.image.address("arr")
    right = expecting(it, lambda b: {address: bytes([b.register("A")] * 2), "cf": 1})
    found = witness(it, Plan(runs=100), model=right)
    assert MODEL.text not in statements(found)
    wrong = expecting(it, lambda b: {address: bytes([b.register("A"), 0])})
    assert MODEL.text in statements(witness(it, Plan(runs=100), model=wrong))
    piece = piece_in(
        rom_of(PIECES),
        ";; begin – x\n; in: A\n; out: none\n; clobbers: N Z C",
        "begin",
        ["less", "more"],
    )
    less, more = piece.ends
    right = expecting(piece, lambda b: {"pc": more if b.register("A") >= 100 else less})
    assert witness(piece, model=right).agrees
    wrong = expecting(piece, lambda b: {"pc": more if b.register("A") > 100 else less})
    assert [d.input for d in witness(piece, model=wrong).disagreements] == [Point({"a": 100})]


def test_a_model_that_raises_is_told() -> None:
    it = subject_in(rom_of(routine_6502("in: A; out: none", "rts")))
    model = expecting(it, lambda before: {"a": 1 // before.register("A")})
    (one,) = witness(it, model=model).disagreements
    assert "ZeroDivisionError" in one.detail


def test_without_time_the_rest_is_left_out() -> None:
    """The seconds are asked for, not measured here: with less than a moment, one input is run."""
    left = iter([100.0, 1e-9])
    contract, code = "in: A X Y; out: A; clobbers: N Z", "lda #1/rts"
    found = seen(contract, code, left=lambda: next(left, 0.0))
    assert found.agrees
    assert found.stopped
    assert not found.exhaustive
    assert 0 < found.inputs < Plan().runs
    short = seen(contract, code, left=lambda: 0.0)
    assert (short.inputs, short.stopped) == (1, True)
    assert not seen(contract, code).stopped


def test_so_many_cycles_and_no_more() -> None:
    plan = Plan(runs=64, all_cycles=1)
    found = seen("in: A X; out: none; clobbers: N Z C", "cmp #7/rts", plan=plan)
    assert found.agrees
    assert found.inputs == 64
    assert not found.exhaustive
