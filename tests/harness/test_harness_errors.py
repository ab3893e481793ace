"""What a failing call says."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from handmade import assemble
from programs import PROGRAM

from romproof.engine.protocol import Engine, EngineFault, FaultKind
from romproof.harness.errors import CallError, CallFault, ContractViolation, Runaway
from romproof.harness.replay.run import LAST, WATCHED
from romproof.harness.replay.trace import Stepper
from romproof.harness.rom import Rom
from romproof.text.diagnostic import BuildFailed
from romproof.text.errors import RomproofError

ROM = Rom(assemble(PROGRAM))


def _fails(name: str, **arguments: object) -> CallError:
    with pytest.raises(CallError) as caught:
        ROM.call(name, **arguments)  # type: ignore[arg-type]
    assert isinstance(caught.value, RomproofError)
    return caught.value


def _line_of(text: str) -> int:
    return 1 + next(i for i, line in enumerate(PROGRAM.splitlines()) if line.startswith(text))


def test_a_runaway_shows_the_loop_and_the_way_there() -> None:
    error = _fails("deeper", limit=5000)
    assert isinstance(error, Runaway)
    text = str(error)
    assert "'deeper' did not end within 5,000 cycles" in text
    assert re.search(r"last 4 of [12],\d{3} instructions \(5,00\d cycles used\)", text)
    assert re.search(rf"^ +\d+ \$C... +{_line_of('loop:')}  loop: dex +A5 ", text, re.MULTILINE)
    assert re.search(r"^ +\d+ \$C... +\d+  jmp loop +A5 .. 96 FB .VdI..$", text, re.MULTILINE)
    assert "are at only 2 addresses" in text
    assert re.search(
        r"call chain:\n  \$C... \(deeper\), called by the test\n"
        r"  \$C... \(forever\), called at \$C... \(deeper\)  prog.s:\d+\n",
        text,
    )
    line = _line_of("loop:")
    assert re.search(rf"[> ]{line:>5}  C...  CA +2  \| loop:   dex", text)


def test_of_a_long_run_the_calls_near_its_end_are_watched() -> None:
    text = str(_fails("deeper", limit=WATCHED + 50_000))
    assert re.search(
        r"call chain:\n  \$C... \(deeper\), called by the test\n"
        r"  … calls of the first 50,00\d cycles are not listed\n",
        text,
    )
    assert re.search(r"instructions \(350,00\d cycles used\)", text)
    assert "are at only 2 addresses" in text


def test_a_slow_but_ending_call_is_told_to_raise_the_limit() -> None:
    with pytest.raises(Runaway) as caught:
        ROM.machine().run_from("reset", until="done", limit=20)
    assert "raise the limit to 200 cycles: 'limit=' of a call, '--limit' of a command" in str(
        caught.value
    )


def test_an_undocumented_opcode_names_address_label_mnemonic_and_engine() -> None:
    with pytest.raises(CallFault) as caught:
        Rom(ROM.image, engine="py65", checks={"data_execution": "off"}).call("crash")
    error = caught.value
    assert isinstance(error, EngineFault)
    assert (error.kind, error.opcode) == (FaultKind.UNDOCUMENTED, 0x07)
    text = str(error)
    assert re.search(r"opcode \$07 'slo a8' at \$C... \(broken\) is undocumented", text)
    assert "use another engine" in text
    assert "py65" in text
    assert re.search(rf">{_line_of('broken:'):>5}  C...  07 10 +\| broken: .byte \$07, \$10", text)
    assert re.search(r"\(broken\), called at \$C... \(crash\)", text)


@pytest.mark.parametrize(
    ("routine", "kind", "text"),
    [
        ("to_rom", FaultKind.ROM_WRITE, r"at \$C... \(to_rom\+2\) writes \$01 to \$C000"),
        ("away", FaultKind.OUTSIDE, r"nothing was loaded at \$4000, after .*\(away\)"),
        ("stop", FaultKind.BRK, r"BRK at \$C... \(stop\): a crash"),
        ("recurse", FaultKind.STACK_OVERFLOW, r"the stack overflows at \$C... \(recurse\)"),
        ("pull", FaultKind.STACK_UNDERFLOW, r"\(pull\+2\) pulls more than was pushed: S is \$FF"),
        ("twice", FaultKind.OUTSIDE, r"\(twice\+1\), which pulled an address that no call pushed"),
        ("recurse", FaultKind.STACK_OVERFLOW, r"\n  … and 115 more\n"),
    ],
)
def test_faults_name_the_instruction(routine: str, kind: FaultKind, text: str) -> None:
    error = _fails(routine)
    assert isinstance(error, CallFault)
    assert error.kind is kind
    assert re.search(text, str(error))
    assert re.search(r"A=\$.. X=\$.. Y=\$.. S=\$.. P=[nNvVdDiIzZcC]{6} PC=\$....", str(error))


def test_without_checks_a_write_to_rom_is_done() -> None:
    assert ROM.call("to_rom", check=False).mem["add_five"][0] == 1
    assert ROM.call("add_five", a=1).a == 6, "the next call has a fresh ROM"


def test_a_broken_contract_lists_every_promise() -> None:
    error = _fails("liar")
    assert isinstance(error, ContractViolation)
    sentences = [b.sentence for b in error.breaches]
    assert [s.split(" but ")[0] for s in sentences[:2]] == [
        "X must come back as $C3",
        "flag N must come back as 1",
    ]
    assert "bytes of stack used: 1; the claim is 0" in sentences
    assert any("memory $0014 (sum) must stay $5A but is $00" in s for s in sentences)
    assert any("the call took 22 cycles; the claim is 5" in s for s in sentences)
    assert len(sentences) == 5
    text = str(error)
    assert "'liar' is broken: 5 promises" in text
    header = _line_of(";; liar")
    for field, offset in (("clobbers", 3), ("stack", 4), ("cycles", 5)):
        assert f"prog.s:{header + offset}:3: error:" in text
        assert f"| ; {field}:" in text
    assert "^^^^^^" in text
    assert "call chain:" in text


def test_contracts_are_not_checked_when_not_wanted() -> None:
    assert ROM.call("liar", check=False).x == 1


def test_inner_contracts_are_checked_when_wanted() -> None:
    ROM.call("trusting")
    error = _fails("trusting", check="deep")
    assert isinstance(error, ContractViolation)
    assert {b.contract.name for b in error.breaches} == {"liar"}
    assert len(error.breaches) == 5
    assert re.search(r"liar \(called at \$C... \(trusting\)\): X must come back", str(error))
    assert ROM.call("outer", a=1, check="deep").a == 11


def test_a_malformed_contract_is_a_diagnostic() -> None:
    rom = Rom(assemble(PROGRAM.replace("; clobbers: N V Z C\n; stack:    0", "; clobers:  Q", 1)))
    with pytest.raises(BuildFailed) as caught:
        rom.call("add_five")
    assert "contracts have no field 'clobers'" in str(caught.value)
    assert "did you mean 'clobbers'?" in str(caught.value)
    assert rom.call("add_five", a=1, check=False).a == 6


def test_code_without_source_lines_is_disassembled() -> None:
    rom = Rom(replace(ROM.image, lines=()))
    with pytest.raises(CallFault) as caught:
        rom.call("to_rom")
    assert re.search(r"> \$C... \(to_rom\+2\)  8D 00 C0  sta add_five", str(caught.value))


def test_the_last_call_can_be_told_afterwards() -> None:
    rom = Rom(ROM.image)
    assert rom.last_call is None
    rom.call("outer", a=1)
    assert rom.last_call is not None
    report = rom.last_call.report()
    assert report.startswith("call of 'outer'\nregisters:\n  A=$0B X=$C3 Y=$96 S=$FF")
    assert "cycles=42" in report
    assert re.search(r"last instruction: \$C... \(outer\+8\)", report)
    assert re.search(r"\(outer\), called by the test$", report, re.MULTILINE)
    rom.forget()
    assert rom.last_call is None


CHANGING = """\
.segment "CODE"
.export turn
turn: inc $C004           ; the code changes: each turn loads another number
again: lda #$00
  pha
  jsr inner
  pla
  cmp #$FF
  bne turn
  jmp turn
inner: jsr innermost
  inx
  rts
innermost: pla
  pla
  rts
"""


class _Told:
    """Keeps all that it is told, and the bytes that stood there at that moment."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.cycles = 0
        self.steps: list[tuple[int, int, int]] = []

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        self.steps.append((pc, self.cycles, cycles))
        self.cycles += cycles


@pytest.mark.parametrize("limit", [1, 6, 63, 64, 65, *range(5000, 5030)])
def test_the_last_steps_are_those_of_a_run_that_was_watched_from_the_start(limit: int) -> None:
    with pytest.raises(Runaway) as caught:
        Rom(assemble(CHANGING)).call("turn", limit=limit, check=False)
    scenario, trace = caught.value.record.scenario, caught.value.record.trace
    stage = scenario.make()
    scenario.set_up(stage)
    engine = stage.engine
    told = _Told(engine)
    engine.run(scenario.until, limit, told)
    shown = [(step.address, step.cycle, step.cycles) for step in trace.steps]
    assert shown == told.steps[-LAST:]
    assert (trace.cycles, trace.instructions) == (engine.cycles, engine.instructions)
    assert trace.registers == engine.registers
    # innermost takes its return address off and goes back to where inner was called
    inner, innermost = (caught.value.record.image.address(n) for n in ("inner", "innermost"))
    last = trace.steps[-1].address
    known = [inner] * (inner <= last) + [innermost] * (last == innermost)
    assert [frame.entry for frame in trace.frames[1:]] == known


def test_only_the_last_steps_of_a_runaway_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    real = Stepper.instruction

    def counted(self: Stepper, *event: int) -> None:
        looked.append(event[0])
        real(self, *event)

    monkeypatch.setattr(Stepper, "instruction", counted)
    assert "did not end within 1,000,000 cycles" in str(_fails("deeper"))
    assert len(looked) == LAST
