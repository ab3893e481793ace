"""Each statement of a contract, true and false, on both CPUs: what is false is found."""

from __future__ import annotations

import pytest
from witness_programs import seen, statements

from romproof.witness import compare, watch

DEPENDS, MEMORY, RETURNS = compare.DEPENDS.text, compare.MEMORY.text, compare.RETURNS.text
READS = watch.READS.text

TRUE = {
    "6502": {
        "a sum": (
            "in: A X; out: A; clobbers: tmp N V Z C; stack: 0; cycles: 16; "
            "ensures: A == (old A + old X) & $FF",
            "stx tmp/clc/adc tmp/nop/rts",
        ),
        "registers are saved": (
            "in: A; out: none; clobbers: N Z; stack: 2",
            "pha/txa/pha/ldx #1/pla/tax/pla/rts",
        ),
        "a byte is lent": ("in: A tmp; out: none; clobbers: N Z X", "ldx tmp/sta tmp/stx tmp/rts"),
        "one byte of an array": (
            "in: A X; requires: X < 16; out: arr[16]; ensures: arr[X] == A",
            "sta arr,x/rts",
        ),
        "more than 64 bits": (
            "in: wide; out: none; ensures: wide * wide * 2 == (wide + old wide) * wide",
            "rts",
        ),
        "a remainder by zero": ("in: A X; ensures: A % X == old A % old X", "rts"),
        "a secret": (
            "in: A; secret: A; out: A; clobbers: N Z C; ensures: A == old A >> 1",
            "lsr a/rts",
        ),
        "turns": (
            "in: X; requires: X in 1..8; out: X; clobbers: N Z; loops: @l 1..8; "
            "invariant: @l: X in 1..8; cycles: 10..45; ensures: X == 0",
            "@l:/dex/bne @l/rts",
        ),
        "decimal mode": ("in: D; out: none", "rts"),
        "a pulled return address": (
            "in: none; out: none; clobbers: A N Z ptr; stack: 0",
            "pla/sta ptr/pla/sta ptr+1/lda ptr+1/pha/lda ptr/pha/rts",
        ),
        "nested loops": (
            "in: none; out: none; clobbers: X Y N Z; loops: @o 3, @i 2; cycles: 55",
            "ldx #3/@o:/ldy #2/@i:/dey/bne @i/dex/bne @o/rts",
        ),
    },
    "sm83": {
        "a sum": (
            "in: A B; out: A; clobbers: F; stack: 0; cycles: 5; ensures: A == old A + old B & $FF",
            "add a, b/ret",
        ),
        "registers are saved": (
            "in: A; out: none; stack: 2; cycles: 13",
            "push bc/ld b, a/pop bc/nop/ret",
        ),
        "one byte of an array": (
            "in: A C; requires: C < 16; out: arr[16]; clobbers: HL F; ensures: arr[C] == A",
            "push bc/ld b, 0/ld hl, arr/add hl, bc/ld [hl], a/pop bc/ret",
        ),
        "sp is a pointer": (
            "in: arr[16]; out: DE; clobbers: HL F; ensures: DE == arr[0] | arr[1] << 8",
            "ld hl, arr/ld e, [hl]/inc hl/ld d, [hl]/ret",
        ),
        "turns": (
            "in: B; requires: B in 1..8; out: B; clobbers: F; loops: .l 1..8; "
            "invariant: .l: B in 1..8; cycles: 7..35",
            ".l:/dec b/jr nz, .l/ret",
        ),
    },
}
FALSE = {
    "6502": {
        "a register": ("in: A; out: none; clobbers: N Z", "ldx #5/rts", "preserves X"),
        "a register, for one input": (
            "in: A Y; out: none; clobbers: N V Z C",
            "cmp #$37/bne @e/cpy #$73/bne @e/ldx #$80/@e:/rts",
            "preserves X",
        ),
        "a flag": ("in: A; out: none", "clc/rts", "preserves C"),
        "decimal mode": ("in: A; out: none", "sed/rts", "preserves D"),
        "interrupts": ("in: A; out: none", "sei/rts", "preserves I"),
        "depth": (
            "in: A; out: none; clobbers: N Z; stack: 0",
            "pha/pla/rts",
            "uses at most 0 bytes of stack",
        ),
        "memory": ("in: A; out: none; stack: 0", "sta tmp/rts", MEMORY),
        "memory behind an array": (
            "in: A X; requires: X <= 16; out: arr[16]",
            "sta arr,x/rts",
            MEMORY,
        ),
        "the caller's stack": (
            "in: A; out: none; clobbers: X N Z; stack: 0",
            "tsx/sta $0103,x/rts",
            MEMORY,
        ),
        "the code": ("in: A; out: none", "sta it/rts", MEMORY),
        "a promise": (
            "in: A; out: A; clobbers: N Z; ensures: A != 200",
            "eor #0/rts",
            "ensures A != 200",
        ),
        "a promise on 64 bits": (
            "in: wide; out: none; ensures: wide * 2 != $1FFFFFFFFFFFFFFFE",
            "rts",
            "ensures wide * 2 != $1FFFFFFFFFFFFFFFE",
        ),
        "too slow": (
            "in: X; out: X; clobbers: N Z; cycles: 10..900; requires: X > 0",
            "@l:/dex/bne @l/rts",
            "takes 10..900 cycles",
        ),
        "too fast": (
            "in: X; out: X; clobbers: N Z; cycles: 11..; requires: X > 0",
            "@l:/dex/bne @l/rts",
            "takes 11.. cycles",
        ),
        "not always as long": (
            "in: C; out: none; cycles: 9 constant",
            "bcs @e/nop/@e:/rts",
            "takes the same time for all inputs",
        ),
        "a read": ("in: none; out: none; clobbers: A N Z", "lda tmp/rts", READS),
        "a read behind the inputs": (
            "in: X arr[16]; requires: X <= 16; out: none; clobbers: A N Z",
            "lda arr,x/rts",
            READS,
        ),
        "a read of what was pulled": (
            "in: none; out: none; clobbers: A X N Z",
            "tsx/lda $0100,x/rts",
            READS,
        ),
        "another register": ("in: A; out: A; clobbers: N Z", "txa/rts", DEPENDS),
        "another flag": ("in: A; out: A; clobbers: N V Z C", "adc #1/rts", DEPENDS),
        "another register in an array": (
            "in: X; requires: X < 16; out: arr[16]",
            "sta arr,x/rts",
            DEPENDS,
        ),
        "the stack pointer": ("in: none; out: X; clobbers: N Z", "tsx/rts", DEPENDS),
        "the return address": ("in: none; out: X; clobbers: A N Z", "pla/tax/pha/txa/rts", DEPENDS),
        "the time": ("in: none; out: none", "bcs @e/nop/@e:/rts", DEPENDS),
        "a secret branch": (
            "in: A; secret: A; out: none; clobbers: X N Z C; stack: 0",
            "cmp #128/bcc @n/nop/@n:/rts",
            "keeps A secret",
        ),
        "a secret branch without time": (
            "in: A; secret: A; out: none; clobbers: X N Z C; stack: 0",
            "cmp #128/bcc @n/nop/bcs @e/@n:/inx/nop/@e:/rts",
            "keeps A secret",
        ),
        "a secret address": (
            "in: A arr[16]; secret: A; requires: A < 16; out: none; clobbers: X A N Z",
            "tax/lda arr,x/rts",
            "keeps A secret",
        ),
        "a secret kept in memory over a loop": (
            "in: A; secret: A; clobbers: A X N Z C; invariant: @l: X in 1..8",
            "ldx #8/@l:/lsr a/bcc @n/nop/@n:/dex/bne @l/rts",
            "keeps A secret",
        ),
        "an invariant": (
            "in: X; requires: X in 1..8; out: X; clobbers: N Z; invariant: @l: X in 2..8",
            "@l:/dex/bne @l/rts",
            "X in 2..8",
        ),
        "an invariant at the entry": ("in: A; out: none; invariant: it: A == 5", "rts", "A == 5"),
        "an invariant and the entry": (
            "in: X; requires: X in 1..8; out: X; clobbers: N Z; invariant: @l: X == old X",
            "@l:/dex/bne @l/rts",
            "X == old X",
        ),
        "more turns": (
            "in: none; out: none; clobbers: X N Z; loops: @l 4",
            "ldx #8/@l:/dex/bne @l/rts",
            "loops: @l 0..4",
        ),
        "fewer turns": (
            "in: none; out: none; clobbers: X N Z; loops: @l 9..12",
            "ldx #8/@l:/dex/bne @l/rts",
            "loops: @l 9..12",
        ),
        "more turns of an inner loop": (
            "in: none; out: none; clobbers: X Y N Z; loops: @i 1",
            "ldx #3/@o:/ldy #2/@i:/dey/bne @i/dex/bne @o/rts",
            "loops: @i 0..1",
        ),
        "no return": ("in: A; out: none; ensures: A == 6", "@l:/nop/jmp @l", RETURNS),
        "no return, for some": (
            "in: A; clobbers: N Z C; ensures: A == 0",
            "@l:/cmp #0/bne @l/rts",
            RETURNS,
        ),
        "a return to nowhere": ("in: A; out: none; stack: 1", "pha/rts", RETURNS),
        "a return from another depth": (
            "in: A X; requires: X>=1; out: none; clobbers: X N Z; stack: 1",
            "pha/pla/@l:/pha/dex/bne @l/pla/rts",
            RETURNS,
        ),
        "brk": ("in: A; out: none", "brk/nop/rts", RETURNS),
        "code that is none": ("in: A; out: none", "jmp $0400", RETURNS),
        "no stack left": ("in: none; out: none; clobbers: A N Z", "@l:/pha/jmp @l", RETURNS),
    },
    "sm83": {
        "a register": ("in: A; out: none", "ld b, 1/ret", "preserves B"),
        "a flag": ("in: A; out: none", "scf/ccf/ret", "preserves CF"),
        "interrupts off": ("in: A; out: none", "di/ret", "preserves IME"),
        "interrupts on": ("in: A; out: none", "reti", "preserves IME"),
        "depth": (
            "in: A; out: none; stack: 1",
            "push bc/pop bc/ret",
            "uses at most 1 bytes of stack",
        ),
        "memory": ("in: A; out: none; stack: 0", "ld [tmp], a/ret", MEMORY),
        "memory, deep": (
            "in: A; out: none; clobbers: F; stack: 2",
            "push hl/ld hl, sp-9/ld [hl], a/pop hl/ret",
            MEMORY,
        ),
        "the rom": ("in: A; out: none", "ld [it], a/ret", MEMORY),
        "a promise": ("in: A; out: A; ensures: A != 200", "ret", "ensures A != 200"),
        "too slow": (
            "in: B; out: B; clobbers: F; cycles: 7..900; requires: B > 0",
            ".l:/dec b/jr nz, .l/ret",
            "takes 7..900 M-cycles",
        ),
        "a read": ("in: none; out: none; clobbers: A", "ld a, [tmp]/ret", READS),
        "another register": ("in: A; out: A", "ld a, e/ret", DEPENDS),
        "the stack pointer": ("in: none; out: HL; clobbers: F", "ld hl, sp+0/ret", DEPENDS),
        "a flag of the stack pointer": (
            "in: none; out: CF; clobbers: HL F",
            "ld hl, sp+1/ret",
            DEPENDS,
        ),
        "the return address": ("in: none; out: HL", "pop hl/push hl/ret", DEPENDS),
        "a secret branch": (
            "in: A; secret: A; out: none; clobbers: F",
            "or a/jr z, .e/.e:/ret",
            "keeps A secret",
        ),
        "more turns": (
            "in: none; out: none; clobbers: B F; loops: .l 4",
            "ld b, 8/.l:/dec b/jr nz, .l/ret",
            "loops: .l 0..4",
        ),
        "an invariant": (
            "in: none; out: none; clobbers: B F; invariant: .l: B != 3",
            "ld b, 8/.l:/dec b/jr nz, .l/ret",
            "B != 3",
        ),
        "no return": ("in: A; out: none", ".l:/jr .l", RETURNS),
        "a return to nowhere": ("in: A; out: none", "push af/ret", RETURNS),
        "a stopped clock": ("in: A; out: none", "stop/nop/ret", RETURNS),
        "a halted cpu": ("in: A; out: none", "halt/nop/ret", RETURNS),
    },
}


@pytest.mark.slow_cases(
    "6502-a sum",
    "6502-a byte is lent",
    "6502-one byte of an array",
    "6502-more than 64 bits",
    "6502-a remainder by zero",
    "6502-a secret",
    "sm83-a sum",
)
@pytest.mark.parametrize(("cpu", "name"), [(cpu, name) for cpu in TRUE for name in TRUE[cpu]])
def test_what_is_true_is_executed_and_found_true(cpu: str, name: str) -> None:
    contract, code = TRUE[cpu][name]
    found = seen(contract, code, cpu)
    assert statements(found) == []
    assert found.runs >= 1000
    assert found.watched > 0
    assert found.returns


@pytest.mark.slow_cases(
    "6502-a register, for one input",
    "6502-a secret kept in memory over a loop",
    "6502-an invariant at the entry",
    "6502-no return",
    "6502-no return, for some",
    "6502-a return from another depth",
    "6502-brk",
    "6502-code that is none",
    "sm83-a register",
    "sm83-too slow",
    "sm83-no return",
    "sm83-a return to nowhere",
    "sm83-a halted cpu",
)
@pytest.mark.parametrize(("cpu", "name"), [(cpu, name) for cpu in FALSE for name in FALSE[cpu]])
def test_what_is_false_is_found(cpu: str, name: str) -> None:
    contract, code, statement = FALSE[cpu][name]
    found = seen(contract, code, cpu)
    assert any(statement in each for each in statements(found)), found.disagreements
