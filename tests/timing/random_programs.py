"""Programs made at random: loops in loops, branches, calls, ways out, accesses across pages.

They end, mostly: a loop's counter may be changed in its body, and then nobody knows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

Ends = tuple[list[str], list[str]]
"""The lines before a loop's head, and those at its end."""


class Maker:
    """Makes the routines ``sub0``, ``sub1``, … and ``main``, which call those before them."""

    counters: tuple[str, ...]
    conditions: tuple[str, ...]

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []
        self.labels = 0
        self.subs: list[str] = []

    def source(self) -> str:
        """The program."""
        names = [f"sub{n}" for n in range(self.random.randint(0, 2))]
        for name in [*names, "main"]:
            self.routine(name)
            self.subs.append(name)
        return "\n".join(self.lines) + "\n"

    def routine(self, name: str) -> None:
        """A routine of that name."""
        raise NotImplementedError

    def plain(self, free: Sequence[str]) -> None:
        """An instruction without a way of its own."""
        raise NotImplementedError

    def call(self, free: Sequence[str]) -> None:
        """A call; what is not free survives it, mostly."""
        raise NotImplementedError

    def compare(self, offset: int) -> None:
        """Set the flags by something that is not known."""
        raise NotImplementedError

    def jump(self, condition: str, label: str) -> str:
        """A jump; ``condition`` is one of ``conditions``, the first is "equal", "" is always."""
        raise NotImplementedError

    def leave(self) -> None:
        """A return from the middle."""
        raise NotImplementedError

    def counted(self, counter: str, count: int, head: str) -> Ends:
        """A loop that uses a counter."""
        raise NotImplementedError

    def label(self) -> str:
        """A new label."""
        self.labels += 1
        return f"label{self.labels}"

    def block(self, depth: int, free: Sequence[str]) -> None:
        """Some statements; ``free`` are the counters that nothing around uses."""
        for _ in range(self.random.randint(1, 4)):
            kinds: list[Callable[[], None]] = [lambda: self.plain(free)] * 4
            if depth:
                kinds += [lambda: self.branch(depth, free)] * 2
                kinds += [lambda: self.loop(depth, free)] * 2
                kinds += [lambda: self.call(free), self.leave]
            self.random.choice(kinds)()

    def branch(self, depth: int, free: Sequence[str]) -> None:
        """Something that is done or not, or one thing or another."""
        over = self.label()
        self.compare(self.random.randrange(4))
        self.lines.append(self.jump(self.random.choice(self.conditions), over))
        self.block(depth - 1, free)
        if self.random.random() < 0.4:
            end = self.label()
            self.lines += [self.jump("", end), f"{over}:"]
            self.block(depth - 1, free)
            over = end
        self.lines.append(f"{over}:")

    def loop(self, depth: int, free: Sequence[str]) -> None:
        """A counted loop, maybe with a way out in the middle."""
        if not free:
            return
        counter = self.random.choice(free)
        rest = [name for name in free if name != counter and name not in counter]
        head, out = self.label(), self.label()
        before, after = self.counted(counter, self.random.randint(1, 12), head)
        self.lines += [*before, f"{head}:"]
        self.block(depth - 1, rest)
        if self.random.random() < 0.3:
            self.compare(2)
            self.lines.append(self.jump(self.conditions[0], out))
            self.block(depth - 1, rest)
        self.lines += [*after, f"{out}:"]


class Maker6502(Maker):
    """For the 6502."""

    counters = ("x", "y", "counter")
    conditions = ("jeq", "jne", "jcc", "jcs", "jmi", "jpl")

    def routine(self, name: str) -> None:
        self.lines += [f".export {name}", f".proc {name}"]
        self.block(3, self.counters)
        self.lines += ["  rts", ".endproc"]

    def plain(self, free: Sequence[str]) -> None:
        r = self.random
        offset = r.choice((0, 17, 200, 255))
        pool = [
            f"lda value+{r.randrange(4)}",
            f"adc #{r.randrange(256)}",
            f"sbc value+{r.randrange(4)}",
            f"sta value+{r.randrange(4)}",
            f"eor #{r.randrange(256)}",
            f"inc value+{r.randrange(4)}",
            f"lda table+{offset},x",
            f"lda table+{offset},y",
            f"sta table+{offset},x",
            "lda (pointer),y",
            "lsr a",
            "pha\n  pla",
            "clc",
            "cmp #100",
        ]
        if "x" in free or r.random() < 0.04:
            pool += ["tax", "inx", f"ldx #{r.randrange(256)}"]
        if "y" in free or r.random() < 0.04:
            pool += ["tay", "dey", "ldy value"]
        if r.random() < 0.02:
            pool += ["inc counter", "sta counter", "sta (pointer),y"]
        self.lines.append(f"  {r.choice(pool)}")

    def call(self, free: Sequence[str]) -> None:
        if not self.subs or ("counter" not in free and self.random.random() < 0.8):
            return
        call = f"  jsr {self.random.choice(self.subs)}"
        saved = not {"x", "y"} <= set(free)
        around = ("  txa\n  pha\n  tya\n  pha", "  pla\n  tay\n  pla\n  tax")
        self.lines += [around[0], call, around[1]] if saved else [call]

    def compare(self, offset: int) -> None:
        self.lines += [f"  lda value+{offset}", f"  cmp #{self.random.randrange(256)}"]

    def jump(self, condition: str, label: str) -> str:
        return f"  {condition or 'jmp'} {label}"

    def leave(self) -> None:
        over = self.label()
        self.compare(1)
        self.lines += [f"  bne {over}", "  rts", f"{over}:"]

    def counted(self, counter: str, count: int, head: str) -> Ends:
        if counter == "counter":
            return [f"  lda #{count}", "  sta counter"], ["  dec counter", f"  jne {head}"]
        r = self.random
        up, down, load = f"in{counter}", f"de{counter}", f"ld{counter}"
        step = r.choice((1, 2, 8))
        ways = [
            ([f"  {load} #{count}"], [f"  {down}", f"  jne {head}"]),
            ([f"  {load} #{count}"], [f"  {down}", f"  jpl {head}"]),
            ([f"  {load} #0"], [f"  {up}", f"  cp{counter} #{count}", f"  jne {head}"]),
            ([f"  {load} #{count}"], [f"  {down}", f"  cp{counter} #2", f"  jcs {head}"]),
            (
                [f"  {load} #{count * step}"],
                [f"  t{counter}a", "  sec", f"  sbc #{step}", f"  ta{counter}", f"  jcs {head}"],
            ),
            ([f"  {load} value"], [f"  {down}", f"  jne {head}"]),
        ]
        return r.choice(ways[:5] if r.random() < 0.9 else ways)


class MakerSm83(Maker):
    """For the SM83."""

    counters = ("b", "c", "d", "de", "counter")
    conditions = ("z", "nz", "c", "nc")

    def routine(self, name: str) -> None:
        self.lines.append(f"{name}::")
        self.block(3, self.counters)
        self.lines.append("  ret")

    def plain(self, free: Sequence[str]) -> None:
        r = self.random
        pool = [
            f"ldh a, [value+{r.randrange(4)}]",
            f"ldh [value+{r.randrange(4)}], a",
            f"adc {r.randrange(256)}",
            "swap a",
            "srl a",
            "ld hl, table + 3",
            "ld a, [hl+]",
            "push af\n  pop af",
            "ld a, [table+7]",
            "scf",
            "cp 100",
            "daa",
        ]
        for register in ("b", "c", "d"):
            unused = register in free and (register != "d" or "de" in free)
            if unused or r.random() < 0.03:
                pool += [f"ld {register}, a", f"inc {register}"]
        if r.random() < 0.02:
            pool += ["ldh [counter], a", "ld [hl], a"]
        self.lines.append(f"  {r.choice(pool)}")

    def call(self, free: Sequence[str]) -> None:
        if self.subs and ("counter" in free or self.random.random() < 0.2):
            condition = self.random.choice(("", "", "z, ", "nc, "))
            call = f"  call {condition}{self.random.choice(self.subs)}"
            self.lines += ["  push bc\n  push de", call, "  pop de\n  pop bc"]

    def compare(self, offset: int) -> None:
        self.lines += [f"  ldh a, [value+{offset}]", f"  cp {self.random.randrange(256)}"]

    def jump(self, condition: str, label: str) -> str:
        return f"  jp {condition}, {label}" if condition else f"  jp {label}"

    def leave(self) -> None:
        self.compare(1)
        self.lines.append("  ret z")

    def counted(self, counter: str, count: int, head: str) -> Ends:
        r = self.random
        if counter == "counter":
            return (
                [f"  ld a, {count}", "  ldh [counter], a"],
                ["  ldh a, [counter]", "  dec a", "  ldh [counter], a", f"  jp nz, {head}"],
            )
        if counter == "de":
            return (
                [f"  ld de, {r.choice((count, 250 + count))}"],
                ["  dec de", "  ld a, d", "  or e", f"  jp nz, {head}"],
            )
        up, down = f"  inc {counter}", f"  dec {counter}"
        ways = [
            ([f"  ld {counter}, {count}"], [down, f"  jp nz, {head}"]),
            (
                [f"  ld {counter}, 0"],
                [up, f"  ld a, {counter}", f"  cp {count}", f"  jp nz, {head}"],
            ),
            (
                [f"  ld a, {count * 4}", f"  ld {counter}, a"],
                [f"  ld a, {counter}", "  sub 4", f"  ld {counter}, a", f"  jp nc, {head}"],
            ),
            (["  ldh a, [value+1]", f"  ld {counter}, a"], [down, f"  jp nz, {head}"]),
        ]
        return r.choice(ways[:3] if r.random() < 0.9 else ways)
