"""What is memory for one routine and a port for another; ports in constants, arrays and blocks."""

from __future__ import annotations

import pytest
from claims import (
    HEAD_SM83,
    NOT_SHOWN,
    Said,
    cases,
    check,
    false,
    true,
)
from port_programs import Begun, Ports, in_time, same_outputs, same_way

RARE = (0xA5, 0x5A, 0x3C)
"""Three values that one place of memory never has at once."""


def rare(where: str, index: str = "") -> str:
    """6502 code: A is 1 if three reads bring three values, else 0."""
    at = f"{where}{index}"
    return (
        f"lda {at}/cmp #$A5/bne @ok/lda {at}/cmp #$5A/bne @ok/lda {at}/cmp #$3C/bne @ok/"
        "lda #1/rts/@ok: lda #0/rts"
    )


def rare_gb(where: str) -> str:
    """The same for the SM83."""
    return (
        f"ld a, [{where}]/cp $A5/jr nz, .ok/ld a, [{where}]/cp $5A/jr nz, .ok/"
        f"ld a, [{where}]/cp $3C/jr nz, .ok/ld a, 1/ret/.ok: xor a/ret"
    )


ZERO = "out: A; ensures: A == 0; clobbers: N Z C"
ZERO_GB = "out: A; ensures: A == 0; clobbers: F"
CALL, CALL_GB = "jsr callee/rts", "call callee/ret"
IN_N = Begun({"n": RARE})


def of_call(
    own: str,
    callee: str | None,
    code: str,
    calls: str = CALL,
    others: dict[str, object] | None = None,
) -> Said:
    """A false claim of a routine that calls ``callee``."""
    return false(own, calls, others={"callee": (callee, code), **(others or {})})  # type: ignore[dict-item]


SUB_LOOP = (
    "ldx #8/@l: lda n/cmp #$A5/bne @next/lda n/cmp #$5A/bne @next/lda n/cmp #$3C/bne @next/"
    "lda #1/rts/@next: dex/bne @l/lda #0/rts"
)
POLLS = "out: none; clobbers: Y N Z C; invariant: @l: Y in 1..2; decreases: @l: Y"
POLL = "ldy #2/@l: cpx n/dey/bne @l/rts"
CUT = "invariant: @l: X in 1..8; decreases: @l: X"
CODE_AT_8000 = """\
        .segment "ZEROPAGE"
n:      .res 1
m:      .res 1
tmp:    .res 1
ptr:    .res 2
buf:    .res 4
        .exportzp n, m, tmp, ptr, buf
        .segment "RODATA"
reg:    .byte 7, 8
table:  .byte 1, 2, 3, 4
        .export reg, table
        .segment "CODE"
"""
ROM_GB = (
    HEAD_SM83
    + """\
reg::   db 7, 8
table:: db 1, 2, 3, 4
"""
)

FALSE: dict[str, dict[str, Ports]] = {
    "6502": {
        # ------------------------------------------------ a callee that takes it for memory
        "a callee proved for memory": Ports(
            of_call(f"in: volatile n[1]; {ZERO}", f"in: n; {ZERO}", rare("n")), (IN_N,)
        ),
        "two levels deep": Ports(
            of_call(
                f"in: volatile n[1]; {ZERO}",
                f"in: n; {ZERO}",
                "jsr deep/rts",
                others={"deep": (f"in: n; {ZERO}", rare("n"))},
            ),
            (IN_N,),
        ),
        "a callee without a contract between": Ports(
            of_call(
                f"in: volatile n[1]; {ZERO}",
                None,
                "jsr deep/rts",
                others={"deep": (f"in: n; {ZERO}", rare("n"))},
            ),
            (IN_N,),
        ),
        "a callee that is jumped to": Ports(
            of_call(f"in: volatile n[1]; {ZERO}", f"in: n; {ZERO}", rare("n"), "jmp callee"),
            (IN_N,),
        ),
        "a callee with an invariant": Ports(
            of_call(
                f"in: volatile n[1]; {ZERO} X",
                f"in: n; {ZERO} X; {CUT}",
                SUB_LOOP,
            ),
            (IN_N,),
        ),
        "a callee that is called twice": Ports(
            of_call(
                "in: volatile n[1]; out: A; ensures: A == 0; clobbers: N Z C tmp",
                "in: n; out: A; ensures: A == n; clobbers: N Z",
                "lda n/rts",
                "jsr callee/sta tmp/jsr callee/sec/sbc tmp/rts",
            ),
            (IN_N,),
        ),
        "a callee whose cycles are those of memory": Ports(
            of_call(
                "in: volatile n[1]; out: none; clobbers: A N Z C; cycles: ..30",
                "in: n; out: none; clobbers: A N Z C",
                "lda n/cmp n/beq @s/pha/pla/pha/pla/pha/pla/@s: rts",
            ),
            (Begun({"n": (1, 2)}),),
            in_time,
        ),
        "a callee that writes and reads back": Ports(
            of_call(
                "in: A volatile n[1]; out: A n; ensures: A == old A; clobbers: N Z",
                "in: A; out: A n; ensures: A == old A; clobbers: N Z",
                "sta n/lda n/rts",
            ),
            (Begun({"n": (9,)}, {"a": 4}),),
        ),
        "a callee that writes it, read back in the caller": Ports(
            of_call(
                "in: A; out: A volatile n[1]; ensures: A == old A; clobbers: N Z",
                "in: A; out: n; ensures: n == old A; clobbers: none",
                "sta n/rts",
                "jsr callee/lda n/rts",
            ),
            (Begun({"n": (9,)}, {"a": 4}),),
        ),
        "an array of which one byte is a port": Ports(
            of_call(
                f"in: X arr[4] volatile alias[1]; {ZERO}",
                f"in: X arr[4]; requires: X <= 3; {ZERO}".replace("requires: X <= 3; ", ""),
                rare("arr", ",x"),
                "ldx #0/jsr callee/rts",
            ),
            (Begun({"arr": RARE}),),
        ),
        "the upper byte of a word": Ports(
            of_call(
                "in: ptr volatile $0084[1]; out: A; ensures: A == 0; clobbers: N Z C",
                "in: ptr; out: A; ensures: A == 0; clobbers: N Z C",
                rare("ptr+1"),
            ).__class__(
                "in: ptr volatile buf[1]; out: A; ensures: A == 0; clobbers: N Z C",
                CALL,
                NOT_SHOWN,
                "",
                {"callee": ("in: ptr[3]; out: A; ensures: A == 0; clobbers: N Z C", rare("ptr+2"))},
            ),
            (Begun({"ptr+2": RARE}),),
        ),
        "a block behind a pointer on a port": Ports(
            false(
                "in: volatile arr[1]; out: A; ensures: A == 0; clobbers: Y N Z C ptr",
                "lda #<arr/sta ptr/lda #>arr/sta ptr+1/jsr callee/rts",
                others={
                    "callee": (
                        "pointer: ptr -> block[2]; in: ptr block; out: A; ensures: A == 0; "
                        "clobbers: Y N Z C",
                        "ldy #0/" + rare("(ptr)", ",y"),
                    )
                },
            ),
            (Begun({"arr": RARE}),),
        ),
        "a block on a port, by its contract": Ports(
            false(
                "in: volatile arr[1]; out: A; ensures: A == 0; clobbers: X Y N Z C ptr",
                "lda #<arr/sta ptr/lda #>arr/sta ptr+1/jsr callee/rts",
                others={
                    "callee": (
                        "pointer: ptr -> block[2]; in: ptr block; out: A; ensures: A == 0; "
                        "clobbers: X Y N Z C; invariant: @l: X in 1..8, Y == 0; decreases: @l: X",
                        "ldy #0/ldx #8/@l: lda (ptr),y/cmp #$A5/bne @n/lda (ptr),y/cmp #$5A/"
                        "bne @n/lda (ptr),y/cmp #$3C/bne @n/lda #1/rts/@n: dex/bne @l/lda #0/rts",
                    )
                },
            ),
            (Begun({"arr": RARE}),),
        ),
        "a block that may lie on one": Ports(
            false(
                "in: X volatile arr[1] tail[2]; requires: X in 0..4; out: A; ensures: A == 0; "
                "clobbers: X Y N Z C ptr",
                "txa/clc/adc #<arr/sta ptr/lda #>arr/adc #0/sta ptr+1/jsr callee/rts",
                others={
                    "callee": (
                        "pointer: ptr -> block[1]; in: ptr block; out: A; ensures: A == 0; "
                        "clobbers: Y N Z C",
                        "ldy #0/" + rare("(ptr)", ",y"),
                    )
                },
            ),
            (Begun({"arr": RARE}),),
        ),
        # ------------------------------------------------ a port for the callee only
        "a port for the callee, memory for the caller": Ports(
            of_call(
                "in: n; out: A; ensures: A == n; clobbers: N Z",
                "in: volatile n[1]; out: A; clobbers: N Z",
                "lda n/rts",
                "jsr callee/lda n/rts",
            ),
            (Begun({"n": (1, 2)}, {}, {"n": 5}),),
        ),
        "a port for the callee, read twice by the caller": Ports(
            of_call(
                "in: n; out: A; ensures: A == 0; clobbers: N Z C tmp",
                "in: volatile n[1]; out: X; clobbers: N Z",
                "ldx n/rts",
                "stx tmp/lda n/sec/sbc n/beq @z/jsr callee/ldx tmp/lda #1/rts/"
                "@z: ldx tmp/lda #0/rts",
            ),
            (IN_N,),
        ),
        "a port for the callee, written and read by the caller": Ports(
            of_call(
                "in: A; out: A; ensures: A == old A; clobbers: n X N Z",
                "in: volatile n[1]; out: none; clobbers: X N Z",
                "ldx n/rts",
                "sta n/lda n/pha/jsr callee/pla/rts",
            ),
            (Begun({"n": (7,)}, {"a": 3}),),
        ),
        "a port two levels deep": Ports(
            of_call(
                "in: n; out: A; ensures: A == 0; clobbers: X N Z C",
                None,
                "jsr deep/rts",
                "jsr callee/lda n/sec/sbc n/rts",
                others={"deep": ("in: volatile n[1]; out: X; clobbers: N Z", "ldx n/rts")},
            ),
            (IN_N,),
        ),
        "a port of a callee that is not proved": Ports(
            of_call(
                "in: n; out: A; ensures: A == 0; clobbers: X N Z C",
                "in: volatile n[1]; out: X; ensures: X == 3; clobbers: N Z",
                "ldx n/rts",
                "jsr callee/lda n/sec/sbc n/rts",
            ),
            (IN_N,),
        ),
        # ------------------------------------------------ dependences, secrets
        "which port is read depends on what is no input": Ports(
            false("in: volatile buf[4]; out: A; clobbers: N Z", "lda buf,x/rts"),
            (
                Begun({"buf": (1,), "buf+1": (2,), "buf+2": (3,), "buf+3": (4,)}, {"x": 0}),
                Begun({"buf": (1,), "buf+1": (2,), "buf+2": (3,), "buf+3": (4,)}, {"x": 1}),
            ),
            same_outputs,
        ),
        "how often a port was read depends on what is no input": Ports(
            false(
                "in: m volatile n[1]; out: A; clobbers: N Z C",
                "cpx #0/bne @s/cmp n/jmp @t/@s: cmp m/nop/@t: lda n/rts",
            ),
            (Begun({"n": (1, 2)}, {"x": 0}), Begun({"n": (1, 2)}, {"x": 1})),
            same_outputs,
        ),
        "whether a callee that reads a port is called": Ports(
            false(
                "in: m volatile n[1]; out: A; clobbers: Y N Z C",
                "cpx #0/bne @s/jsr callee/jmp @t/@s: jsr other/nop/@t: lda n/rts",
                others={
                    "callee": (f"in: volatile n[1]; {POLLS}; cycles: 23", POLL),
                    "other": (f"in: m; {POLLS}; cycles: 23", POLL.replace(" n", " m")),
                },
            ),
            (Begun({"n": (1, 2, 3)}, {"x": 0}), Begun({"n": (1, 2, 3)}, {"x": 1})),
            same_outputs,
        ),
        "the same two levels deep": Ports(
            false(
                "in: m volatile n[1]; out: A; clobbers: Y N Z C",
                "jsr between/lda n/rts",
                others={
                    "between": (
                        "in: m X volatile n[1]; out: none; clobbers: Y N Z C",
                        "cpx #0/bne @s/jsr callee/jmp @t/@s: jsr other/nop/@t: rts",
                    ),
                    "callee": (f"in: volatile n[1]; {POLLS}; cycles: 23", POLL),
                    "other": (f"in: m; {POLLS}; cycles: 23", POLL.replace(" n", " m")),
                },
            ),
            (Begun({"n": (1, 2, 3)}, {"x": 0}), Begun({"n": (1, 2, 3)}, {"x": 1})),
            same_outputs,
        ),
        "how often a callee reads depends on what is no input": Ports(
            of_call(
                "in: m volatile n[1]; out: A; clobbers: Y N Z C",
                "in: m volatile n[1]; out: none; clobbers: A Y N Z C; invariant: @l: Y in 1..2; "
                "decreases: @l: Y",
                "ldy #2/@l: cpx #0/bne @s/lda n/jmp @t/@s: lda m/nop/@t: dey/bne @l/rts",
                "jsr callee/lda n/rts",
            ),
            (Begun({"n": (1, 2, 3)}, {"x": 0}), Begun({"n": (1, 2, 3)}, {"x": 1})),
            same_outputs,
        ),
        "a port that is a secret": Ports(
            false(
                "in: volatile n[1]; out: none; clobbers: A N Z; secret: n",
                "lda n/beq @s/nop/@s: rts",
            ),
            (Begun({"n": (0,)}), Begun({"n": (1,)})),
            same_way,
        ),
        "a port that is a secret, by an index": Ports(
            false(
                "in: X volatile buf[4]; requires: X <= 3; out: none; clobbers: A N Z; secret: buf",
                "lda buf,x/beq @s/nop/@s: rts",
            ),
            (Begun({"buf": (0,)}), Begun({"buf": (1,)})),
            same_way,
        ),
        # ------------------------------------------------ constants
        "a port in read-only data": Ports(
            false(f"in: volatile reg[1]; {ZERO}", rare("reg"), head=CODE_AT_8000),
            (Begun({"reg": RARE}),),
        ),
        "its constant": Ports(
            false(
                "in: volatile reg[1]; out: A; ensures: A == 7; clobbers: N Z",
                "lda reg/rts",
                head=CODE_AT_8000,
            ),
            (Begun({"reg": (9,)}),),
        ),
        "a port in a table": Ports(
            false(
                "in: X volatile table[1]; requires: X <= 3; out: A; ensures: A in 1..4; "
                "clobbers: N Z",
                "lda table,x/rts",
                head=CODE_AT_8000,
            ),
            (Begun({"table": (9,)}),),
        ),
        "a callee that reads a port's constant": Ports(
            false(
                "in: volatile reg[1]; out: A; ensures: A == 7; clobbers: N Z",
                CALL,
                others={
                    "callee": ("in: none; out: A; ensures: A == 7; clobbers: N Z", "lda reg/rts")
                },
                head=CODE_AT_8000,
            ),
            (Begun({"reg": (9,)}),),
        ),
        "a callee that reads a port in a table": Ports(
            false(
                "in: X volatile table[1]; requires: X <= 3; out: A; ensures: A in 1..4; "
                "clobbers: N Z",
                CALL,
                others={
                    "callee": (
                        "in: X; requires: X <= 3; out: A; ensures: A in 1..4; clobbers: N Z",
                        "lda table,x/rts",
                    )
                },
                head=CODE_AT_8000,
            ),
            (Begun({"table": (9,)}),),
        ),
        "a jump through a vector that is a port": Ports(
            false(
                "in: volatile vector[2]; out: A; ensures: A == 0; clobbers: N Z",
                "jmp (vector)",
                head=CODE_AT_8000.replace(
                    "table:",
                    "vector: .word it\n        .export vector\ntable:",
                ),
            ),
            (),
            lambda rom, runs: False,  # where it goes is not known at all
        ),
        "a block that is read over a port in constants": Ports(
            false(
                "in: volatile reg[1]; out: A; ensures: A == 0; clobbers: Y N Z C ptr",
                "lda #<reg/sta ptr/lda #>reg/sta ptr+1/jsr callee/rts",
                others={
                    "callee": (
                        "pointer: ptr -> block[2]; in: ptr block; out: A; ensures: A == 0; "
                        "clobbers: Y N Z C",
                        "ldy #0/" + rare("(ptr)", ",y"),
                    )
                },
                head=CODE_AT_8000,
            ),
            (Begun({"reg": RARE}),),
        ),
        "an indirect read of a port in constants": Ports(
            false(
                "in: volatile reg[1]; out: A; ensures: A == 0; clobbers: Y N Z C ptr",
                "lda #<reg/sta ptr/lda #>reg/sta ptr+1/ldy #0/" + rare("(ptr)", ",y"),
                head=CODE_AT_8000,
            ),
            (Begun({"reg": RARE}),),
        ),
        # ------------------------------------------------ what a store leaves
        "a store is read back": Ports(
            false(
                "in: A volatile n[1]; out: A n; ensures: A == old A; clobbers: N Z",
                "sta n/lda n/rts",
            ),
            (Begun({"n": (9,)}, {"a": 4}),),
        ),
        "an increment is read back": Ports(
            false(
                "in: volatile n[1]; out: A n; ensures: A == 1; clobbers: N Z C",
                "lda n/inc n/sec/sbc n/eor #$FF/clc/adc #1/rts",
            ),
            (Begun({"n": (9,)}),),
        ),
        "a store to a byte of an array": Ports(
            false(
                "in: A X volatile arr[1]; requires: X <= 3; out: A arr[4]; ensures: A == old A; "
                "clobbers: N Z",
                "sta arr,x/lda arr,x/rts",
            ),
            (Begun({"arr": (9,)}, {"a": 4, "x": 0}),),
        ),
        "what was written, said of the port": Ports(
            false(
                "in: A; out: volatile n[1]; ensures: n == A; clobbers: none",
                "sta n/rts",
            ),
            (Begun({"n": (9,)}, {"a": 4}, {"n": 9}),),
        ),
        "what was written, said of an array": Ports(
            false(
                "in: A X volatile arr[1]; requires: X <= 3; out: arr[4]; "
                "ensures: arr[X] == A; clobbers: none",
                "sta arr,x/rts",
            ),
            (Begun({"arr": (9,)}, {"a": 4, "x": 0}),),
        ),
        "what is in all cells, one of them a port": Ports(
            false(
                "in: volatile arr[1]; out: arr[4]; ensures: all j in 0..3: arr[j] == 0; "
                "clobbers: A X N Z",
                "lda #0/ldx #3/@l: sta arr,x/dex/bpl @l/rts",
            ),
            (Begun({"arr": (9,)}, {}, {"arr": 9}),),
        ),
        "an array of which a part was not written": Ports(
            false(
                "in: X volatile arr[1]; requires: X <= 3; out: A; clobbers: N Z arr[4]",
                "lda arr,x/rts",
            ),
            (
                Begun({"arr": (9,)}, {"x": 1}, {"arr+1": 1}),
                Begun({"arr": (9,)}, {"x": 1}, {"arr+1": 2}),
            ),
            same_outputs,
        ),
    },
    "sm83": {
        "a callee proved for memory": Ports(
            of_call(f"in: volatile n[1]; {ZERO_GB}", f"in: n; {ZERO_GB}", rare_gb("n"), CALL_GB),
            (IN_N,),
        ),
        "two levels deep": Ports(
            of_call(
                f"in: volatile n[1]; {ZERO_GB}",
                f"in: n; {ZERO_GB}",
                "call deep/ret",
                CALL_GB,
                others={"deep": (f"in: n; {ZERO_GB}", rare_gb("n"))},
            ),
            (IN_N,),
        ),
        "a callee that writes and reads back": Ports(
            of_call(
                "in: A volatile n[1]; out: A n; ensures: A == old A; clobbers: none",
                "in: A; out: A n; ensures: A == old A; clobbers: none",
                "ldh [n], a/ldh a, [n]/ret",
                CALL_GB,
            ),
            (Begun({"n": (9,)}, {"a": 4}),),
        ),
        "a block behind a pointer on a port": Ports(
            false(
                "in: volatile arr[1]; out: A; ensures: A == 0; clobbers: HL F",
                "ld hl, arr/call callee/ret",
                others={
                    "callee": (
                        "pointer: HL -> block[2]; in: HL block; out: A; ensures: A == 0; "
                        "clobbers: F",
                        rare_gb("hl"),
                    )
                },
            ),
            (Begun({"arr": RARE}),),
        ),
        "a port for the callee, memory for the caller": Ports(
            of_call(
                "in: n; out: A; ensures: A == n; clobbers: B",
                "in: volatile n[1]; out: A; clobbers: none",
                "ldh a, [n]/ret",
                "call callee/ldh a, [n]/ret",
            ),
            (Begun({"n": (1, 2)}, {}, {"n": 5}),),
        ),
        "which port is read depends on what is no input": Ports(
            false(
                "in: $FF00[4]; requires: C in 0..3; out: A; clobbers: none".replace(
                    "requires: C in 0..3; ", ""
                ),
                "ld a, c/and 3/ld c, a/ldh a, [c]/ret",
            ).__class__(
                "in: $FF00[4]; out: A; clobbers: C F",
                "ld a, c/and 3/ld c, a/ldh a, [c]/ret",
                NOT_SHOWN,
            ),
            (
                Begun({"$FF00": (1,), "$FF01": (2,), "$FF02": (3,), "$FF03": (4,)}, {"c": 0}),
                Begun({"$FF00": (1,), "$FF01": (2,), "$FF02": (3,), "$FF03": (4,)}, {"c": 1}),
            ),
            same_outputs,
        ),
        "a port that is a secret": Ports(
            false(
                "in: $FF04[1]; out: none; clobbers: A F; secret: $FF04[1]",
                "ldh a, [$FF04]/and a/ret z/nop/ret",
            ),
            (Begun({"$FF04": (0,)}), Begun({"$FF04": (1,)})),
            same_way,
        ),
        "a port in ROM": Ports(
            false(f"in: volatile reg[1]; {ZERO_GB}", rare_gb("reg"), head=ROM_GB),
            (Begun({"reg": RARE}),),
        ),
        "the clock of a cartridge": Ports(
            false(
                f"in: volatile $A000[1]; {ZERO_GB}",
                CALL_GB,
                others={"callee": (f"in: $A000[1]; {ZERO_GB}", rare_gb("$A000"))},
            ),
            (Begun({"$A000": RARE}),),
        ),
        "a port in a table of ROM": Ports(
            false(
                "in: E volatile table[1]; requires: E <= 3; out: A; ensures: A in 1..4; "
                "clobbers: D HL F",
                "ld hl, table/ld d, 0/add hl, de/ld a, [hl]/ret",
                head=ROM_GB,
            ),
            (Begun({"table": (9,)}),),
        ),
        "a store is read back through HL": Ports(
            false(
                "in: A volatile arr[1]; out: A arr[1]; ensures: A == old A; clobbers: HL",
                "ld hl, arr/ld [hl], a/ld a, [hl]/ret",
            ),
            (Begun({"arr": (9,)}, {"a": 4}),),
        ),
        "an increment is read back through HL": Ports(
            false(
                "in: volatile arr[1]; out: A arr[1]; ensures: A == 1; clobbers: B HL F",
                "ld hl, arr/ld b, [hl]/inc [hl]/ld a, [hl]/sub b/ret",
            ),
            (Begun({"arr": (9,)}),),
        ),
        "what was written to a register of the machine": Ports(
            false(
                "in: A; out: $FF40[1]; ensures: $FF40 == A; clobbers: none",
                "ldh [$FF40], a/ret",
            ),
            (Begun({"$FF40": (9,)}, {"a": 4}, {"$FF40": 9}),),
        ),
    },
}
"""Each is false: its runs show it."""

TRUE: dict[str, dict[str, Ports]] = {
    "6502": {
        "a callee that leaves the port alone": Ports(
            true(
                "in: A volatile n[1]; out: A; ensures: A == old A; clobbers: X N Z",
                "ldx n/jsr callee/rts",
                others={
                    "callee": ("in: A; out: A; ensures: A == old A; clobbers: N Z", "ora #0/rts")
                },
            ),
            (Begun({"n": RARE}, {"a": 6}),),
        ),
        "a callee executed with the port": Ports(
            true(
                "in: volatile n[1]; out: A; ensures: A in 0..1; clobbers: N Z C",
                CALL,
                others={"callee": (f"in: n; {ZERO}", rare("n"))},
            ),
            (IN_N,),
        ),
        "a port of a callee": Ports(
            true(
                "in: n; out: A; ensures: A <= 1; clobbers: N Z C",
                "jsr callee/and #1/rts",
                others={"callee": ("in: volatile n[1]; out: A; clobbers: N Z C", "lda n/rts")},
            ),
            (IN_N,),
        ),
        "the other bytes of an array with a port": Ports(
            true(
                "in: X volatile arr[1]; requires: X in 1..3; out: A arr[4]; ensures: A == 5; "
                "clobbers: N Z",
                "lda #5/sta arr,x/lda #0/lda arr,x/rts",
            ),
            (Begun({"arr": RARE}, {"x": 1}),),
        ),
        "the other bytes of a table with a port": Ports(
            true(
                "in: X volatile table[1]; requires: X in 1..3; out: A; ensures: A == X + 1; "
                "clobbers: N Z",
                "lda table,x/rts",
                head=CODE_AT_8000,
            ),
            (Begun({"table": RARE}, {"x": 2}),),
        ),
        "a block beside a port": Ports(
            true(
                "in: volatile arr[1] tail[2]; out: A; ensures: A == 0; clobbers: Y N Z C ptr",
                "lda #<tail/sta ptr/lda #>tail/sta ptr+1/jsr callee/rts",
                others={
                    "callee": (
                        "pointer: ptr -> block[2]; in: ptr block; out: A; ensures: A == 0; "
                        "clobbers: Y N Z C",
                        "ldy #0/" + rare("(ptr)", ",y"),
                    )
                },
            ),
            (Begun({"arr": RARE}, {}, {"tail": 5}),),
        ),
        "a table in constants beside a port": Ports(
            true(
                "in: volatile reg[1]; out: A; ensures: A == 8; clobbers: N Z",
                "lda reg/lda reg+1/rts",
                head=CODE_AT_8000,
            ),
            (Begun({"reg": RARE}),),
        ),
        "a register of a mapper in ROM": Ports(
            true(
                "in: A; out: volatile reg[1]; clobbers: none",
                "sta reg/rts",
                head=CODE_AT_8000,
            ),
            (Begun({"reg": RARE}),),
            in_time,
        ),
        "a secret that is no port": Ports(
            true(
                "in: X volatile n[1]; out: A; clobbers: N Z; secret: X",
                "lda n/beq @s/txa/@s: rts",
            ),
            (Begun({"n": (1,)}, {"x": 1}), Begun({"n": (1,)}, {"x": 2})),
            same_way,
        ),
        "a port that is a secret and decides nothing": Ports(
            true(
                "in: volatile n[1]; out: A; clobbers: N Z; secret: n",
                "lda n/eor #$FF/rts",
            ),
            (Begun({"n": (1,)}), Begun({"n": (2,)})),
            same_way,
        ),
        "a callee with a loop that reads the port": Ports(
            true(
                "in: volatile n[1]; out: A; clobbers: X N Z C",
                "jsr callee/rts",
                others={
                    "callee": (
                        "in: volatile n[1]; out: A; clobbers: X N Z C; "
                        "invariant: @l: X in 1..8; decreases: @l: X",
                        "lda #0/ldx #8/@l: eor n/dex/bne @l/rts",
                    )
                },
            ),
            (IN_N, IN_N),
            same_outputs,
        ),
    },
    "sm83": {
        "a port of a callee": Ports(
            true(
                "in: n; out: A; ensures: A <= 1; clobbers: F",
                "call callee/and 1/ret",
                others={"callee": ("in: volatile n[1]; out: A; clobbers: none", "ldh a, [n]/ret")},
            ),
            (IN_N,),
        ),
        "a callee that reads the same port": Ports(
            true(
                "in: volatile n[1]; out: A; clobbers: B F",
                "ldh a, [n]/ld b, a/call callee/xor b/ret",
                others={"callee": ("in: volatile n[1]; out: A; clobbers: none", "ldh a, [n]/ret")},
            ),
            (IN_N, IN_N),
            same_outputs,
        ),
        "the other bytes of a table in ROM": Ports(
            true(
                "in: E volatile table[1]; requires: E in 1..3; out: A; ensures: A == E + 1; "
                "clobbers: D HL F",
                "ld hl, table/ld d, 0/add hl, de/ld a, [hl]/ret",
                head=ROM_GB,
            ),
            (Begun({"table": RARE}, {"e": 2}),),
        ),
        "a register of a mapper": Ports(
            true(
                "in: A; out: volatile $3000[1]; clobbers: none",
                "ld [$3000], a/ret",
            ),
            (Begun({"$3000": RARE}),),
            in_time,
        ),
    },
}
"""Each is true, and has to be proved."""


def _claims(table: dict[str, dict[str, Ports]]) -> dict[str, dict[str, Said]]:
    return {cpu: {name: each.said for name, each in some.items()} for cpu, some in table.items()}


@pytest.mark.parametrize(("cpu", "said"), cases(_claims(FALSE), _claims(TRUE)))
def test_claims_on_ports(cpu: str, said: Said) -> None:
    check(cpu, said)


@pytest.mark.parametrize("cpu", ["6502", "sm83"])
def test_runs_show_what_is_right(cpu: str) -> None:
    said = [(name, each.keeps(cpu)) for name, each in FALSE[cpu].items()]
    assert [name for name, keeps in said if keeps] == []
    said = [(name, each.keeps(cpu)) for name, each in TRUE[cpu].items()]
    assert [name for name, keeps in said if not keeps] == []
