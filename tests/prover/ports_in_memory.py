"""Claims on ports in constants, arrays and conditions, and on what is stored to them."""

from __future__ import annotations

from claims import false, true
from port_programs import (
    CODE_AT_8000,
    RARE,
    ROM_GB,
    ZERO,
    ZERO_GB,
    Begun,
    Ports,
    in_time,
    rare,
    rare_gb,
    same_outputs,
    same_way,
    unknown_way,
)

FOUR = {"buf": (1,), "buf+1": (2,), "buf+2": (3,), "buf+3": (4,)}

FALSE: dict[str, dict[str, Ports]] = {
    "6502": {
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
        "which of four ports is read depends on what is no input": Ports(
            false("in: volatile buf[4]; out: A; clobbers: X N Z", "txa/and #3/tax/lda buf,x/rts"),
            (Begun(FOUR, {"x": 0}), Begun(FOUR, {"x": 1})),
            same_outputs,
        ),
        "a cell beside a port that was not written is read": Ports(
            false(
                "in: X volatile arr[1]; requires: X <= 3; out: A; ensures: A == 0; "
                "clobbers: N Z arr[4]",
                "lda arr,x/lda #0/rts",
            ),
            (),
            unknown_way,
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
            unknown_way,
        ),
        "an indirect read of a port in constants": Ports(
            false(
                "in: volatile reg[1]; out: A; ensures: A == 0; clobbers: Y N Z C ptr",
                "lda #<reg/sta ptr/lda #>reg/sta ptr+1/ldy #0/" + rare("(ptr)", ",y"),
                head=CODE_AT_8000,
            ),
            (Begun({"reg": RARE}),),
        ),
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
        "which port is read depends on what is no input": Ports(
            false("in: $FF00[4]; out: A; clobbers: C F", "ld a, c/and 3/ld c, a/ldh a, [c]/ret"),
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
    },
    "sm83": {
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
