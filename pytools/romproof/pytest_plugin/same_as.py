"""``@romproof.same_as``: a routine does what another version of it does.

    @romproof.same_as("multiply", "git:main")
    def test_multiply_is_what_it_was(): ...

The test draws inputs with hypothesis and calls both; with ``--romproof-prove`` it proves that they
are the same for all inputs that both contracts allow.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from romproof.pytest_plugin.equivalent import RUNS, with_fixtures

if TYPE_CHECKING:
    from romproof.harness.rom import Rom
    from romproof.prover.same.same import Sameness
    from romproof.prover.same.sides import CellPairs

GIT = "git:"
"""What the other version begins with that is a revision."""

_BEFORE: pytest.StashKey[dict[tuple[str, ...], Rom]] = pytest.StashKey()
"""Programs as they were at revisions, by folder, revision and name: built once a session."""

TestFunction = Callable[..., object]


def same_as(
    routine: str,
    other: str,
    *,
    map: Mapping[str, str] | None = None,
    rom: str | None = None,
    examples: int = 200,
    limit: int | None = None,
) -> Callable[[TestFunction], Callable[..., None]]:
    """A decorator: the test fails if ``routine`` and ``other`` differ for an allowed input.

    ``other`` is the version to compare with: a routine of the same program (``"multiply_old"``), of
    another one of the project (``"demo:multiply"``), or the same routine at a revision of git
    (``"git:main"``, ``"git:HEAD~1"``). Its values under ``out:`` have to be the same.

    ``map`` maps its places to those of ``routine`` if their names differ; on another CPU, all
    registers. ``rom`` is the name of the program, as of ``@pytest.mark.rom``; ``examples`` are
    tried, each with at most ``limit`` cycles. The function's body runs first.
    """
    case = _Case(routine, other, tuple((map or {}).items()), examples, limit)

    def decorate(test: TestFunction) -> Callable[..., None]:
        own = inspect.signature(test)

        @functools.wraps(test)
        def run(*args: Any, **fixtures: Any) -> None:
            given = {name: v for name, v in fixtures.items() if name in own.parameters}
            test(*args, **given)
            case.run(fixtures["rom"], fixtures["request"])

        run.__signature__ = with_fixtures(own)  # type: ignore[attr-defined]
        return pytest.mark.rom(rom)(run) if rom is not None else run

    return decorate


@dataclass(frozen=True)
class _Case:
    """The arguments of the decorator."""

    routine: str
    other: str
    map: tuple[tuple[str, str], ...]
    examples: int
    limit: int | None

    def run(self, rom: Rom, request: pytest.FixtureRequest) -> None:
        """Fail the test if the versions differ."""
        from romproof.text.errors import RomproofError

        try:
            message = self._message(rom, request)
        except RomproofError as error:
            message = str(error)
        if message is not None:
            rom.forget()  # the message says it all
            pytest.fail(message, pytrace=False)

    def _message(self, rom: Rom, request: pytest.FixtureRequest) -> str | None:
        """What is wrong; None when nothing is. Raises RomproofError."""
        from romproof.support.extras import need_for_proofs, need_for_samples

        if request.config.getoption("--romproof-prove"):
            need_for_proofs()
            from romproof.prover.results import Verdict
            from romproof.prover.routines.routine import ProofOptions
            from romproof.prover.same.same import prove_same

            seconds = float(request.config.getoption("--romproof-prove-timeout"))
            result = prove_same(self._pairs(rom, request), ProofOptions(seconds))
            if result.verdict is not Verdict.PROVED:
                return _story(result)
            runs = f"'{self.routine}' is the same as {self.other}: {result.runs:,} runs"
            request.node.user_properties.append((RUNS, runs))
            return None
        need_for_samples()
        from romproof.prover.same.same import Differs, Sameness, refute
        from romproof.prover.same.sampled import Different, SameClaim
        from romproof.pytest_plugin.sampling import falsify

        pairs = self._pairs(rom, request)
        claim = SameClaim(pairs, pairs.one.program.rom, pairs.other.program.rom, self.limit)
        failed = falsify(claim, rom, self.examples, request.node.nodeid)
        if failed is None:
            return None
        if isinstance(failed, Different):
            differs = Differs(failed.example, failed.other, failed.outputs)
            return _story(Sameness(pairs, refute(differs), differs=differs))
        return f"a call fails for {failed.example}:\n{failed.fault}"

    def _pairs(self, rom: Rom, request: pytest.FixtureRequest) -> CellPairs:
        from romproof.prover.same.sides import pairs_of, side_of

        marker = request.node.get_closest_marker("rom")
        name = marker.args[0] if marker is not None and marker.args else None
        program, colon, routine = self.other.rpartition(":")
        known = rom.contract_of(rom.image.symbol(self.routine).name)
        if self.other.startswith(GIT):
            before = _before(request, self.other.removeprefix(GIT), name)
            routine = self.routine
        elif colon:
            before = request.getfixturevalue("roms")(program, request.path.parent)
        else:
            before = rom
        one = side_of(self.other, before, routine, known)
        return pairs_of(one, side_of(self.routine, rom, self.routine, one.contract, name), self.map)


def _before(request: pytest.FixtureRequest, revision: str, name: str | None) -> Rom:
    """The program as it was at a revision."""
    from romproof.harness.built import rom_of
    from romproof.projects.builder import build
    from romproof.projects.project import find_project, load
    from romproof.projects.revision import check_out
    from romproof.text.errors import BadInput

    project = find_project(request.path.parent)
    if project is None:
        raise BadInput(f"{request.path.parent} is in no project, so git:{revision} has no meaning")
    known = request.config.stash.setdefault(_BEFORE, {})
    key = (str(project.root), revision, name or "")
    if key not in known:
        with check_out(project.root, revision) as folder:
            known[key] = rom_of(build(load(folder / project.pyproject.name, name)))
    return known[key]


def _story(result: Sameness) -> str:
    from romproof.report.paste import test_of
    from romproof.report.sameness import sameness_text

    return sameness_text(result, test_of(result), 100, colour=False, verbose=False)
