"""A disequality less a known equality: the same question with fewer variables."""

from __future__ import annotations

from romproof.symbolic.solve.nearer import nearer
from romproof.symbolic.solve.solver import Solver
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import Terms, using


def _kept_up(step: int, less: int) -> tuple[list[t.Term], t.Term]:
    """That a pointer and three times a counter keep their sum, and that they still do after a loop
    went on by ``step`` and counted ``less``."""
    high, low, total, count = (
        t.var(name, w) for name, w in zip("hlsc", (8, 8, 16, 8), strict=True)
    )
    pointer = t.zext(t.concat(high, low), 18)

    def far(number: t.Term) -> t.Term:
        return t.mul(t.zext(number, 18), t.const(3, 18))

    known = t.eq(t.add(pointer, far(count)), t.zext(total, 18))
    after = t.add(t.add(pointer, t.const(step, 18)), far(t.sub(count, t.const(less, 8))))
    counted = t.not_(t.ult(count, t.const(less, 8)))
    return [known, counted], t.eq(after, t.zext(total, 18))


def test_what_both_sums_share_drops_out() -> None:
    """Only the counter is left, and the answer is that of the question as it was."""
    with using(Terms()):
        known, claim = _kept_up(3, 1)
        closer = nearer([*known, t.not_(claim)])
        assert closer is not None
        new = [each for each in closer if each not in known]
        assert [v.name for v in t.variables(new)] == ["c"]
        assert Solver().check(closer).kind == "unsat"


def test_a_claim_that_is_not_so_is_not_made_so() -> None:
    """Off by one in the pointer, or one more counted: a model is found, of the first question,
    too."""
    for step, less in ((2, 1), (4, 1), (3, 2), (6, 1)):
        with using(Terms()):
            known, claim = _kept_up(step, less)
            question = [*known, t.not_(claim)]
            closer = nearer(question)
            for conditions in (question, closer or question):
                answer = Solver().check(conditions)
                assert answer.model is not None, (step, less)
                assert all(answer.model.value(each) == 1 for each in question)


def test_an_equality_of_other_bits_is_left_alone() -> None:
    """The lower bits of a wider equality are equal, too; the upper ones of a narrower one are not
    known."""
    with using(Terms()):
        wide = [t.var(name, 16) for name in ("a", "b")]
        narrow = [t.extract(each, 0, 8) for each in wide]
        more = [t.add(t.var("c", 8), each) for each in narrow]
        closer = nearer([t.eq(*wide), t.not_(t.eq(*more))])
        assert closer is None or Solver().check(closer).kind == "unsat"
        assert nearer([t.eq(*narrow), t.not_(t.eq(*wide))]) is None or (
            Solver().check([t.eq(*narrow), t.not_(t.eq(*wide))]).kind == "sat"
        )


def test_questions_without_an_equality_stay_as_they_are() -> None:
    """Nothing is known that could be taken off."""
    with using(Terms()):
        a, b = t.var("a", 8), t.var("b", 8)
        assert nearer([t.ult(a, b), t.not_(t.eq(a, b))]) is None
