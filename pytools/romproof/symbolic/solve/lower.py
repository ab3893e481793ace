"""Terms as formulas of z3."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import z3

from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import SUM, VAR, Term
from romproof.symbolic.terms.walk import FreeVariables, in_order

MOST_SUMS = 400
"""Sums that are compared with each other."""


class Lowering:
    """Formulas for terms in one context of z3. Values of one bit are Bool there, not BitVec.

    ``variables`` has those that came up; ``bounds`` collects what is known of them, as formulas.
    """

    def __init__(self, context: Any = None) -> None:
        self.context = context
        self.variables: dict[Term, Any] = {}
        self._bits: dict[Term, Any] = {}
        self._truth: dict[Term, Any] = {}
        self._wider: dict[Term, Term] = {}
        self._free = FreeVariables()
        self._remainders: dict[tuple[Term, Term], Any] = {}

    @property
    def size(self) -> int:
        """How many formulas there are."""
        return len(self._bits) + len(self._truth)

    def prepare(self, roots: Iterable[Term]) -> bool:
        """Look for sums that are the low bits of wider ones, so that each is added up once.

        Are there any? To be called before anything is lowered, if at all: it takes some time.
        """
        sums = [term for term in in_order(roots) if term.op is SUM]
        if len(sums) > MOST_SUMS:
            return False
        widths = sorted({term.width for term in sums})
        known = set(sums)
        for term in sorted(sums, key=lambda term: -term.width):
            if term in self._wider:
                continue
            for width in widths:
                if width >= term.width:
                    break
                narrow = t.extract(term, 0, width)
                if narrow in known:
                    self._wider.setdefault(narrow, term)
        return bool(self._wider)

    def variables_of(self, roots: Iterable[Term]) -> list[Term]:
        """The variables and arrays of terms, in the order of their names."""
        return self._free.of(roots)

    def bounds_of(self, roots: Iterable[Term]) -> list[Any]:
        """What is known of the variables of terms."""
        found: list[Any] = []
        for term in self.variables_of(roots):
            if term.op is not VAR or term.width == 1:
                continue
            bits = self.term(term)
            if term.low:
                found.append(z3.UGE(bits, z3.BitVecVal(term.low, term.width, self.context)))
            if term.high < (1 << term.width) - 1:
                found.append(z3.ULE(bits, z3.BitVecVal(term.high, term.width, self.context)))
        return found

    @property
    def bounds(self) -> list[Any]:
        """What is known of all variables that came up."""
        return self.bounds_of(self.variables)

    def term(self, root: Term) -> Any:
        """A BitVec, or an array from 16 to 8 bits."""
        self._lower(root)
        return self._as_bits(root)

    def truth(self, root: Term) -> Any:
        """A Bool for a term of one bit."""
        self._lower(root)
        return self._truth[root]

    def _lower(self, root: Term) -> None:
        stack = [root]
        opened: set[Term] = set()
        while stack:
            term = stack[-1]
            if term in self._truth or term in self._bits:
                stack.pop()
                continue
            wider = self._wider.get(term)
            needed = term.args if wider is None else (wider,)
            waiting = [a for a in needed if a not in self._truth and a not in self._bits]
            if waiting:
                opened.add(term)
                if opened.isdisjoint(waiting):
                    stack += waiting
                    continue
                # a wider sum has its own low bits among its high ones: they are added apart
                for each in opened:
                    self._wider.pop(each, None)
                stack, opened = [root], set()
                continue
            stack.pop()
            if wider is not None:
                self._bits[term] = z3.Extract(term.width - 1, 0, self._bits[wider])
            elif term.width == 1:
                self._truth[term] = self._made_truth(term)
            else:
                self._bits[term] = self._made_bits(term)

    def _as_bits(self, term: Term, width: int = 0) -> Any:
        """A term that was lowered, with zeros in front up to the width."""
        width = max(width, term.width)
        if term.width == 1:
            if width == 1 and term in self._bits:
                return self._bits[term]
            one, zero = (z3.BitVecVal(n, width, self.context) for n in (1, 0))
            found = z3.If(self._truth[term], one, zero)
            if width == 1:
                self._bits[term] = found
            return found
        found = self._bits[term]
        return found if width == term.width else z3.ZeroExt(width - term.width, found)

    # ------------------------------------------------------------ one bit

    def _made_truth(self, term: Term) -> Any:
        args = term.args
        match term.op:
            case "const":
                return z3.BoolVal(bool(term.number), self.context)
            case "var":
                found = self.variables[term] = z3.Bool(term.name, self.context)
                return found
            case "xor":
                found = self._truth[args[0]]
                for arg in args[1:]:
                    found = z3.Xor(found, self._truth[arg])
                return z3.Not(found) if term.number else found
            case "and":
                return z3.And(*(self._truth[arg] for arg in args))
            case "ite":
                return z3.If(*(self._truth[arg] for arg in args))
            case "eq":
                return self._as_bits(args[0]) == self._as_bits(args[1])
            case "ult":
                return z3.ULT(self._as_bits(args[0]), self._as_bits(args[1]))
            case "rem":
                return self._remainder(args[0], args[1], 1) == z3.BitVecVal(1, 1, self.context)
            case "extract":
                found = z3.Extract(term.number, term.number, self._as_bits(args[0]))
                return found == z3.BitVecVal(1, 1, self.context)
        raise AssertionError(f"{term.op} of one bit")

    # ------------------------------------------------------------ more bits

    def _made_bits(self, term: Term) -> Any:
        args, width = term.args, term.width
        match term.op:
            case "const":
                return z3.BitVecVal(term.number, width, self.context)
            case "var":
                found = self.variables[term] = z3.BitVec(term.name, width, self.context)
                return found
            case "array":
                bits = [z3.BitVecSort(n, self.context) for n in (16, 8)]
                found = self.variables[term] = z3.Array(term.name, *bits)
                return found
            case "xor":
                found = self._as_bits(args[0])
                for arg in args[1:]:
                    found = found ^ self._as_bits(arg)
                if term.number == (1 << width) - 1:
                    return ~found
                return found ^ z3.BitVecVal(term.number, width, self.context)
            case "and":
                found = self._as_bits(args[0])
                for arg in args[1:]:
                    found = found & self._as_bits(arg)
                return found
            case "ite":
                return z3.If(self._truth[args[0]], self._as_bits(args[1]), self._as_bits(args[2]))
            case "rem":
                return self._remainder(args[0], args[1], width)
            case "concat":
                return z3.Concat(*(self._as_bits(arg) for arg in args))
            case "extract":
                return z3.Extract(term.number + width - 1, term.number, self._as_bits(args[0]))
            case "sum":
                return self._sum(term)
            case "mul":
                return self._as_bits(args[0], width) * self._as_bits(args[1], width)
            case "lookup":
                return self._lookup(term.table, args[0])
            case "store":
                return z3.Store(*(self._as_bits(arg) for arg in args))
            case "load":
                return z3.Select(*(self._as_bits(arg) for arg in args))
        raise AssertionError(term.op)

    def _sum(self, term: Term) -> Any:
        """Fields that do not overlap are added as one word: fewer adders."""
        width, half = term.width, 1 << term.width >> 1
        more: list[_Word] = []
        less: list[_Word] = []
        rest: Any = None
        for factor, arg in zip(term.factors, term.args, strict=True):
            words, size = (more, factor) if factor <= half else (less, 2 * half - factor)
            if size & (size - 1):
                product = self._as_bits(arg, width) * z3.BitVecVal(factor, width, self.context)
                rest = product if rest is None else rest + product
                continue
            _place(words, arg, size.bit_length() - 1, width)
        found = rest
        for word in more:
            value = self._word(word, width)
            found = value if found is None else found + value
        if term.number or found is None:
            number = z3.BitVecVal(term.number, width, self.context)
            found = number if found is None else found + number
        for word in less:
            found = found - self._word(word, width)
        return found

    def _word(self, word: _Word, width: int) -> Any:
        pieces: list[Any] = []
        at = 0
        for place in sorted(word):
            arg = word[place]
            if place > at:
                pieces.append(z3.BitVecVal(0, place - at, self.context))
            bits = self._as_bits(arg)
            if place + arg.width > width:
                bits = z3.Extract(width - place - 1, 0, bits)
            pieces.append(bits)
            at = min(width, place + arg.width)
        if at < width:
            pieces.append(z3.BitVecVal(0, width - at, self.context))
        return z3.Concat(*reversed(pieces)) if len(pieces) > 1 else pieces[0]

    def _remainder(self, number: Term, divisor: Term, width: int) -> Any:
        """Bit by bit from the top; what two remainders have in common is worked out once."""
        size = divisor.width + 1
        subtrahend = self._as_bits(divisor, size)
        bits = self._as_bits(number)
        at = 0  # the bits from here on are the first part
        while at < number.width:
            first = t.extract(number, at, number.width - at)
            if (first, divisor) in self._remainders or first.high < 2 * divisor.low:
                break
            at += 1
        if at == number.width:
            value = z3.BitVecVal(0, size, self.context)
        elif (first, divisor) in self._remainders:
            value = self._remainders[first, divisor]
        else:
            value = self._reduced(_fit(z3.Extract(number.width - 1, at, bits), size), subtrahend)
            self._remainders[first, divisor] = value
        for place in reversed(range(at)):
            doubled = z3.Concat(z3.Extract(size - 2, 0, value), z3.Extract(place, place, bits))
            value = self._reduced(doubled, subtrahend)
            self._remainders[t.extract(number, place, number.width - place), divisor] = value
        if not divisor.low:
            zero = z3.BitVecVal(0, size, self.context)
            value = z3.If(subtrahend == zero, zero, value)
        return _fit(value, width)

    def _reduced(self, value: Any, subtrahend: Any) -> Any:
        return z3.If(z3.ULT(value, subtrahend), value, value - subtrahend)

    def _lookup(self, table: bytes, index: Term) -> Any:
        """A tree of choices by the bits of the index, the highest first; 0 behind the table."""
        bits = self._as_bits(index)
        one = z3.BitVecVal(1, 1, self.context)
        chosen = [z3.Extract(place, place, bits) == one for place in range(index.width)]
        leaves = {value: z3.BitVecVal(value, 8, self.context) for value in {0, *table}}
        done: dict[tuple[int, bytes], Any] = {}

        def made(values: bytes, count: int) -> Any:
            values = values.rstrip(b"\0")
            if len(set(values)) <= 1 and len(values) in (0, 1 << count):
                return leaves[max(values, default=0)]
            found = done.get((count, values))
            if found is None:
                half = 1 << count - 1
                low, high = made(values[:half], count - 1), made(values[half:], count - 1)
                found = low if low is high else _either(chosen[count - 1], high, low)
                done[count, values] = found
            return found

        return made(table, index.width)


def _either(condition: Any, then: Any, otherwise: Any) -> Any:
    """z3.If for two BitVecs of one width, without its checks: tables have thousands of them."""
    context = condition.ctx
    ite = z3.Z3_mk_ite(context.ref(), condition.as_ast(), then.as_ast(), otherwise.as_ast())
    return z3.BitVecRef(ite, context)


_Word = dict[int, Term]
"""Terms by their lowest bit."""


def _fit(bits: Any, width: int) -> Any:
    """A BitVec of this width: the lowest bits, or zeros in front."""
    more = width - bits.size()
    return z3.ZeroExt(more, bits) if more > 0 else z3.Extract(width - 1, 0, bits)


def _place(words: list[_Word], arg: Term, at: int, width: int) -> None:
    """Put a term into the first word where its bits are free."""
    end = min(width, at + arg.width)
    for word in words:
        if all(end <= place or place + other.width <= at for place, other in word.items()):
            word[at] = arg
            return
    words.append({at: arg})
