"""Two versions of a routine: equal for all inputs, or an input that tells them apart."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest
from fuzz_same import SIMPLE, judge
from same_programs import CRC, compared, rom_of

import romproof
from romproof.prover.results import Verdict
from romproof.prover.same.same import Sameness
from romproof.prover.states.model_places import BadMapping
from romproof.report.paste import test_of as pasted
from romproof.text.errors import RomproofError


def told(result: Sameness) -> str:
    """What is not proved."""
    left = [each for each in result.findings if each.verdict is not Verdict.PROVED]
    return "; ".join(f"{each.statement}: {each.detail}" for each in left)


@pytest.mark.slow
def test_two_versions_of_a_crc_are_equal_and_their_cycles_are_those_of_the_machine(
    tmp_path: Path,
) -> None:
    rom = rom_of(tmp_path, CRC)
    result = compared(rom, "crc", "crc_fast")
    assert result.verdict is Verdict.PROVED, told(result)
    assert result.runs > 100
    chance = random.Random(3)
    more = set()
    for _ in range(300):
        given = {"a": chance.randrange(256), "mem": {"state": chance.randbytes(2)}}
        one, other = rom.call("crc", **given), rom.call("crc_fast", **given)
        assert one.mem["state"] == other.mem["state"]
        more.add(other.cycles - one.cycles)
    assert result.one is not None
    assert result.other is not None
    assert result.more_cycles is not None
    # eight shifts of 5 + 5 + 3 or 22 cycles, dex and bne: counted by hand in the source
    assert result.one.cycles == (157, 277)
    assert result.other.cycles == (68, 68)
    assert result.more_cycles == (68 - 277, 68 - 157)
    assert min(more) >= result.more_cycles[0]
    assert max(more) <= result.more_cycles[1]
    assert (result.one.code, result.other.code) == (28, 37)
    assert "Y" in set(result.other.changes) - set(result.one.changes)


def test_the_one_input_that_differs_is_shown_as_a_test_that_fails(tmp_path: Path) -> None:
    rom = rom_of(
        tmp_path,
        """.export double
;; double – A times two.
; in: A fac
; out: A C
; clobbers: N Z
.proc double
  asl a
  rts
.endproc
.export triple
.proc triple
  cmp #$5B
  bne @right
  pha
  lda fac
  eor #$A7
  bne @other
  pla
  lda #$5C
  bne @right
@other:
  pla
@right:
  asl a
  rts
.endproc
""",
    )
    result = compared(rom, "double", "triple")
    assert result.verdict is Verdict.REFUTED
    assert result.differs is not None
    assert result.differs.example.registers["a"] == 0x5B
    assert list(result.differs.example.memory.values()) == [b"\xa7"]
    test = "\n".join(pasted(result))
    names: dict[str, object] = {}
    exec(compile(test, "pasted", "exec"), names)
    with pytest.raises(AssertionError):
        names["test_double_and_triple_counterexample"](rom)  # type: ignore[operator]


def test_what_both_contracts_allow_is_what_counts(tmp_path: Path) -> None:
    rom = rom_of(
        tmp_path,
        """.export one, other, never
;; one – A for small numbers.
; in: A
; requires: A < 100
; out: A
; clobbers: N Z C
.proc one
  rts
.endproc
;; other – the same, but for 50 and above 99.
; in: A
; requires: A != 50
; out: A
; clobbers: N Z C
.proc other
  cmp #100
  bcs @wrong
  cmp #50
  bne @right
@wrong:
  lda #0
@right:
  rts
.endproc
;; never – nothing that the first allows.
; in: A
; requires: A > 150
; out: A
; clobbers: N Z C
.proc never
  rts
.endproc
""",
    )
    assert compared(rom, "one", "other").verdict is Verdict.PROVED
    assert compared(rom, "one", "never").verdict is Verdict.VACUOUS


@pytest.mark.slow
def test_memory_that_moved_is_the_same_by_name(tmp_path: Path) -> None:
    source = """.export fill, sum
;; sum – of eight cells.
; in: cells[8]
; out: A
; clobbers: X N V Z C
.proc sum
  lda #0
  ldx #7
@next:
  clc
  adc cells,x
  dex
  bpl @next
  rts
.endproc
;; fill – the cells are A, A + 1 and so on.
; in: A
; out: cells[8]
; clobbers: A X N V Z C
.proc fill
  ldx #0
  clc
@next:
  sta cells,x
  adc #1
  inx
  cpx #8
  bcc @next
  rts
.endproc
"""
    one = rom_of(tmp_path / "one", source)
    moved = source.replace("cpx #8\n  bcc @next", "clc\n  cpx #8\n  bne @next")
    other = rom_of(
        tmp_path / "other",
        moved.replace("ldx #7", "ldx #7\n  clc\n  adc #0"),
        ".bss\nnothing: .res 77\ncells: .res 8\n.code\n",
    )
    for name in ("sum", "fill"):
        result = compared(one, name, name, theirs=other)
        assert result.verdict is Verdict.PROVED, told(result)
    wrong = rom_of(tmp_path / "wrong", source.replace("ldx #7", "ldx #6"))
    result = compared(one, "sum", "sum", theirs=wrong)
    assert result.verdict is Verdict.REFUTED
    assert result.differs is not None
    assert any(data[7] for data in result.differs.example.memory.values())
    assert "rom.call(" in "\n".join(pasted(result))
    assert "== 0x" in "\n".join(pasted(result))


@pytest.mark.slow
def test_places_of_other_names_and_of_another_cpu_are_mapped(tmp_path: Path) -> None:
    source = """.export step, step_there
;; step – shift the state.
; in: state
; out: state A
; clobbers: N Z C
.proc step
  lda state
  asl a
  rol state+1
  bcc @done
  eor #$2D
@done:
  sta state
  rts
.endproc
;; step_there – the same elsewhere.
; in: other_state
; out: other_state X
; clobbers: A N Z C
.proc step_there
  lda other_state
  asl a
  rol other_state+1
  bcc @done
  eor #$2D
@done:
  sta other_state
  tax
  rts
.endproc
"""
    rom = rom_of(tmp_path / "6502", source)
    with pytest.raises(BadMapping, match="did you mean 'other_state'"):
        compared(rom, "step", "step_there", ("a", "x"), ("state", "state"))
    result = compared(rom, "step", "step_there", ("a", "x"), ("state", "other_state"))
    assert result.verdict is Verdict.PROVED, told(result)
    assert compared(rom, "step", "step_there", ("state", "other_state")).verdict is Verdict.PROVED
    folder = tmp_path / "sm83"
    folder.mkdir()
    (folder / "p.asm").write_text(
        """SECTION "v", HRAM
state:: ds 2
SECTION "e", ROM0[$100]
  nop
  jp step
  ds $150 - @
SECTION "c", ROM0
;; step – shift the state.
; in: state
; out: state E
; clobbers: A HL ZF NF HF CF
step::
  ld hl, state
  sla [hl]
  inc hl
  rl [hl]
  dec hl
  ld a, [hl]
  jr nc, .done
  xor $2D
  ld [hl], a
.done
  ld e, a
  ret
""",
        "utf-8",
    )
    (folder / "pyproject.toml").write_text(
        '[tool.romproof]\ncpu = "sm83"\nsources = ["p.asm"]\n', "utf-8"
    )
    there = romproof.load(folder)
    result = compared(rom, "step", "step", ("a", "e"), theirs=there)
    assert result.verdict is Verdict.PROVED, told(result)
    assert result.more_cycles is None  # clock cycles and M-cycles
    assert compared(there, "step", "step", ("e", "a"), theirs=rom).verdict is Verdict.PROVED
    with pytest.raises(BadMapping, match="--map a=NAME"):
        compared(rom, "step", "step", theirs=there)
    with pytest.raises(BadMapping, match=r"state has 16 bits, e has 8|16 bits"):
        compared(rom, "step", "step", ("state", "e"), ("a", "e"), theirs=there)


MAPPED = """.export from_x, kept, twice, twice_x, of_a
;; from_x – X.
; in: A X
; out: A
; clobbers: N Z
.proc from_x
  txa
  rts
.endproc
;; kept – nothing.
; in: X
; out: X
; clobbers: none
.proc kept
  rts
.endproc
;; twice – A times two.
; in: A
; out: A
; clobbers: N Z C
.proc twice
  asl a
  rts
.endproc
;; twice_x – X times two.
; in: X
; out: X
; clobbers: A N Z C
.proc twice_x
  txa
  asl a
  tax
  rts
.endproc
;; of_a – A times two, in X.
; in: A
; out: X
; clobbers: A N Z C
.proc of_a
  asl a
  tax
  rts
.endproc
"""


def test_what_is_mapped_is_nothing_else_besides(tmp_path: Path) -> None:
    """A register with another partner has lost the one of its own name, whichever comes first."""
    rom = rom_of(tmp_path, MAPPED)
    for names, pair in ((("twice", "twice_x"), ("a", "x")), (("twice_x", "twice"), ("x", "a"))):
        result = compared(rom, *names, pair)
        assert result.verdict is Verdict.PROVED, told(result)
    # X of the second is A of the first, and what the first gives is its own X
    assert compared(rom, "from_x", "kept", ("a", "x")).verdict is Verdict.REFUTED
    with pytest.raises(
        BadMapping,
        match=r"takes A, which has no partner in .*; name one with "
        r"--map NAME=a",
    ):
        compared(rom, "twice", "of_a", ("a", "x"))
    with pytest.raises(BadMapping, match=r"A of .* is mapped twice"):
        compared(rom, "twice", "twice_x", ("a", "x"), ("a", "a"))
    with pytest.raises(BadMapping, match=r"X of .* is mapped twice"):
        compared(rom, "from_x", "kept", ("a", "x"), ("x", "x"))


@pytest.mark.slow_cases(
    "  pla\\n  rts-Verdict.UNKNOWN-",
    "  jmp (tmp)-Verdict.UNKNOWN-",
    "  sta tmp\\n  rts-Verdict.PROVED-",
    "  sta tmp\\n  lda tmp\\n  rts-Verdict.PROVED-",
    "  eor tmp\\n  eor tmp\\n  rts-Verdict.PROVED-",
    "  pha\\n  tsx\\n  pla\\n  rts-Verdict.PROVED-",
    "  eor #0\\n  rts-Verdict.PROVED-",
)
@pytest.mark.parametrize(
    ("body", "verdict", "why"),
    [
        ("  lda $2000\n  rts", Verdict.REFUTED, "reads memory that is not one of its inputs"),
        ("  tay\n  lda $2000\n  eor $2000\n  tya\n  rts", Verdict.UNKNOWN, "reads memory"),
        ("  clc\n  adc data\n  rts", Verdict.UNKNOWN, "depends on memory that no contract lists"),
        ("  clc\n  adc data+1\n  rts", Verdict.REFUTED, "a is the same"),
        ("  sta $0700,x\n  rts", Verdict.UNKNOWN, "writes memory"),
        ("@l: jmp @l", Verdict.UNKNOWN, "endless loop"),
        ("  pla\n  rts", Verdict.UNKNOWN, ""),
        ("  jmp (tmp)", Verdict.UNKNOWN, ""),
        ("  sta tmp\n  rts", Verdict.PROVED, ""),
        ("  sta tmp\n  lda tmp\n  rts", Verdict.PROVED, ""),
        ("  eor tmp\n  eor tmp\n  rts", Verdict.PROVED, ""),
        ("  eor tmp\n  rts", Verdict.REFUTED, "a is the same"),
        ("  pha\n  tsx\n  pla\n  rts", Verdict.PROVED, ""),
        ("  eor #0\n  rts", Verdict.PROVED, ""),
        ("  clc\n  adc #1\n  rts", Verdict.REFUTED, "a is the same"),
    ],
)
def test_what_a_version_does_elsewhere_is_told(
    tmp_path: Path, body: str, verdict: Verdict, why: str
) -> None:
    rom = rom_of(
        tmp_path,
        f""".export one, other
;; one – A.
; in: A
; out: A
; clobbers: X N V Z C tmp
.proc one
  rts
.endproc
;; other – A, perhaps.
; in: A
; out: A
; clobbers: X N V Z C tmp
.proc other
{body}
.endproc
data: .byte 0, 1
""",
    )
    result = compared(rom, "one", "other")
    assert result.verdict is verdict, told(result)
    assert why in told(result)


@pytest.mark.quick_cases("  tsx\\n  lda $0103,x\\n  rts")
@pytest.mark.parametrize(
    "body",
    [
        "  tsx\n  txa\n  rts",  # where the stack is
        "  tsx\n  lda $0103,x\n  rts",  # a parameter that the caller has pushed
        "  tsx\n  lda $0101,x\n  rts",  # where it returns to
    ],
)
def test_the_stack_is_the_same_for_both(tmp_path: Path, body: str) -> None:
    head = "; in: A\n; out: A\n; clobbers: X N V Z C\n"
    rom = rom_of(
        tmp_path,
        ".export one, other, wrong\n"
        f";; one – something of the stack.\n{head}.proc one\n{body}\n.endproc\n"
        f";; other – the same.\n{head}.proc other\n  clc\n{body}\n.endproc\n"
        f";; wrong – one more.\n{head}.proc wrong\n"
        + body.replace("rts", "clc\n  adc #1\n  rts")
        + "\n.endproc\n",
    )
    assert compared(rom, "one", "other").verdict is not Verdict.REFUTED
    assert compared(rom, "one", "wrong").verdict is not Verdict.PROVED


def test_what_ports_bring_tells_nothing_apart(tmp_path: Path) -> None:
    head = "; in: volatile PORT[1]\n; out: A\n; clobbers: N Z\n"
    rom = rom_of(
        tmp_path,
        ".export one, other, PORT\nPORT = $D012\n"
        f";; one – a port.\n{head}.proc one\n  lda PORT\n  rts\n.endproc\n"
        f";; other – none.\n{head}.proc other\n  lda #0\n  rts\n.endproc\n",
    )
    for pair in (("one", "other"), ("other", "one"), ("one", "one")):
        result = compared(rom, *pair)
        assert result.verdict is Verdict.UNKNOWN
        assert "reads ports" in told(result)


def test_a_routine_needs_a_contract_on_one_side(tmp_path: Path) -> None:
    rom = rom_of(tmp_path, ".export one, other\none: rts\nother: rts\n")
    with pytest.raises(RomproofError, match="'one' has no contract"):
        compared(rom, "one", "other")


@pytest.mark.quick_cases("6502-0")
@pytest.mark.parametrize(("cpu", "seed"), [*product(SIMPLE, range(4))])
def test_random_pairs_are_what_all_their_inputs_show(cpu: str, seed: int, tmp_path: Path) -> None:
    _, fault = judge(cpu, seed, tmp_path)
    assert not fault, fault
