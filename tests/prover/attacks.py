"""Claims made at random where two ideas meet; what is right of each is known from runs.

Four kinds: how often a label is executed, ports that callees take for memory, how long calls take
of which the contract says little, and lists whose items are parted in odd ways. A claim that runs
break must not be proved; the prover has no part in saying which those are. As a program it tries
many: ``PYTHONPATH=tests/common python tests/prover/attacks.py --count 200 --seed 1``.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass

from claims import Said, false, proofs_of, rom_of, source, told
from port_programs import Begun, Ended, run

from romproof.harness.rom import Rom
from romproof.prover.results import Verdict
from romproof.text.diagnostic import BuildFailed

Broken = Callable[[Rom, list[Ended]], bool]
"""Whether some run breaks the claim."""


@dataclass(frozen=True)
class Attack:
    """A claim, the inputs that it is run for, and what breaks it."""

    kind: str
    cpu: str
    said: Said
    runs: tuple[Begun, ...]
    broken: Broken

    def is_false(self) -> bool:
        """Whether a run breaks it. Raises BuildFailed for what cannot be read."""
        rom = rom_of(self.cpu, source(self.cpu, self.said))
        return self.broken(rom, [run(self.cpu, rom, each) for each in self.runs])

    def is_believed(self) -> bool:
        """Whether it is proved, and false. What is refused is not believed."""
        try:
            if not self.is_false():
                return False
            return proofs_of(self.cpu, self.said)["it"].verdict is Verdict.PROVED
        except BuildFailed:
            return False


def attack(seed: int) -> Attack:
    """The attack of a number."""
    draw = random.Random(seed)
    return (_counted, _port, _cycles, _listed)[seed % 4](draw, ("6502", "sm83")[seed // 4 % 2])


# ---------------------------------------------------------------- how often


def _counted(draw: random.Random, cpu: str) -> Attack:
    """A counted loop, closed in one of many ways; a label; a number near the right one."""
    count, is_6502 = draw.randint(1, 9), cpu == "6502"
    where = draw.choice(("head", "middle", "before", "after", "skipped"))
    if is_6502:
        back = {
            "branch": "bne head",
            "jump": "beq out/jmp head",
            "pushed": "beq out/lda #>(head-1)/pha/lda #<(head-1)/pha/rts",
            "table": "beq out/jmp (tab)",
            "from a callee": "beq out/jsr away",
        }
        entry = draw.choice(("", "bcs middle"))
        body = {name: f"{name}: nop" for name in ("before", "head", "middle", "after", "skipped")}
        way = draw.choice(list(back))
        code = (
            f"ldx #{count}/{entry}/{body['before']}/bcs over/{body['skipped']}/over: nop/"
            f"{body['head']}/{body['middle']}/dex/{back[way]}/out: nop/{body['after']}/rts/"
            "away: pla/pla/jmp head/tab: .word head"
        )
        clobbers, stack = "A X N Z", "2"
    else:
        back = {
            "branch": "jr nz, head",
            "jump": "jr z, out/jp head",
            "pushed": "jr z, out/ld hl, head/push hl/ret",
            "pointer": "jr z, out/ld hl, head/jp hl",
            "from a callee": "jr z, out/call away",
        }
        entry = draw.choice(("", "jr c, middle"))
        way = draw.choice(list(back))
        code = (
            f"ld b, {count}/{entry}/before: nop/jr c, over/skipped: nop/over: nop/"
            f"head: nop/middle: nop/dec b/{back[way]}/out: nop/after: nop/ret/"
            "away: pop hl/jp head"
        )
        clobbers, stack = "B HL F", "2"
    low = max(0, count + draw.randint(-2, 1))
    high = low + draw.choice((0, 0, 1, 3))
    carry = "C" if is_6502 else "CF"
    contract = (
        f"in: {carry}; out: none; clobbers: {clobbers}; stack: {stack}; "
        f"loops: {where} {low}..{high}"
    )
    flag = "c" if is_6502 else "cf"
    runs = tuple(Begun(registers={flag: value}) for value in (0, 1))

    def broken(rom: Rom, ended: list[Ended]) -> bool:
        at = rom.image.address(f"it::{where}" if is_6502 else where)
        times = [one.executed.count(at) for one in ended]
        # the loop is entered once in each call; a label that is not reached is in none
        return any(not low <= number <= high for number in times if number)

    return Attack(f"counted: {way}", cpu, false(contract, code.replace("//", "/")), runs, broken)


# ---------------------------------------------------------------- ports


def _port(draw: random.Random, cpu: str) -> Attack:
    """A routine that reads one place several times, called for a port."""
    is_6502 = cpu == "6502"
    name = draw.choice(("n", "arr", "tail+1"))
    values = draw.choice(((0xA5, 0x5A, 0x3C), (1, 2, 3), (0, 0xFF, 0)))
    if is_6502:
        code = draw.choice(
            (
                f"lda {name}/eor {name}/beq ok/lda #1/ok: rts",
                f"lda {name}/sec/sbc {name}/rts",
                f"lda {name}/cmp {name}/beq ok/lda #1/rts/ok: lda #0/rts",
                f"ldx {name}/cpx {name}/bne no/lda #0/rts/no: lda #7/rts",
                f"lda {name}/sta tmp/lda {name}/eor tmp/rts",
            )
        )
        own = "out: A; ensures: A == 0; clobbers: X N V Z C tmp"
        call, jump, back = "jsr", "jmp", "rts"
    else:
        code = draw.choice(
            (
                f"ld a, [{name}]/ld b, a/ld a, [{name}]/xor b/ret",
                f"ld a, [{name}]/ld b, a/ld a, [{name}]/cp b/ld a, 0/ret z/inc a/ret",
                f"ld hl, {name}/ld a, [hl]/sub [hl]/ret",
                f"ld hl, {name}/ld a, [hl]/xor [hl]/ret",
            )
        )
        own = "out: A; ensures: A == 0; clobbers: B HL F"
        call, jump, back = "call", "jp", "ret"
    seen = draw.choice((f"in: {name}[1]; {own}", None))
    others: dict[str, tuple[str | None, str]] = {"callee": (seen, code)}
    target = "callee"
    if draw.random() < 0.5:
        between = draw.choice((f"in: {name}[1]; {own}", None))
        others["mid"] = (between, f"{draw.choice((call, jump))} callee/{back}")
        target = "mid"
    calls = draw.choice((f"{call} {target}/{back}", f"{jump} {target}"))
    said = false(f"in: volatile {name}[1]; {own}", calls, others=others)
    runs = (Begun({name: values}),)
    return Attack(
        "port", cpu, said, runs, lambda rom, ended: any(each.registers["a"] for each in ended)
    )


# ---------------------------------------------------------------- cycles


def _cycles(draw: random.Random, cpu: str) -> Attack:
    """Calls of a loop over a number of which the caller knows what the contract says."""
    is_6502 = cpu == "6502"
    claim = draw.choice(("", "; cycles: 1..", "; cycles: ..2000", "; cycles: ..1288"))
    times = draw.randint(1, 3)
    if is_6502:
        callee = (
            "in: n[1]; out: none; clobbers: X N Z; invariant: @l: X in 0..255; "
            f"decreases: @l: (X - 1) % 256{claim}",
            "ldx n/@l: dex/bne @l/rts",
        )
        one, call, clobbers, inputs = 3 + 256 * 5 - 1 + 6, "jsr", "X N Z", "n[1]"
        ends = tuple(Begun(memory={"n": value}) for value in (0, 1))
    else:
        callee = (
            "in: A; out: none; clobbers: B F; invariant: .l: B in 0..255; "
            f"decreases: .l: (B - 1) % 256{claim}",
            "ld b, a/.l: dec b/jr nz, .l/ret",
        )
        one, call, clobbers, inputs = 1 + 256 * 4 - 1 + 4, "call", "B F", "A"
        ends = tuple(Begun(registers={"a": value}) for value in (0, 1))
    about = times * (one + 6) + 6
    high = draw.choice((about - 40, about - 1, about // 2, about // times))
    code = f"{call} callee/" * times + ("rts" if is_6502 else "ret")
    contract = f"in: {inputs}; out: none; clobbers: {clobbers}; cycles: ..{high}"
    said = false(contract, code, others={"callee": callee})
    return Attack(
        "cycles", cpu, said, ends, lambda rom, ended: any(each.cycles > high for each in ended)
    )


# ---------------------------------------------------------------- lists


def _listed(draw: random.Random, cpu: str) -> Attack:
    """A list in which the item that is changed, or kept, stands behind blanks."""
    is_6502 = cpu == "6502"
    gap = draw.choice(("  ", "   ", "\t", " \t ", ",  ", "  , "))
    kept = ("X", "Y") if is_6502 else ("B", "C")
    if draw.random() < 0.5:
        kept = kept[1], kept[0]
    changes = "lda #1/ldx #2/ldy #3/rts" if is_6502 else "ld a, 1/ld b, 2/ld c, 3/ret"
    lists = "A X Y N Z" if is_6502 else "A B C"
    callee = f"in: none; out: none; clobbers: {lists}", changes
    # all that is excepted has to come back, and nothing of it does
    contract = f"in: none; out: none; clobbers: callees except {gap.join(kept)}"
    restored = {"X": "txa/pha/jsr callee/pla/tax", "Y": "tya/pha/jsr callee/pla/tay"}
    if is_6502:
        code = f"{restored[kept[0]]}/rts"
    else:
        code = {"B": "ld d, b/call callee/ld b, d", "C": "ld e, c/call callee/ld c, e"}[kept[0]]
        code += "/ret"
        contract += " (D and E are not)" if draw.random() < 0.3 else ""
        contract = contract.replace("clobbers: ", "clobbers: D E, ")
    said = false(contract, code, others={"callee": callee})
    name = kept[1].lower()
    runs = (Begun(registers={name: 0x77}),)
    return Attack(
        "list", cpu, said, runs, lambda rom, ended: any(e.registers[name] != 0x77 for e in ended)
    )


def main() -> int:
    """Try many; exit code 1 if a false one is proved."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    believed, wrong = [], 0
    for seed in range(chosen.seed, chosen.seed + chosen.count):
        each = attack(seed)
        try:
            wrong += each.is_false()
        except BuildFailed as fault:
            print(f"{seed}: {each.kind}, {each.cpu}: not read: {str(fault).splitlines()[0]}")
            continue
        if each.is_believed():
            believed.append(seed)
            print(f"{seed}: {each.kind}, {each.cpu}: proved, and false")
            print(source(each.cpu, each.said))
            print(told(proofs_of(each.cpu, each.said)["it"]))
    print(f"{chosen.count} claims, {wrong} of them false, {len(believed)} of these proved")
    return 1 if believed else 0


if __name__ == "__main__":
    sys.exit(main())
