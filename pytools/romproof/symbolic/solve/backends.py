"""z3, and Bitwuzla as a second opinion: who is asked when, and what counts as an answer."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from romproof.symbolic.solve.answer import Answer, AnswerKind, Backend, unknown
from romproof.symbolic.solve.deadline import Deadline, NoAnswer
from romproof.symbolic.solve.effort import Share
from romproof.symbolic.terms.node import Term
from romproof.text.cause import Cause
from romproof.text.errors import MissingExtra


class SolversDisagree(Exception):
    """One of the solvers is wrong, or what was put to it: a fault of the prover, never of what is
    to be proved.

    ``answers`` has what each said, ``wrong`` those whose input does not satisfy the question;
    ``question`` is in SMT-LIB's language.
    """

    def __init__(
        self, answers: Sequence[tuple[str, str]], question: str, wrong: Sequence[str]
    ) -> None:
        self.answers = tuple(answers)
        self.question = question
        self.wrong = tuple(wrong)
        told = dict.fromkeys(wrong, ", with an input that does not satisfy the question")
        said = ", ".join(f"{name} says {what}{told.get(name, '')}" for name, what in answers)
        super().__init__(f"the solvers disagree: {said}; this is a fault of the prover")


def need_z3() -> Backend:
    """z3. Raises MissingExtra without it."""
    try:
        from romproof.symbolic.solve.ask_z3 import Z3
    except ImportError:
        raise MissingExtra('a proof needs z3: pip install "romproof[prove]"') from None
    return Z3()


def find_bitwuzla() -> Backend | None:
    """Bitwuzla, if it is installed."""
    if find_spec("bitwuzla") is None:
        return None
    from romproof.symbolic.solve.ask_bitwuzla import Bitwuzla

    return Bitwuzla()


def need_bitwuzla() -> Backend:
    """The same; raises MissingExtra without it."""
    found = find_bitwuzla()
    if found is None:
        raise MissingExtra('two solvers need Bitwuzla as well: pip install "romproof[bitwuzla]"')
    return found


class Backends:
    """The solvers: ``first`` and ``second``, by default z3, when it is needed, and Bitwuzla where
    there is one. With ``cross`` an answer is one only if both give it; there have to be two then.

    Raises MissingExtra.
    """

    def __init__(
        self,
        deadline: Deadline,
        cross: bool,
        first: Backend | None = None,
        second: Backend | None = None,
    ) -> None:
        self.deadline = deadline
        self.cross = cross
        self._first = first
        self._second = second or (need_bitwuzla() if cross else find_bitwuzla())
        self.work = 0
        """What all questions took so far, in the units of those who were asked."""

    @property
    def first(self) -> Backend:
        """Who is asked before the other."""
        if self._first is None:
            self._first = need_z3()
        return self._first

    def ask(self, wanted: Sequence[Term], share: Share, limit: int | None = None) -> Answer:
        """Whether all conditions can hold: as far as the first finds it easy with a ``limit``, else
        with all the effort that a question may take, of both one after the other.

        Raises OutOfTime, SolversDisagree and KeyboardInterrupt.
        """
        given: list[tuple[str, Answer]] = []
        for backend in (self.first,) if self._second is None else (self.first, self._second):
            self.deadline.check()
            most = share.limit(backend.name, limit)
            if most < 1:
                answer = unknown(Cause.EFFORT, NoAnswer.EFFORT_USED(solver=backend.name))
            else:
                reply = backend.ask(wanted, most, self.deadline, thorough=limit is None)
                share.spend(backend.name, reply.work)
                self.work += reply.work
                answer = reply.answer
            is_known = answer.kind is not AnswerKind.UNKNOWN
            if is_known and not self.cross:
                return answer  # one who knows is enough
            if limit is not None and not is_known:
                return answer  # it is not easy
            given.append((backend.name, answer))
            limit = None
        if self.cross:
            return _compare(given, wanted)
        answers = tuple(answer.reason for _, answer in given)
        return unknown(Cause.EFFORT, NoAnswer.NONE_OF_THEM(answers=answers))


def _is_wrong(answer: Answer, wanted: Sequence[Term]) -> bool:
    """Whether an answer has an input that does not satisfy the question."""
    return answer.model is not None and not all(map(answer.model.value, wanted))


def _compare(given: Sequence[tuple[str, Answer]], wanted: Sequence[Term]) -> Answer:
    """The first answer, if the other one is the same. Raises SolversDisagree."""
    wrong = [name for name, each in given if _is_wrong(each, wanted)]
    kinds = {each.kind for _, each in given} - {AnswerKind.UNKNOWN}
    if len(kinds) > 1 or wrong:
        said = [(name, each.kind) for name, each in given]
        raise SolversDisagree(said, _question(wanted), wrong)
    if all(each.kind is not AnswerKind.UNKNOWN for _, each in given):
        return given[0][1]
    answers = tuple(
        each.reason
        if each.kind is AnswerKind.UNKNOWN
        else NoAnswer.SAYS(solver=name, answer=str(each.kind))
        for name, each in given
    )
    return unknown(Cause.EFFORT, NoAnswer.NOT_BOTH(answers=answers))


def _question(wanted: Sequence[Term]) -> str:
    from romproof.symbolic.solve.ask_z3 import Z3

    return Z3().text(wanted)
