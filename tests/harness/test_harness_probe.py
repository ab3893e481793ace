"""What a call has read decides whether it is made again with other values: the same is found."""

from __future__ import annotations

from random import Random

import pytest
from handmade import assemble

from romproof.harness.calls import runner
from romproof.harness.errors import ContractViolation
from romproof.harness.rom import Rom

_VARIABLES = '.segment "ZEROPAGE"\none: .res 1\ntwo: .res 1\nfour: .res 4\n'
_STEPS = (
    "lda #$A5", "ldx #$C3", "ldy #$96", "lda one", "sta one", "lda two", "sta two", "inc four",
    "sta $13", "eor $13", "ldx two", "stx $14", "ldy $14", "tax", "txa", "tay", "tya", "inx",
    "dey", "clc", "sec", "clv", "sei", "adc #1", "sbc one", "cmp #7", "bit two", "and #0",
    "php\n plp", "pha\n lda two\n pla", "asl a", "ror four",
    "bcc s@\n nop\ns@:", "bne s@\n iny\ns@:",
)  # fmt: skip
_ITEMS = ("A", "X", "Y", "N", "V", "D", "I", "Z", "C", "one", "two", "four[4]")


def _routine(number: int, random: Random) -> str:
    steps = random.choices(_STEPS, k=random.randint(1, 7))
    body = "\n ".join(step.replace("@", f"{number}_{n}") for n, step in enumerate(steps))
    inputs = random.sample(_ITEMS, random.randint(0, 5))
    outputs = random.sample(_ITEMS, random.randint(0, 4))
    clobbers = [i for i in _ITEMS if i not in outputs and random.random() < 0.8]
    lines = (("in", inputs), ("out", outputs), ("clobbers", clobbers))
    fields = "".join(f"; {name}: {' '.join(items) or 'none'}\n" for name, items in lines)
    return f";; r{number} – does it.\n{fields}.export r{number}\n.proc r{number}\n {body}\n rts\n"


def _outcomes(rom: Rom, count: int) -> list[str]:
    outcomes = []
    for number in range(count):
        try:
            result = rom.call(f"r{number}", mem={"two": 5})
            outcomes.append(f"{result.registers} {result.cycles} {result.after[:0x100].hex()}")
        except ContractViolation as broken:
            outcomes.append(broken.summary)
    return outcomes


@pytest.mark.slow_cases("2")
@pytest.mark.parametrize("seed", [1, 2])
def test_it_finds_what_a_call_that_is_always_made_again_finds(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random, count = Random(seed), 120
    text = ".endproc\n".join(_routine(n, random) for n in range(count)) + ".endproc\n"
    image = assemble(f'{_VARIABLES}.exportzp one, two, four\n.segment "CODE"\n{text}')
    expected = _outcomes(Rom(image, "plain"), count)
    assert sum("inverted)" in outcome for outcome in expected) > 10
    assert sum("depend" in outcome for outcome in expected) > 3
    again: list[str] = []
    for name in ("check_inverted", "check_dependence"):
        check = getattr(runner, name)
        monkeypatch.setattr(
            runner, name, lambda *a, name=name, do=check: again.append(name) or do(*a)
        )
    assert _outcomes(Rom(image, "llvm"), count) == expected
    assert again.count("check_inverted") < count
    assert again.count("check_dependence") < count / 2
    translating = Rom(image, "recompiled")
    translating._shared_machine.board.engine.warm_up = 0  # type: ignore[attr-defined]
    assert _outcomes(translating, count) == expected


def test_code_in_uninitialised_memory_is_read_by_executing_it() -> None:
    text = (
        f'{_VARIABLES}.exportzp one, two, four\n.segment "CODE"\n.export go\n'
        ";; go – calls what nobody has written.\n; in: two\n; out: A\n; clobbers: A N V Z C X Y\n"
        ".proc go\n jsr four\n rts\n.endproc\n"
    )
    for engine in ("plain", "llvm", "recompiled"):
        rom = Rom(assemble(text), engine, fill=0x60)  # RTS
        with pytest.raises(ContractViolation, match="depends on 'four'"):
            rom.call("go")
