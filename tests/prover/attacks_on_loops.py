"""Claims on how often code is executed, in loops of unusual shapes.

Among them loops that share a tail, a head or an end with others, that begin at the entry, are
closed by tables, pushed addresses or recursion, or are executed by a callee as well. The shapes are
written once, in words that each CPU has instructions for.
As a program it tries many:
``PYTHONPATH=tests/common python tests/prover/attacks_on_loops.py --count 200 --seed 1000``.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from claims import false
from port_programs import Ended, place
from runs_of_claims import Drawn, Truth, each_of, main

from romproof.harness.rom import Rom

WORDS = {
    "6502": {
        "X": "ldx #{}", "Y": "ldy #{}", "X-": "dex", "Y-": "dey", "jnz": "bne {}", "jz": "beq {}",
        "jc": "bcs {}", "jmp": "jmp {}", "call": "jsr {}", "ret": "rts", "nop": "nop",
        "X odd?": "txa/and #1", "X=Y": "tya/tax", "clear C": "clc",
        "table": "lda #<{0}/sta ptr/lda #>{0}/sta ptr+1/jmp (ptr)",
        "pushed": "lda #>({0}-1)/pha/lda #<({0}-1)/pha/rts",
        "drop": "pla/pla", "nop as operand": "lda #$EA", "X again": "inx/dex", "Y again": "iny/dey",
    },
    "sm83": {
        "X": "ld b, {}", "Y": "ld c, {}", "X-": "dec b", "Y-": "dec c", "jnz": "jr nz, {}",
        "jz": "jr z, {}", "jc": "jr c, {}", "jmp": "jp {}", "call": "call {}", "ret": "ret",
        "nop": "nop", "X odd?": "bit 0, b", "X=Y": "ld b, c", "clear C": "and a",
        "table": "ld hl, {}/jp hl", "pushed": "ld hl, {}/push hl/ret", "drop": "pop hl",
        "nop as operand": "ld a, 0", "X again": "inc b/dec b", "Y again": "inc c/dec c",
    },
}  # fmt: skip
"""By the CPU: X and Y are two counters whose decrement sets Z and keeps C."""

Within = tuple[tuple[str, str], ...]
"""Parts of the code, each from one label up to another."""


@dataclass(frozen=True)
class Shape:
    """Code with loops: steps ``label:``, ``word`` or ``word operand``; how often labels are
    executed, about; and of those that are counted each time a part is entered, that part.
    ``first`` are the values of X that it is called with, if it is an input."""

    steps: str
    about: dict[str, int]
    within: dict[str, Within] = field(default_factory=dict)
    first: tuple[int, ...] = ()
    others: dict[str, str] = field(default_factory=dict)


def _two_sizes(draw: random.Random) -> tuple[int, int]:
    return draw.randint(1, 6), draw.randint(1, 6)


def shared_tail(draw: random.Random) -> Shape:
    """Two ways into a loop, and two ways back, which share what is between."""
    k, _ = _two_sizes(draw)
    return Shape(
        f"X {k};jc two;one:;nop;jmp both;two:;nop;nop;both:;X-;jz out;X odd?;jnz one;jmp two;"
        "out:;ret",
        {"one": k // 2 + 1, "two": k // 2 + 1, "both": k, "out": 1},
    )


def by_table(draw: random.Random) -> Shape:
    """A loop that is closed by a jump to an address in memory or a register."""
    k, _ = _two_sizes(draw)
    return Shape(f"X {k};head:;nop;X-;jz out;table head;out:;ret", {"head": k, "out": 1})


def by_two_pushed(draw: random.Random) -> Shape:
    """Where it goes on is pushed, one of two places in turn."""
    k, _ = _two_sizes(draw)
    return Shape(
        f"X {k};head:;nop;X-;jz out;X odd?;jz ev;pushed od;ev:;pushed head;od:;nop;jmp head;"
        "out:;nop;ret",
        {"head": k, "od": k // 2, "ev": k // 2, "out": 1},
    )


def recursion(draw: random.Random) -> Shape:
    """Every turn is a call of its own."""
    k = draw.randint(2, 5)
    return Shape(
        "head:;X-;jz out;call it;out:;nop;ret", {"head": k, "out": k}, {}, tuple(range(1, k + 1))
    )


def recursion_in_a_loop(draw: random.Random) -> Shape:
    """A loop that calls the routine that it is in."""
    k = draw.randint(2, 4)
    return Shape(
        "X again;jz out;X-;mid:;call it;X again;jnz mid;out:;nop;ret",
        {"mid": k, "out": k},
        {},
        tuple(range(k + 1)),
    )


def one_head(draw: random.Random) -> Shape:
    """Two loops with the same head."""
    k, j = _two_sizes(draw)
    n = draw.randint(1, 3)
    total = k + (n - 1) * j
    return Shape(
        f"Y {n};X {k};head:;nop;X-;jnz head;X {j};hind:;Y-;jnz head;out:;ret",
        {"head": total, "hind": n},
        {"head": (("head", "out"),), "hind": (("head", "out"),)},
    )


def head_at_the_entry(draw: random.Random) -> Shape:
    """The entry is the head, and no code is before the loop."""
    k = draw.randint(2, 6)
    name = draw.choice(("head", "it"))
    return Shape(
        "head:;nop;mid:;X-;jnz head;out:;ret",
        {name: k, "mid": k},
        {name: (("head", "out"),), "mid": (("head", "out"),)},
        tuple(range(1, k + 1)),
    )


def entry_called_again(draw: random.Random) -> Shape:
    """The routine runs its own end as a callee, then falls into it."""
    k, _ = _two_sizes(draw)
    return Shape(
        f"X {k};call body;body:;nop;X again;jz out;X-;mid:;nop;out:;ret",
        {"body": 2, "mid": 2},
    )


def tail_call(draw: random.Random) -> Shape:
    """The loop is that of a routine that is jumped to."""
    k, _ = _two_sizes(draw)
    return Shape(
        f"X {k};last:;jmp other",
        {"last": 1, "other": k},
        {"other": (("other", "behind"),)},
        others={"other": "nop;X-;jnz other;ret", "behind": "ret"},
    )


def beyond_the_end(draw: random.Random) -> Shape:
    """Code behind the routine's end is a part of its loop."""
    k, _ = _two_sizes(draw)
    return Shape(
        f"X {k};head:;nop;jmp other;back:;X-;jnz head;out:;ret;other:;nop;jmp back",
        {"head": k, "back": k, "other": k, "out": 1},
    )


def every_second(draw: random.Random) -> Shape:
    """Code that not every turn executes."""
    k, _ = _two_sizes(draw)
    whole = (("head", "out"),)
    return Shape(
        f"X {k};head:;X odd?;jz skip;mid:;nop;skip:;X-;jnz head;out:;ret",
        {"mid": (k + 1) // 2, "skip": k, "head": k},
        dict.fromkeys(("mid", "skip", "head"), whole),
    )


def never_back(draw: random.Random) -> Shape:
    """A way back that no run takes."""
    del draw
    return Shape(
        "head:;nop;clear C;jc head;out:;ret",
        {"head": 1, "out": 1},
        {"head": (("head", "out"),)},
    )


def never_entered_there(draw: random.Random) -> Shape:
    """A second entry that no run takes."""
    k, _ = _two_sizes(draw)
    return Shape(
        f"X {k};clear C;jc mid;head:;nop;mid:;nop;X-;jnz head;out:;ret",
        {"head": k, "mid": k},
        {"head": (("head", "out"),), "mid": (("head", "out"),)},
    )


def by_a_callee_too(draw: random.Random) -> Shape:
    """A callee jumps into the loop, which the routine comes to as well."""
    k, j = _two_sizes(draw)
    return Shape(
        f"X {k};call away;X {j};head:;nop;X-;jnz head;out:;ret;away:;jmp head",
        {"head": draw.choice((j, k + j))},
        {"head": (("head", "out"),)},
    )


def left_by_a_callee(draw: random.Random) -> Shape:
    """A callee drops its return address and goes back to the head."""
    k, _ = _two_sizes(draw)
    return Shape(
        f"X {k};head:;nop;X-;jz out;call away;out:;nop;ret;away:;drop;jmp head",
        {"head": k, "out": 1},
    )


def nested(draw: random.Random) -> Shape:
    """A loop in a loop; the inner one has fewer turns each time, or as many."""
    n, k = draw.randint(1, 4), draw.randint(1, 4)
    first = draw.choice((f"X {k}", "X=Y"))
    outer = (("o", "out"),)
    return Shape(
        f"Y {n};o:;{first};i:;X-;jnz i;after:;Y-;jnz o;out:;ret",
        {"i": draw.choice((k, n)), "o": n, "after": n},
        {"i": (("i", "after"),), "o": outer, "after": outer},
    )


def nested_in_a_callee(draw: random.Random) -> Shape:
    """The inner loop is in code that is called."""
    n, k = draw.randint(1, 4), draw.randint(1, 4)
    return Shape(
        f"Y {n};o:;call part;Y-;jnz o;out:;ret;part:;X {k};i:;nop;X-;jnz i;end:;ret",
        {"i": draw.choice((k, n * k)), "o": n, "part": draw.choice((1, n))},
        {"i": (("i", "end"),)},
    )


def two_heads(draw: random.Random) -> Shape:
    """A loop within another, entered from that one's head, each turn ending in one of the two."""
    k, j = _two_sizes(draw)
    n = draw.randint(1, 3)
    inner = (("mid", "out"),)
    return Shape(
        f"Y {n};X {k};head:;nop;mid:;nop;X-;jnz head;last:;Y-;jz out;X {j};jmp mid;out:;ret",
        {"mid": draw.choice((1, 2)), "head": k, "last": draw.choice((0, 1, n))},
        {"mid": inner, "last": inner, "head": (("head", "out"),)},
    )


def left_in_the_middle(draw: random.Random) -> Shape:
    """It is left before or after the label, as the input says."""
    k = draw.randint(2, 5)
    whole = (("head", "out"),)
    return Shape(
        f"Y {k};head:;X-;jz out;mid:;nop;Y-;jnz head;out:;ret",
        {"mid": k, "head": k},
        {"mid": whole, "head": whole},
        tuple(range(1, k + 3)),
    )


def one_after_the_other(draw: random.Random) -> Shape:
    """The same loop entered twice in a call, by a jump back that an outer counter ends."""
    k, j = _two_sizes(draw)
    return Shape(
        f"Y 2;X {k};o:;nop;head:;nop;X-;jnz head;after:;X {j};Y-;jnz o;out:;ret",
        {"head": draw.choice((k, j)), "o": 2, "after": 2},
        {"head": (("head", "after"),), "o": (("o", "out"),), "after": (("o", "out"),)},
    )


def overlapping(draw: random.Random) -> Shape:
    """One input jumps into an instruction's operand, which is an instruction as well."""
    k, _ = _two_sizes(draw)
    return Shape(
        f"X {k};jc head+1;head:;nop as operand;hind:;X-;jnz head;out:;ret",
        {"hind": k, "head": k, "out": 1},
        {"hind": (("head", "out"),)},
    )


SHAPES: tuple[Callable[[random.Random], Shape], ...] = (
    shared_tail, by_table, by_two_pushed, recursion, recursion_in_a_loop, one_head,
    head_at_the_entry, entry_called_again, tail_call, beyond_the_end, every_second, never_back,
    never_entered_there, by_a_callee_too, left_by_a_callee, nested, nested_in_a_callee, two_heads,
    left_in_the_middle, one_after_the_other, overlapping,
)  # fmt: skip


def code(cpu: str, steps: str) -> str:
    """The assembly of steps."""
    words, lines = WORDS[cpu], []
    for step in steps.split(";"):
        if step.endswith(":"):
            lines.append(step)
        elif step in words:
            lines.append(words[step])
        else:
            word, _, operand = step.rpartition(" ")
            lines.append(words[word].format(operand))
    return "/".join(lines)


def drawn(seed: int) -> Drawn:
    """The claim of a number."""
    draw = random.Random(f"loops {seed}")
    make = SHAPES[seed % len(SHAPES)]
    cpu = ("6502", "sm83")[seed // len(SHAPES) % 2]
    shape = make(draw)
    label, about = draw.choice(list(shape.about.items()))
    low = max(0, about + draw.choice((-1, 0, 0, 0, 1)))
    high = max(1, low + draw.choice((0, 0, 1, 2)))
    if draw.random() < 0.2:
        low = 0
    is_6502 = cpu == "6502"
    x = "X" if is_6502 else "B"
    inputs = ["C" if is_6502 else "CF", *([x] if shape.first else [])]
    required = f"requires: {x} in {shape.first[0]}..{shape.first[-1]}; " if shape.first else ""
    clobbers = "A X Y N V Z C ptr" if is_6502 else "A B C HL F"
    contract = (
        f"in: {' '.join(inputs)}; {required}out: none; clobbers: {clobbers}; "
        f"loops: {label} {low}..{high}"
    )
    registers: dict[str, Sequence[int]] = {"c" if is_6502 else "cf": (0, 1)}
    if shape.first:
        registers[x.lower()] = shape.first
    others = {name: (None, code(cpu, steps)) for name, steps in shape.others.items()}
    text = code(cpu, shape.steps)
    said = false(contract, text, others=others)

    def judge(rom: Rom, ended: Sequence[Ended]) -> Truth:
        def at(name: str) -> int:
            return _address(rom, cpu, name)

        counts = [[one.executed.count(at(label)) for one in ended]]
        counts.append([number for number in counts[0] if number])
        if label in shape.within:
            parts = [(at(start), at(end)) for start, end in shape.within[label]]
            counts = [[n for one in ended for n in _entered(one.executed, parts, at(label))]]
        kept = [all(low <= n <= high for n in each) for each in counts if each]
        return Truth.HOLDS if all(kept) else Truth.OPEN if any(kept) else Truth.BROKEN

    return Drawn(make.__name__.replace("_", " "), cpu, said, tuple(each_of(registers, {})), judge)


def _address(rom: Rom, cpu: str, name: str) -> int:
    names = {symbol.name for symbol in rom.image.symbols}
    inner = f"it::{name}"
    return place(rom, inner if cpu == "6502" and inner in names else name)


def _entered(executed: Sequence[int], parts: Sequence[tuple[int, int]], at: int) -> list[int]:
    """How often an address is executed each time that execution comes into some parts."""
    counts: list[int] = []
    inside = False
    for address in executed:
        now = any(start <= address < end for start, end in parts)
        if now and not inside:
            counts.append(0)
        if now and address == at:
            counts[-1] += 1
        inside = now
    return counts


if __name__ == "__main__":
    sys.exit(main(drawn))
