"""Claims on routines whose callees take a port for memory, or memory for a port."""

from __future__ import annotations

from claims import false, true
from port_programs import (
    CALL,
    CALL_GB,
    CODE_AT_8000,
    CUT,
    IN_N,
    POLL,
    POLLS,
    RARE,
    SUB_LOOP,
    ZERO,
    ZERO_GB,
    Begun,
    Ports,
    in_time,
    of_call,
    rare,
    rare_gb,
    same_outputs,
)

FALSE: dict[str, dict[str, Ports]] = {
    "6502": {
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
                "in: volatile n[1]; out: A; ensures: A == 0; clobbers: N V Z C tmp",
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
                f"in: X arr[4]; requires: X <= 3; {ZERO}",
                rare("arr", ",x"),
                "ldx #0/jsr callee/rts",
            ),
            (Begun({"arr": RARE}),),
        ),
        "a byte behind a word": Ports(
            of_call(f"in: ptr volatile buf[1]; {ZERO}", f"in: ptr[3]; {ZERO}", rare("ptr+2")),
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
                "in: n; out: A; ensures: A == 0; clobbers: X N V Z C tmp",
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
                "in: n; out: A; ensures: A == 0; clobbers: X N V Z C",
                None,
                "jsr deep/rts",
                "jsr callee/lda n/sec/sbc n/rts",
                others={"deep": ("in: volatile n[1]; out: X; clobbers: N Z", "ldx n/rts")},
            ),
            (IN_N,),
        ),
        "a port of a callee that is not proved": Ports(
            of_call(
                "in: n; out: A; ensures: A == 0; clobbers: X N V Z C",
                "in: volatile n[1]; out: X; ensures: X == 3; clobbers: N Z",
                "ldx n/rts",
                "jsr callee/lda n/sec/sbc n/rts",
            ),
            (IN_N,),
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
        "two levels deep to a port's constant": Ports(
            false(
                "in: volatile reg[1]; out: A; ensures: A == 7; clobbers: N Z",
                CALL,
                others={
                    "callee": ("in: none; out: A; ensures: A == 7; clobbers: N Z", "jsr deep/rts"),
                    "deep": ("in: none; out: A; ensures: A == 7; clobbers: N Z", "lda reg/rts"),
                },
                head=CODE_AT_8000,
            ),
            (Begun({"reg": (9,)}),),
        ),
        "a port of a routine that only a table leads to": Ports(
            false(
                "in: n; out: A; ensures: A == 0; clobbers: X N V Z C ptr",
                "lda n/sec/sbc n/beq @z/lda #<callee/sta ptr/lda #>callee/sta ptr+1/jmp (ptr)/"
                "@z: lda #0/rts",
                others={
                    "callee": ("in: volatile n[1]; out: A X; clobbers: N Z", "ldx n/lda #1/rts")
                },
            ),
            (Begun({"n": (2, 1)}),),
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
        "the clock of a cartridge": Ports(
            false(
                f"in: volatile $A000[1]; {ZERO_GB}",
                CALL_GB,
                others={"callee": (f"in: $A000[1]; {ZERO_GB}", rare_gb("$A000"))},
            ),
            (Begun({"$A000": RARE}),),
        ),
    },
}
"""Each is false: its runs show it."""

TRUE: dict[str, dict[str, Ports]] = {
    "6502": {
        "a callee with a loop that writes the port": Ports(
            true(
                "in: A; out: volatile n[1]; clobbers: X N Z",
                CALL,
                others={
                    "callee": (
                        "in: A; out: volatile n[1]; clobbers: X N Z; "
                        "invariant: @l: X in 1..8; decreases: @l: X",
                        "ldx #8/@l: sta n/dex/bne @l/rts",
                    )
                },
            ),
            (IN_N,),
            in_time,
        ),
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
    },
}
"""Each is true, and has to be proved."""
