"""More claims on ports in calls: recursion, requirements, blocks, cases of one CPU."""

from __future__ import annotations

from claims import HEAD_6502, false, true
from port_programs import (
    CODE_AT_8000,
    IN_N,
    RARE,
    ZERO,
    Begun,
    Ports,
    in_time,
    of_call,
    rare,
    rare_gb,
    unknown_way,
)

SEEN = "in: volatile n[1]; out: X; clobbers: N Z", "ldx n/rts"
SEES = (
    "pointer: ptr -> block[1]; in: ptr block n; out: A; ensures: A == 0; clobbers: X Y N V Z C",
    "jsr deep/ldy #0/lda (ptr),y/sec/sbc (ptr),y/rts",
)
"""Its block lies apart from the port that it has by what it calls."""

FALSE: dict[str, dict[str, Ports]] = {
    "6502": {
        "recursion": Ports(
            false(
                "in: X volatile n[1]; requires: X in 0..2; out: A; ensures: A == 0; "
                "clobbers: X N Z C",
                "jsr callee/rts",
                others={
                    "callee": (
                        "in: X n; requires: X in 0..2; out: A; ensures: A == 0; clobbers: X N Z C",
                        "cpx #0/beq @e/dex/jsr callee/rts/@e: " + rare("n"),
                    )
                },
            ),
            (IN_N,),
        ),
        "callee ensures equality of port": Ports(
            of_call(
                "in: volatile n[1]; out: A; ensures: A == 0; clobbers: X N Z C",
                "in: n; out: X; ensures: X == n; clobbers: N Z; invariant: @l: Y == old Y",
                "@l: ldx n/rts",
                "jsr callee/txa/eor n/rts",
            ),
            (Begun({"n": (1, 2)}),),
        ),
        "ghost on port": Ports(
            false(
                "in: volatile n[1]; ghost: g = n; out: A; ensures: A == g; clobbers: N Z",
                "lda n/rts",
            ),
            (Begun({"n": (9,)}),),
        ),
        "requires on a port": Ports(
            false(
                "in: volatile n[1]; requires: n == 5; out: A; ensures: A == 5; clobbers: N Z",
                "lda n/rts",
            ),
            (Begun({"n": (9,)}, {}, {"n": 5}),),
        ),
        "requires of callee on a port, stored before": Ports(
            false(
                "in: volatile n[1]; out: A n; ensures: A == 5; clobbers: N Z",
                "lda #5/sta n/jsr callee/rts",
                others={
                    "callee": (
                        "in: volatile n[1]; requires: n == 5; out: A; ensures: A == 5; "
                        "clobbers: N Z",
                        "lda n/rts",
                    )
                },
            ),
            (Begun({"n": (9,)}),),
        ),
        "requires of memory callee": Ports(
            false(
                "in: volatile n[1]; out: A n; ensures: A == 5; clobbers: N Z",
                "lda #5/sta n/jsr callee/rts",
                others={
                    "callee": (
                        "in: n; requires: n == 5; out: A; ensures: A == 5; clobbers: N Z",
                        "lda n/rts",
                    )
                },
            ),
            (Begun({"n": (9,)}),),
        ),
        "invariant on port": Ports(
            false(
                "in: volatile n[1]; out: A n; ensures: A == 0; clobbers: X N Z; "
                "invariant: @l: X in 1..3, n == 0; decreases: @l: X",
                "lda #0/sta n/ldx #3/@l: lda n/dex/bne @l/ora #0/rts",
            ),
            (Begun({"n": (9,)}),),
        ),
        "counter is a port": Ports(
            false(
                "in: volatile n[1]; out: n; clobbers: A N Z; cycles: ..100",
                "lda #8/sta n/@l: dec n/bne @l/rts",
            ),
            (Begun({"n": (2,) * 50 + (1,)}),),
            in_time,
        ),
        "counter is a port, by decreases": Ports(
            false(
                "in: volatile n[1]; out: n; clobbers: A N Z; cycles: ..100; "
                "invariant: @l: n in 1..8; decreases: @l: n",
                "lda #8/sta n/@l: dec n/bne @l/rts",
            ),
            (Begun({"n": (2,) * 50 + (1,)}),),
            in_time,
        ),
        "loop in callee counted by memory": Ports(
            false(
                "in: volatile n[1]; out: n; clobbers: A N Z; cycles: ..100",
                "jsr callee/rts",
                others={
                    "callee": (
                        "in: none; out: n; clobbers: A N Z; cycles: ..80",
                        "lda #8/sta n/@l: dec n/bne @l/rts",
                    )
                },
            ),
            (Begun({"n": (2,) * 50 + (1,)}),),
            in_time,
        ),
        "pointer bytes are ports": Ports(
            false(
                "in: volatile ptr[2] arr tail; out: A; ensures: A == 0; clobbers: Y N V Z C",
                "ldy #0/lda (ptr),y/sec/sbc (ptr),y/rts",
            ),
            (Begun({"ptr": (0, 1), "ptr+1": (0,)}, {}, {"$0000": 1, "$0001": 2}),),
        ),
        "pointer taken from a port": Ports(
            false(
                "in: volatile n[1] buf; out: A; ensures: A == 0; clobbers: X N V Z C",
                "ldx n/lda buf,x/sec/sbc buf,x/rts",
            ),
            (),
            unknown_way,
        ),
        "a block on the port of a callee's callee": Ports(
            false(
                "in: n; out: A; ensures: A == 0; clobbers: X Y N V Z C ptr",
                "lda #<n/sta ptr/lda #>n/sta ptr+1/jsr callee/rts",
                others={"callee": SEES, "deep": SEEN},
            ),
            (Begun({"n": (1, 2, 3)}),),
        ),
        "a handed block of the caller on a callee's port": Ports(
            false(
                "in: volatile arr[1]; out: A; ensures: A == 0; clobbers: Y N Z C ptr",
                "lda #<arr/sta ptr/lda #>arr/sta ptr+1/jsr callee/rts",
                others={
                    "callee": (
                        "pointer: ptr -> block[1]; in: ptr block; out: A; ensures: A == 0; "
                        "clobbers: Y N Z C",
                        "jsr deep/rts",
                    ),
                    "deep": (
                        "pointer: ptr -> block[1]; in: ptr block; out: A; ensures: A == 0; "
                        "clobbers: Y N Z C",
                        "ldy #0/" + rare("(ptr)", ",y"),
                    ),
                },
            ),
            (Begun({"arr": RARE}),),
        ),
        "a written block on a port": Ports(
            false(
                "in: volatile arr[1]; out: A arr[1]; ensures: A == 7; clobbers: Y N Z C ptr",
                "lda #<arr/sta ptr/lda #>arr/sta ptr+1/jsr callee/lda arr/rts",
                others={
                    "callee": (
                        "pointer: ptr -> block[1]; in: ptr; out: block; clobbers: A Y N Z",
                        "lda #7/ldy #0/sta (ptr),y/rts",
                    )
                },
            ),
            (Begun({"arr": (9,)}),),
        ),
        "written and read block on a port": Ports(
            false(
                "in: volatile arr[1]; out: A arr[1]; ensures: A == 7; clobbers: Y N Z C ptr",
                "lda #<arr/sta ptr/lda #>arr/sta ptr+1/jsr callee/rts",
                others={
                    "callee": (
                        "pointer: ptr -> block[1]; in: ptr; out: A block; ensures: A == 7; "
                        "clobbers: Y N Z",
                        "lda #7/ldy #0/sta (ptr),y/lda (ptr),y/rts",
                    )
                },
            ),
            (Begun({"arr": (9,)}),),
        ),
        "sum over port array": Ports(
            false(
                "in: volatile arr[2]; out: A; ensures: A == (arr[0] + arr[1]) % 256; "
                "clobbers: N V Z C",
                "clc/lda arr/adc arr+1/rts",
            ),
            (Begun({"arr": (9,), "arr+1": (1,)}),),
        ),
        "word on a port": Ports(
            false(
                "in: ptr volatile $0083[1]; out: X A; ensures: A + 256 * X == ptr; clobbers: N Z",
                "lda ptr/ldx ptr+1/rts",
            ),
            (Begun({"ptr": (9,)}),),
        ),
        "handler": Ports(
            false(
                "kind: interrupt; in: volatile n[1]; out: m; ensures: m == 0; clobbers: none",
                "pha/jsr callee/sta m/pla/rti",
                others={"callee": (f"in: n; {ZERO}", rare("n"))},
            ),
            (),
            unknown_way,
        ),
        "alias contract by name": Ports(
            false(
                "in: volatile alias[1]; out: A; ensures: A == 0; clobbers: N Z C",
                "jsr callee/rts",
                others={
                    "callee": ("in: arr[1]; out: A; ensures: A == 0; clobbers: N Z C", rare("arr"))
                },
            ),
            (Begun({"arr": RARE}),),
        ),
        "a port in the stack page": Ports(
            false(
                "in: volatile $0110[1]; out: A; ensures: A == 0; clobbers: N Z C",
                "jsr callee/rts",
                others={
                    "callee": (
                        "in: $0110[1]; out: A; ensures: A == 0; clobbers: N Z C",
                        rare("$0110"),
                    )
                },
            ),
            (Begun({"$0110": RARE}),),
        ),
        "callee stays equal in both calls": Ports(
            false(
                "in: volatile n[1]; out: Z; ensures: Z == 1; clobbers: A N C tmp",
                "jsr callee/sta tmp/jsr callee/cmp tmp/rts",
                others={
                    "callee": (
                        "in: n; out: A; clobbers: N Z; invariant: @l: Y == old Y",
                        "@l: lda n/rts",
                    )
                },
            ),
            (Begun({"n": (1, 2)}),),
        ),
        "conditional store then read": Ports(
            false(
                "in: A X volatile n[1]; out: A n; ensures: X == 0 -> A == old A; clobbers: N Z",
                "inx/dex/bne @s/sta n/@s: lda n/rts",
            ),
            (Begun({"n": (9,)}, {"a": 4}),),
        ),
        "asl port": Ports(
            false(
                "in: volatile n[1]; out: A n; ensures: A % 2 == 0; clobbers: N Z C",
                "asl n/lda n/rts",
            ),
            (Begun({"n": (9,)}),),
        ),
        "code at a port": Ports(
            false(
                "in: volatile spot[1]; out: A; ensures: A == 1; clobbers: N Z",
                "jmp spot",
                head=CODE_AT_8000.replace("table:", "spot: lda #1\n rts\n .export spot\ntable:"),
            ),
            (),
            unknown_way,
        ),
        "operand at a port": Ports(
            false(
                "in: volatile spot[1]; out: A; ensures: A == 1; clobbers: N Z",
                "jmp spot-1",
                head=CODE_AT_8000.replace(
                    "table:", ".byte $a9\nspot: .byte 1\n rts\n .export spot\ntable:"
                ),
            ),
            (Begun({"spot": (3,)}),),
        ),
        "large array": Ports(
            false(
                "in: X volatile big[1]; out: A; ensures: A == 0; clobbers: N Z C",
                "jsr callee/rts",
                head=HEAD_6502.replace("arr:", "big: .res 2048\n.export big\narr:"),
                others={
                    "callee": (
                        "in: X big[2048]; out: A; ensures: A == 0; clobbers: N Z C",
                        rare("big", ",x"),
                    )
                },
            ),
            (Begun({"big": RARE}),),
        ),
    },
    "sm83": {
        "hl+ over a port": Ports(
            false(
                "in: volatile arr[1]; out: A; ensures: A == 0; clobbers: B HL F",
                "ld hl, arr/ld b, [hl]/ld a, [hl]/sub b/ret",
            ),
            (Begun({"arr": (1, 2)}),),
        ),
        "abi port in callee": Ports(
            false(
                "in: $FF04[1]; out: A; ensures: A == 0; clobbers: F",
                "call callee/ret",
                others={
                    "callee": (
                        "in: $FF04[1]; out: A; ensures: A == 0; clobbers: F",
                        rare_gb("$FF04"),
                    )
                },
            ),
            (Begun({"$FF04": RARE}),),
        ),
        "mapper register callee writes": Ports(
            false(
                "in: A volatile $2000[1]; out: A $2000[1]; ensures: A == old A; clobbers: none",
                "call callee/ld a, [$2000]/ret",
                others={
                    "callee": ("in: A; out: volatile $2000[1]; clobbers: none", "ld [$2000], a/ret")
                },
            ),
            (Begun({"$2000": (1,)}, {"a": 4}),),
        ),
        "counter is a port": Ports(
            false(
                "in: $FF04[1]; out: $FF04[1]; clobbers: A F HL; cycles: ..100",
                "ld hl, $FF04/ld [hl], 8/.l: dec [hl]/jr nz, .l/ret",
            ),
            (Begun({"$FF04": (2,) * 60 + (1,)}),),
            in_time,
        ),
        "recursion": Ports(
            false(
                "in: B volatile n[1]; requires: B in 0..2; out: A; ensures: A == 0; clobbers: B F",
                "call callee/ret",
                others={
                    "callee": (
                        "in: B n; requires: B in 0..2; out: A; ensures: A == 0; clobbers: B F",
                        "inc b/dec b/jr z, .e/dec b/call callee/ret/.e: " + rare_gb("n"),
                    )
                },
            ),
            (IN_N,),
        ),
        "block by contract": Ports(
            false(
                "in: volatile arr[1]; out: A; ensures: A == 0; clobbers: B HL F",
                "ld hl, arr/call callee/ret",
                others={
                    "callee": (
                        "pointer: HL -> block[1]; in: HL block; out: A; ensures: A == 0; "
                        "clobbers: B F; invariant: .l: B in 1..8, HL == old HL; "
                        "decreases: .l: B",
                        "ld b, 8/.l: ld a, [hl]/cp $A5/jr nz, .n/ld a, [hl]/cp $5A/jr nz, .n/"
                        "ld a, [hl]/cp $3C/jr nz, .n/ld a, 1/ret/.n: dec b/jr nz, .l/xor a/ret",
                    )
                },
            ),
            (Begun({"arr": RARE}),),
        ),
        "bit and set": Ports(
            false(
                "in: volatile arr[1]; out: A arr[1]; ensures: A % 2 == 1; clobbers: HL",
                "ld hl, arr/set 0, [hl]/ld a, [hl]/ret",
            ),
            (Begun({"arr": (8,)}),),
        ),
        "ldh c callee": Ports(
            false(
                "in: C $FF80[16] volatile $FF85[1]; requires: C in $80..$8F; out: A; "
                "ensures: A == 0; clobbers: F B",
                "call callee/ret",
                others={
                    "callee": (
                        "in: C $FF80[16]; requires: C in $80..$8F; out: A; ensures: A == 0; "
                        "clobbers: F B",
                        "ldh a, [c]/ld b, a/ldh a, [c]/sub b/ret",
                    )
                },
            ),
            (Begun({"$FF85": (1, 2)}, {"c": 0x85}),),
        ),
    },
}
"""Each is false: its runs show it."""

TRUE: dict[str, dict[str, Ports]] = {
    "6502": {
        "a block apart from a callee's port": Ports(
            true(
                "in: n arr; out: A; ensures: A == 0; clobbers: X Y N V Z C ptr",
                "lda #<arr/sta ptr/lda #>arr/sta ptr+1/jsr callee/rts",
                others={"callee": SEES, "deep": SEEN},
            ),
            (Begun({"n": (1, 2, 3)}),),
        ),
    },
    "sm83": {},
}
"""Each is true, and has to be proved."""
