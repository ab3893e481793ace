"""Memory may be called as a flag, a register or a pair is: it is none."""

from __future__ import annotations

import pytest
from claims import REFUTED, Said, cases, check, false, true

# z: is a prefix of addresses in ca65
FLAGS = {"n": ("N", 0x80), "v": ("V", 0x40), "i": ("I", 0x04), "c": ("C", 0x01)}
FLAGS_SM83 = {"zf": ("ZF", 0x80), "nf": ("NF", 0x40), "hf": ("HF", 0x20), "cf": ("CF", 0x10)}
STRANGE = ("s", "pc", "interrupt", "d", "p")
"""Names that are the microcode's own."""
STRANGE_SM83 = ("ime", "mode", "pc", "interrupt")


def head(name: str) -> str:
    """Variables with an array of that name."""
    return (
        f'.segment "ZEROPAGE"\n{name}: .res 4\ntmp: .res 1\n.exportzp {name}, tmp\n'
        '.segment "CODE"\n'
    )


def head_sm83(name: str) -> str:
    """The same for the SM83."""
    return (
        f'SECTION "Variables", WRAM0[$C080]\n{name}:: ds 4\ntmp:: ds 1\n'
        'SECTION "Main", ROM0[$0150]\n'
    )


def depends(name: str, flag: str, mask: int, listed: bool) -> Said:
    """A result that is the flag, and not what the array holds."""
    more = f" {flag}" if listed else ""
    contract = f"in: X {name}[4]{more}; requires: X < 4; out: A; clobbers: N Z; stack: 1"
    code = f"php/lda {name},x/pla/and #{mask}/rts"
    if listed:
        return true(contract, code, head=head(name))
    return false(contract, code, flag, head=head(name))


def branch(name: str, flag: str, jump: str) -> Said:
    """A secret array; the flag decides, which is none."""
    contract = f"in: {name}[4] X {flag}; requires: X < 4; secret: {name}[4]; clobbers: A Y"
    return true(contract, f"{jump} @n/nop/@n: rts", head=head(name))


def secret(name: str, flag: str, jump: str) -> Said:
    """A secret flag that decides; the array is none."""
    contract = f"in: {name}[4] X {flag}; requires: X < 4; secret: {flag}; clobbers: Y"
    return false(contract, f"{jump} @n/nop/@n: ldy {name},x/rts", "secret", head=head(name))


def keeps(name: str) -> Said:
    """An array that is written is not listed by a flag, register or pair of its name."""
    contract = "in: X; requires: X < 4; out: none; clobbers: A Y N Z C V"
    return false(contract, f"lda #1/sta {name},x/rts", "changes", head=head(name))


def depends_sm83(name: str, flag: str, mask: int, listed: bool) -> Said:
    """The same for the SM83."""
    more = f" {flag}" if listed else ""
    contract = f"in: E {name}[4]{more}; requires: E < 4; out: A; clobbers: F BC HL D; "
    code = f"push af/ld hl, {name}/ld a, l/add e/ld l, a/ld d, [hl]/pop bc/ld a, c/and {mask}/ret"
    if listed:
        return true(contract, code, head=head_sm83(name))
    return false(contract, code, flag, head=head_sm83(name))


def strange(name: str) -> Said:
    """Data of an array with an internal name, which is not an input."""
    contract = f"in: X; requires: X < 4; out: A; clobbers: N Z {name}[4]"
    return false(contract, f"lda {name},x/rts", name, head=head(name))


def strange_sm83(name: str) -> Said:
    """The same for the SM83."""
    contract = f"in: E; requires: E < 4; out: A; clobbers: F HL {name}[4]"
    code = f"ld hl, {name}/ld a, l/add e/ld l, a/ld a, [hl]/ret"
    return false(contract, code, name, head=head_sm83(name))


FALSE = {
    "6502": {
        **{f"{n}[4] for {f}": depends(n, f, mask, False) for n, (f, mask) in FLAGS.items()},
        **{
            f"{n}[4] and a secret {n.upper()}": secret(n, n.upper(), jump)
            for n, jump in (("n", "bmi"), ("c", "bcs"), ("v", "bvs"))
        },
        **{f"{n}[4] changes": keeps(n) for n in ("n", "c", "v")},
        **{f"{name}[4] is read": strange(name) for name in STRANGE},
    },
    "sm83": {
        **{f"{n}[4] for {f}": depends_sm83(n, f, m, False) for n, (f, m) in FLAGS_SM83.items()},
        **{f"{name}[4] is read": strange_sm83(name) for name in STRANGE_SM83},
        "ime[4] is not IME": false(
            "in: ime[4]; out: none; clobbers: ime[4]",
            "di/ret",
            "IME",
            (REFUTED,),
            head=head_sm83("ime"),
        ),
    },
}
TRUE = {
    "6502": {
        **{f"{n}[4] and {f}": depends(n, f, mask, True) for n, (f, mask) in FLAGS.items()},
        **{
            f"a secret {n}[4], not {n.upper()}": branch(n, n.upper(), jump)
            for n, jump in (("n", "bmi"), ("c", "bcs"), ("v", "bvs"))
        },
    },
    "sm83": {f"{n}[4] and {f}": depends_sm83(n, f, m, True) for n, (f, m) in FLAGS_SM83.items()},
}


@pytest.mark.slow_cases(
    "6502 a secret c[4], not C", "6502 a secret v[4], not V", "sm83 zf[4] and ZF"
)
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_memory_that_is_called_as_something_else(cpu: str, said: Said) -> None:
    check(cpu, said)
