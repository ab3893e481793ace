"""What only seems to be preserved, because it had the right value already."""

from __future__ import annotations

import pytest
from handmade import assemble

from romproof.harness.errors import ContractViolation
from romproof.harness.rom import Rom


def _rom(body: str, clobbers: str = "none", inputs: str = "in: none") -> Rom:
    head = f";; go – does it.\n; {inputs}\n; clobbers: {clobbers}\n"
    return Rom(assemble(f"{head}.export go\n.proc go\n{body}\n rts\n.endproc\n"))


SEEMING = [
    (" sec", "none", "flag C must come back as 0 but is 1"),
    (" sei", "none", "flag I must come back as 0 but is 1"),
    (" lda #$A5", "N Z", "A must come back as $5A but is $A5"),
    (" ldx #$C3", "N Z", "X must come back as $3C but is $C3"),
    (" ldy #$96", "N Z", "Y must come back as $69 but is $96"),
    (" lda #$A5", "A Z", "flag N must come back as 0 but is 1"),
    (" lda #$A5", "A N", "flag Z must come back as 1 but is 0"),
]


@pytest.mark.parametrize(("body", "clobbers", "sentence"), SEEMING)
def test_a_change_to_the_value_it_had_is_noticed(body: str, clobbers: str, sentence: str) -> None:
    with pytest.raises(ContractViolation, match="inverted") as caught:
        _rom(body, clobbers).call("go")
    assert sentence in caught.value.summary


@pytest.mark.parametrize(
    ("body", "clobbers", "inputs"),
    [
        (" php\n sec\n plp", "none", "in: none"),
        (" pha\n lda #$A5\n pla", "N Z", "in: none"),
        (" sec", "C", "in: none"),
        (" sec", "none", "in: C"),
        (" ldx #$C3", "N Z", "in: X"),
        # without "in:" nothing is said of what is not an input
        (" sec", "none", "stack: 0"),
    ],
)
def test_what_is_preserved_or_is_an_input_is_left_alone(
    body: str, clobbers: str, inputs: str
) -> None:
    assert _rom(body, clobbers, inputs).call("go").stack <= 1


def test_what_the_test_sets_stays_as_it_is() -> None:
    assert _rom(" sec").call("go", flags={"C": 1}).flags.c == 1
    assert _rom(" lda #$A5", "N Z").call("go", a=0xA5).a == 0xA5


def test_a_call_that_fails_only_when_inverted_is_none_the_test_made() -> None:
    # A decides whether it comes back, and the contract does not say so
    body = " bmi done\nloop:\n jmp loop\ndone:"
    assert _rom(body).call("go", limit=2000).a == 0xA5
