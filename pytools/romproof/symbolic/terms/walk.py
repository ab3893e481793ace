"""Going through terms, however deep they are."""

from __future__ import annotations

from collections.abc import (
    Callable,
    Container,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    MutableMapping,
)
from functools import reduce

from romproof.symbolic.terms.choice import ite
from romproof.symbolic.terms.compare import eq, ult
from romproof.symbolic.terms.logic import and_, xor
from romproof.symbolic.terms.node import ARRAY, CONST, VAR, Term, const
from romproof.symbolic.terms.remainder import rem
from romproof.symbolic.terms.slices import concat, extract, zext
from romproof.symbolic.terms.sums import product, total
from romproof.symbolic.terms.tables import load, lookup, store


def in_order(roots: Iterable[Term], known: Container[Term] = ()) -> Iterator[Term]:
    """Each term in the given ones once, its args before it; what is known is left out."""
    done: set[Term] = set()
    stack = list(roots)
    stack.reverse()
    while stack:
        term = stack[-1]
        if term in done or term in known:
            stack.pop()
            continue
        waiting = [arg for arg in term.args if arg not in done and arg not in known]
        if waiting:
            stack += reversed(waiting)
        else:
            stack.pop()
            done.add(term)
            yield term


def variables(roots: Iterable[Term]) -> KeysView[Term]:
    """The VAR and ARRAY terms that the given ones depend on: a set, in the order in which they are
    come to. (The order of a frozenset is that of addresses in memory, another in each run.)"""
    return {term: None for term in in_order(roots) if term.op in (VAR, ARRAY)}.keys()


class FreeVariables:
    """The same for many questions on terms that share most of what is in them."""

    def __init__(self) -> None:
        self._all: list[Term] = []
        self._present: dict[Term, int] = {}

    def of(self, roots: Iterable[Term]) -> list[Term]:
        """The VAR and ARRAY terms, in the order of their names."""
        roots = list(roots)
        for term in in_order(roots, self._present):
            if term.op in (VAR, ARRAY):
                self._present[term] = 1 << len(self._all)
                self._all.append(term)
            else:
                present = 0
                for arg in term.args:
                    present |= self._present[arg]
                self._present[term] = present
        mask = 0
        for root in roots:
            mask |= self._present[root]
        free: list[Term] = []
        while mask:
            free.append(self._all[(mask & -mask).bit_length() - 1])
            mask &= mask - 1
        return sorted(free, key=lambda term: (term.name, term.serial))


def rebuild(term: Term, args: tuple[Term, ...]) -> Term:
    """The term with other args of the same widths, simplified."""
    match term.op:
        case "xor":
            return reduce(xor, args, const(term.number, term.width))
        case "and":
            return reduce(and_, args)
        case "ite":
            return ite(*args)
        case "concat":
            return concat(*args)
        case "extract":
            return extract(args[0], term.number, term.width)
        case "sum":
            return total(term.width, list(zip(term.factors, args, strict=True)), term.number)
        case "mul":
            return product(term.width, *args)
        case "rem":
            result = rem(*args)
            wide = max(result.width, term.width)
            return extract(zext(result, wide), 0, term.width)
        case "eq":
            return eq(*args)
        case "ult":
            return ult(*args)
        case "lookup":
            return lookup(term.table, args[0])
        case "store":
            return store(*args)
        case "load":
            return load(*args)
    return term


def transplant(root: Term, leaf: Callable[[Term], Term], memo: MutableMapping[Term, Term]) -> Term:
    """A term that belongs to other Terms, made anew here: ``leaf`` says what is to stand for each
    of its variables and arrays. ``memo`` keeps what was found."""
    for term in in_order([root], memo):
        if term.op in (VAR, ARRAY):
            memo[term] = leaf(term)
        elif term.op is CONST:
            memo[term] = const(term.number, term.width)
        else:
            memo[term] = rebuild(term, tuple(memo[arg] for arg in term.args))
    return memo[root]


def replace(
    root: Term, mapping: Mapping[Term, Term], memo: MutableMapping[Term, Term] | None = None
) -> Term:
    """The term with others in place of some in it, simplified.

    ``memo`` keeps what was found, for further terms with the same mapping.
    """
    done: MutableMapping[Term, Term] = {} if memo is None else memo
    stack = [root]
    while stack:
        term = stack[-1]
        if term in done:
            stack.pop()
            continue
        if term in mapping:
            done[term] = mapping[term]
            continue
        waiting = [arg for arg in term.args if arg not in done]
        if waiting:
            stack += waiting
            continue
        args = tuple(done[arg] for arg in term.args)
        same = all(new is old for new, old in zip(args, term.args, strict=True))
        done[term] = term if same else rebuild(term, args)
    return done[root]
