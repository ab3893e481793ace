"""Random routines for the SM83."""

from __future__ import annotations

from fuzz_draft import Generator
from fuzz_nouns import SM83, Mem
from fuzz_terms import Bin, Cell, Num, Reg, Term

_ON_A = ("add", "adc", "sub", "sbc", "and", "or", "xor", "cp")
_SHIFTS = ("rlc", "rrc", "rl", "rr", "sla", "sra", "srl", "swap")
_ARRAYS = (("arr", 7), ("buf", 3), ("tail", 3), ("mid", 3), ("front", 3))
_CONDITIONS = ("c", "nc", "z", "nz")
INTERRUPTS = False
"""Whether contracts can name IME; then ``di`` and ``ei`` are drawn, too."""


class GeneratorSm83(Generator):
    """See Generator."""

    machine = SM83
    interrupts = INTERRUPTS

    def back(self) -> str:
        """See Generator."""
        return "ret"

    def _free(self, keep: frozenset[str], names: str = "ABCDEHL") -> list[str]:
        return [name.lower() for name in names if name not in keep]

    def simple(self, keep: frozenset[str]) -> None:
        """See Generator."""
        free = self._free(keep)
        other = self.pick(*"abcdehl")
        kind = self.chance.randrange(8)
        if kind == 0 and "a" in free:
            self.emit(f"{self.pick(*_ON_A)} {self.chance.choice((other, str(self.byte())))}")
        elif kind == 1:
            self.emit(f"ld {self.chance.choice(free)}, {self.chance.choice((other, '7'))}")
        elif kind == 2 and "a" in free:
            self.emit(f"ldh a, [{self.variable(frozenset())}]")
        elif kind == 3:
            self.emit(f"ldh [{self.variable(keep)}], a")
        elif kind == 4:
            self.emit(f"{self.pick('inc', 'dec')} {self.chance.choice(free)}")
        elif kind == 5:
            self.emit(f"{self.pick(*_SHIFTS)} {self.chance.choice(free)}")
        elif kind == 6:
            alone = ["scf", "ccf", *(["rlca", "rra", "cpl", "daa"] if "a" in free else [])]
            self.emit(self.chance.choice(alone))
        elif "a" in free:
            array, last = self.chance.choice(_ARRAYS)
            self.touch(Mem("buf" if array == "buf" else "arr", 4 if array == "buf" else 8))
            at = f"[{array} + {self.chance.randint(0, last)}]"
            self.emit(self.chance.choice((f"ld a, {at}", f"ld {at}, a")))

    def choice(self, keep: frozenset[str], depth: int) -> None:
        """See Generator."""
        over = self.label()
        if self.chance.random() < 0.6:
            operand = self.chance.choice((str(self.byte()), self.pick(*"bcdehl")))
            self.emit(f"cp {operand}")
        self.emit(f"jr {self.pick(*_CONDITIONS)}, {over}")
        self.block(keep, depth, most=2)
        if self.chance.random() < 0.35:
            end = self.label()
            self.emit(f"{self.pick('jr', 'jp')} {end}", f"{over}:")
            self.block(keep, depth, most=2)
            over = end
        self.emit(f"{over}:")

    def _point(self, array: str, register: str) -> None:
        self.emit(f"ld hl, {array}", "ld a, l", f"add {register}", "ld l, a")
        self.emit("ld a, h", "adc 0", "ld h, a")

    def indexed(self, keep: frozenset[str]) -> None:
        """See Generator."""
        if keep & {"A", "H", "L"}:
            return self.simple(keep)
        array, last = self.chance.choice((*_ARRAYS, ("tab", 7)))
        if array != "tab":
            self.touch(Mem("buf" if array == "buf" else "arr", 4 if array == "buf" else 8))
        free = self._free(keep, "BCDE")
        if not free:
            return self.simple(keep)
        register = self.chance.choice(free)
        way = self.chance.randrange(3)
        if way == 0 and not keep and not self.draft.code:
            self.draft.ranges.append((Reg(register.upper()), 0, last))
        elif way == 1:
            self.emit(f"ld {register}, {self.chance.randint(0, last)}")
        else:
            self.emit(f"ldh a, [{self.variable(frozenset())}]", f"and {last}", f"ld {register}, a")
        self._point(array, register)
        reads = ["ld a, [hl]", "add [hl]", "xor [hl]", "cp [hl]"]
        writes = ["ld [hl], a", f"ld [hl], {self.byte()}", f"ld [hl], {self.pick(*'bcde')}"]
        writes += ["inc [hl]", "sla [hl]", "ld [hl+], a" if array == "front" else "ld [hl], a"]
        if array != "tab" and self.chance.random() < 0.6:
            self.emit(self.chance.choice(writes))
        else:
            self.emit(self.chance.choice(reads))
        return None

    def stacked(self, keep: frozenset[str], depth: int) -> None:
        """See Generator."""
        pairs = [p for p in ("bc", "de", "hl") if not set(p.upper()) & keep]
        way = self.chance.randrange(8)
        if way == 6 and not keep:
            self.emit("pop hl", "push hl")  # perhaps the return address
        elif way == 7 and not keep:
            self.emit("ld hl, 0", "add hl, sp", self.pick("ld a, l", "ld a, h", "ld sp, hl"))
        elif way == 0 and "A" not in keep:
            self.emit("push af")
            self.block(keep, depth, most=2)
            self.emit("pop af")
        elif way == 1 and "hl" in pairs and "A" not in keep:
            self.emit("push bc", "ld hl, sp+0", "ld a, [hl]", f"pop {self.chance.choice(pairs)}")
        elif way == 2 and "hl" in pairs:
            self.emit(f"ld hl, {self.pick('sp+0', 'sp+1', 'sp-2')}")
        elif way == 3:
            self.emit("add sp, -2")
            self.block(keep, depth, most=1)
            self.emit("add sp, 2")
        elif pairs:
            self.emit(f"push {self.pick('bc', 'de', 'hl')}")
            self.block(keep, depth, most=2)
            self.emit(f"pop {self.chance.choice(pairs)}")

    def flagged(self, keep: frozenset[str], depth: int) -> None:
        """See Generator."""
        if self.interrupts and self.chance.random() < 0.6:
            self.emit(self.pick("di", "ei"))
        elif "A" not in keep:
            self.emit(f"add {self.pick(*'bcde')}", "daa")

    def short_loop(self, keep: frozenset[str], depth: int) -> None:
        """See Generator."""
        free = self._free(keep, "BCDE")
        if not free:
            return self.simple(keep)
        counter = self.chance.choice(free)
        again, turns = self.label(), self.chance.randint(2, 4)
        if self.chance.random() < 0.3 and not self.draft.code and not self.draft.ranges:
            self.draft.ranges.append((Reg(counter.upper()), 1, turns))
        else:
            self.emit(f"ld {counter}, {turns}")
        self.emit(f"{again}:")
        self.block(keep | {counter.upper()}, min(depth, 1), most=2)
        self.emit(f"dec {counter}", f"jr nz, {again}")
        return None

    def long_loop(self, keep: frozenset[str]) -> None:
        """See Generator."""
        again = self.label()
        kind = self.chance.choice(("sum", "sum", "sum at entry", "fill", "free", "free", "memory"))
        register = self.pick(*"bcde")
        counter: Term = Reg(register.upper())
        turns = self.chance.choice((2, 3, 7, 8, 12, 20, 40))
        knowledge: list[Term] = []
        body: list[str] = []
        close = [f"dec {register}", f"jr nz, {again}"]
        keep = frozenset({register.upper()})
        terms: list[Term] = []
        if kind == "memory":
            place = self.variable(frozenset())
            counter, keep = Cell(place), frozenset({place})
            self.emit(f"ld a, {turns}", f"ldh [{place}], a")
            close = [f"ldh a, [{place}]", "dec a", f"ldh [{place}], a", f"jr nz, {again}"]
        elif kind == "fill":
            self.touch(Mem("arr", 8))
            turns = 8
            self.emit(f"ld {register}, {turns}", "ld hl, arr")
            body = [self.pick("ld [hl+], a", "ld [hl+], a")]
            pointer = Bin("+", Bin("*", Reg("H"), Num(256)), Reg("L"))
            terms.append(Bin("==", Bin("+", pointer, counter), Num(0)))
            keep |= {"H", "L"}
        else:
            self.emit(f"ld {register}, {turns}")
        inside, measure = self.loop_terms(counter, 1, turns, True)
        done = Bin("-", Num(turns), counter)
        if kind == "fill":  # the address is known when the program is linked
            terms = [Bin("==", Bin("+", Reg("HL"), counter), Bin("+", Reg("&arr"), Num(8)))]
        terms = [inside, *terms]
        body = self.summing(kind, terms, knowledge, turns, done) or body
        self.turning(again, body, close, keep, terms, measure)
        self.draft.knowledge = knowledge

    def masked(self, register: str, number: int) -> None:
        """See Generator."""
        self.emit(f"ld a, {register}", f"and {number}", f"ld {register}, a")

    def loaded(self, register: str, number: int) -> str:
        """See Generator."""
        return f"ld {register}, {number}"

    def added(self, number: int) -> list[str]:
        """See Generator."""
        return [f"add {number}"]

    def calling(self, name: str) -> str:
        """See Generator."""
        return f"call {name}"
