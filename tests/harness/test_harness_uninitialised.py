"""Reads of variables that nobody has written: what is told by default, and what on request."""

from __future__ import annotations

from pathlib import Path

import pytest
from handmade import assemble
from source_programs import rom_sm83

from romproof.engine.engines import ENGINES
from romproof.harness.errors import ContractViolation, UninitialisedRead
from romproof.harness.rom import Rom

ENGINES_HERE = [name for name, row in ENGINES.items() if row.refusal("mos6502") is None]


def rom(
    body: str, inputs: str = "none", outputs: str = "A", engine: str = "auto", contract: bool = True
) -> Rom:
    head = f";; go – does it.\n; in: {inputs}\n; out: {outputs}\n"
    head += "; clobbers: A X N V Z C scratch[2]\n"
    return Rom(
        assemble(
            '.segment "ZEROPAGE"\nvalue: .res 1\nscratch: .res 2\nbuffer: .res 4\n'
            '.exportzp value, scratch, buffer\n.segment "CODE"\n.export go\n'
            f"{head if contract else ''}.proc go\n{body}\n rts\n.endproc\n"
        ),
        engine,
    )


DEPENDS = {
    " lda value": ("A", "A depends on 'value'"),
    " lda value\n sta buffer": ("buffer[4]", "buffer depends on 'value'"),
    " inc buffer": ("buffer[4]", "buffer depends on 'buffer'"),
    " ldx value\n cpx #$80": ("C", "flag C depends on 'value'"),
    " lda value\n bmi skip\n nop\nskip:": ("none", "the number of its cycles depends on 'value'"),
    " lda value\n bpl over\nloop: jmp loop\nover:": ("none", "whether it returns depends on"),
    " lda value\n eor scratch\n eor #1": ("A", "A depends on 'value'"),
}


@pytest.mark.parametrize("body", DEPENDS)
def test_outputs_that_depend_on_it(body: str) -> None:
    outputs, told = DEPENDS[body]
    with pytest.raises(ContractViolation) as caught:
        rom(body, outputs=outputs).call("go")
    assert f"{told}, which has not been written and is not an input" in caught.value.summary or (
        told in caught.value.summary
    )
    assert "; in: none" in caught.value.summary
    rom(body, outputs=outputs).call("go", uninitialised=False)


@pytest.mark.parametrize(
    ("body", "inputs", "outputs"),
    [
        # kept for somebody, and brought back
        (" lda scratch\n pha\n lda #3\n sta scratch\n pla\n sta scratch", "none", "none"),
        (" lda #1\n sta scratch\n lda scratch", "none", "A"),
        (" lda value\n lda #3", "none", "A"),
        (" lda value", "value[1]", "A"),  # an input may be anything
        (" lda #4\n sta buffer", "none", "buffer[4]"),  # the rest of an output is left alone
        (" lda value\n sta scratch", "none", "none"),
        (" lda value", "none", "none"),
    ],
)
def test_nothing_depends_on_it(body: str, inputs: str, outputs: str) -> None:
    rom(body, inputs, outputs).call("go")


def test_what_was_written_may_be_read() -> None:
    made = rom(" lda value")
    assert made.call("go", mem={"value": b"\x11"}).a == 0x11
    machine = made.machine()
    machine.write("value", 7)
    assert machine.call("go").a == 7
    machine.reset()
    with pytest.raises(ContractViolation, match="A depends on 'value'"):
        machine.call("go")
    # what an earlier call has left behind is not known: a machine that has called is not asked
    assert machine.call("go").a == 0x5A


def test_without_a_contract_or_its_inputs_nothing_is_said() -> None:
    assert rom(" lda value", contract=False).call("go").a == 0x5A


@pytest.mark.slow_cases("True-plain")
@pytest.mark.parametrize("engine", ENGINES_HERE)
@pytest.mark.parametrize("contract", [True, False])
def test_every_read_on_request(engine: str, contract: bool) -> None:
    made = rom(" lda value\n lda #3", engine=engine, contract=contract)
    assert made.call("go").a == 3
    with pytest.raises(UninitialisedRead) as caught:
        made.call("go", uninitialised=True)
    assert "'go': the instruction at $C000 (go) reads $0010 (value)" in caught.value.summary
    assert (caught.value.site, caught.value.address) == (0xC000, 0x10)
    assert "call chain:" in str(caught.value)
    assert made.call("go", mem={"value": b"\1"}, uninitialised=True).a == 3
    assert made.call("go").a == 3


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_what_a_call_writes_is_known_afterwards(engine: str) -> None:
    machine = rom(" lda #$5A\n sta scratch\n lda scratch", engine=engine).machine()
    assert machine.call("go", uninitialised=True).a == 0x5A
    with pytest.raises(UninitialisedRead, match=r"scratch\+1"):
        rom(" lda scratch+1".replace("scratch+1", "$12"), engine=engine).call(
            "go", uninitialised=True
        )
    assert machine.call("go", uninitialised=True).a == 0x5A


def test_one_switch_for_all_calls() -> None:
    made = rom(" lda value\n lda #3")
    strict = Rom(made.image, uninitialised=True)
    with pytest.raises(UninitialisedRead):
        strict.call("go")
    assert strict.call("go", uninitialised=False).a == 3
    with pytest.raises(ContractViolation):
        Rom(rom(" lda value").image).call("go")
    assert Rom(rom(" lda value").image, uninitialised=False).call("go").a == 0x5A


def test_variables_of_the_game_boy(tmp_path: Path) -> None:
    head = ";; go – x.\n; in: none\n; out: A\n; clobbers: F\n"
    made = rom_sm83(tmp_path, f"{head}go::\n ld a, [count]\n ret\n")
    with pytest.raises(ContractViolation, match="A depends on 'count'"):
        made.call("go")
    with pytest.raises(UninitialisedRead, match="count"):
        made.call("go", uninitialised=True)
    assert made.call("go", mem={"count": b"\3"}).a == 3


@pytest.mark.parametrize("variable", ["first", "last", "next", "end"])
def test_variables_over_several_pages_of_a_machine(variable: str) -> None:
    """They are at $0300, $03FF, $0400 and $05BC, with others between them."""
    image = assemble(
        '.segment "ZEROPAGE"\n .res 752\nfirst: .res 1\n .res 254\nlast: .res 1\nnext: .res 1\n'
        ' .res 443\nend: .res 1\n.export first, last, next, end\n.segment "CODE"\n.export go\n'
        ";; go – does it.\n; in: none\n; out: A\n; clobbers: X N Z C\n"
        f".proc go\n lda {variable}\n rts\n.endproc\n"
    )
    made = Rom(image, "plain", machine="c64")
    with pytest.raises(ContractViolation, match=f"A depends on '{variable}'"):
        made.call("go")
    assert made.call("go", mem={variable: b"\3"}).a == 3
