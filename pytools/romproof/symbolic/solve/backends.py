"""z3, and Bitwuzla as a second witness: who is asked when, and what counts as an answer."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from romproof.symbolic.solve.answer import Answer, AnswerKind, Asker, unknown
from romproof.symbolic.solve.deadline import Deadline
from romproof.symbolic.solve.effort import Share
from romproof.symbolic.terms.node import Term
from romproof.text.cause import Cause
from romproof.text.errors import MissingExtra


class SolversDisagree(Exception):
    """One of the solvers is wrong, or what was put to it: a fault of the prover, never of what is
    to be proved.

    ``answers`` has what each said; ``question`` is the question in SMT-LIB's language.
    """

    def __init__(self, answers: Sequence[tuple[str, str]], question: str) -> None:
        self.answers = tuple(answers)
        self.question = question
        said = ", ".join(f"{name} says {what}" for name, what in answers)
        super().__init__(f"the solvers disagree: {said}; this is a fault of the prover")


def first_witness() -> Asker:
    """z3. Raises MissingExtra without it."""
    try:
        from romproof.symbolic.solve.ask_z3 import Z3
    except ImportError:
        raise MissingExtra('a proof needs z3: pip install "romproof[prove]"') from None
    return Z3()


def second_witness() -> Asker | None:
    """Bitwuzla, if it is installed."""
    if find_spec("bitwuzla") is None:
        return None
    from romproof.symbolic.solve.ask_bitwuzla import Bitwuzla

    return Bitwuzla()


def need_second() -> Asker:
    """The same; raises MissingExtra without it."""
    second = second_witness()
    if second is None:
        raise MissingExtra('two solvers need Bitwuzla as well: pip install "romproof[bitwuzla]"')
    return second


class Witnesses:
    """The solvers. With ``cross`` an answer is one only if both give it."""

    def __init__(self, first: Asker, second: Asker | None, deadline: Deadline, cross: bool) -> None:
        self.first = first
        self.second = second
        self.deadline = deadline
        self.cross = cross
        self.work = 0
        """What all questions took so far, in the units of those who were asked."""

    def quick(self, wanted: Sequence[Term], limit: int, share: Share) -> Answer:
        """Whether all conditions can hold, if z3 finds that easy. Raises OutOfTime,
        SolversDisagree and KeyboardInterrupt."""
        answer = self._ask(self.first, wanted, share, False, limit)
        if answer.kind is AnswerKind.UNKNOWN or not self.cross:
            return answer
        return self._both(wanted, answer, share)

    def thorough(self, wanted: Sequence[Term], share: Share) -> Answer:
        """The same with all the effort that a question may take, of z3 and then of Bitwuzla."""
        answer = self._ask(self.first, wanted, share, True)
        if self.cross:
            return self._both(wanted, answer, share)
        if answer.kind is not AnswerKind.UNKNOWN or self.second is None:
            return answer
        other = self._ask(self.second, wanted, share, True)
        if other.kind is not AnswerKind.UNKNOWN:
            return other
        return unknown(Cause.EFFORT, f"{answer.reason}; {other.reason}")

    def _both(self, wanted: Sequence[Term], answer: Answer, share: Share) -> Answer:
        """The answer of z3 if Bitwuzla gives it too."""
        assert self.second is not None, "who checks has somebody to ask"
        other = self._ask(self.second, wanted, share, True)
        given = ((self.first.name, answer), (self.second.name, other))
        said = [(name, _said(each, wanted)) for name, each in given]
        kinds = {each.kind for _, each in given} - {AnswerKind.UNKNOWN}
        if len(kinds) > 1 or any(what == WRONG for _, what in said):
            raise SolversDisagree(said, _question(wanted))
        reasons = [each.reason if each.kind is AnswerKind.UNKNOWN else "" for _, each in given]
        if not any(reasons):
            return answer
        answers = [
            reason or f"{name} says {each.kind}"
            for reason, (name, each) in zip(reasons, given, strict=True)
        ]
        return unknown(Cause.EFFORT, f"not both have an answer: {'; '.join(answers)}")

    def _ask(
        self,
        asker: Asker,
        wanted: Sequence[Term],
        share: Share,
        thorough: bool,
        most: int | None = None,
    ) -> Answer:
        self.deadline.check()
        limit = share.limit(asker.name, most)
        if limit < 1:
            return unknown(Cause.EFFORT, f"{asker.name} has used up the effort for one claim")
        reply = asker.ask(wanted, limit, self.deadline, thorough)
        share.spend(asker.name, reply.work)
        self.work += reply.work
        return reply.answer


WRONG = "sat, for an input that is none"


def _said(answer: Answer, wanted: Sequence[Term]) -> str:
    """What an answer is, its input looked at."""
    if answer.model is not None and not all(map(answer.model.value, wanted)):
        return WRONG
    return answer.kind


def _question(wanted: Sequence[Term]) -> str:
    from romproof.symbolic.solve.ask_z3 import Z3

    return Z3().text(wanted)
