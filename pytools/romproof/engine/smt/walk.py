"""Going through terms, however deep they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping

from romproof.engine.smt import bits as terms
from romproof.engine.smt.node import (
    ARRAY,
    VAR,
    Term,
)


def in_order(roots: Iterable[Term]) -> Iterator[Term]:
    """Each term in the given ones once, its args before it."""
    done: set[Term] = set()
    stack = list(roots)
    stack.reverse()
    while stack:
        term = stack[-1]
        if term in done:
            stack.pop()
            continue
        waiting = [arg for arg in term.args if arg not in done]
        if waiting:
            stack += reversed(waiting)
        else:
            stack.pop()
            done.add(term)
            yield term


def variables(roots: Iterable[Term]) -> frozenset[Term]:
    """The VAR and ARRAY terms that the given ones depend on."""
    return frozenset(term for term in in_order(roots) if term.op in (VAR, ARRAY))


def rebuilt(term: Term, args: tuple[Term, ...]) -> Term:
    """The term with other args of the same widths, simplified."""
    match term.op:
        case "xor":
            found = terms.const(term.number, term.width)
            for arg in args:
                found = terms.xor(found, arg)
            return found
        case "and":
            found = args[0]
            for arg in args[1:]:
                found = terms.and_(found, arg)
            return found
        case "ite":
            return terms.ite(*args)
        case "concat":
            return terms.concat(*args)
        case "extract":
            return terms.extract(args[0], term.number, term.width)
        case "sum":
            found = terms.const(term.number, term.width)
            for factor, arg in zip(term.factors, args, strict=True):
                part = terms.mul(terms.zext(arg, term.width), terms.const(factor, term.width))
                found = terms.add(found, part)
            return found
        case "mul":
            return terms.mul(*args)
        case "eq":
            return terms.eq(*args)
        case "ult":
            return terms.ult(*args)
        case "lookup":
            return terms.lookup(term.table, args[0])
        case "store":
            return terms.store(*args)
        case "load":
            return terms.load(*args)
    return term


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
        done[term] = term if same else rebuilt(term, args)
    return done[root]
