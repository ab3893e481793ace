"""What holds for all tests.

It stands here and not in tests/: pytest puts the folder of a conftest on the
import path, and tests/fairdeck would then hide the package of that name.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from thorough import THOROUGH

# a busy machine is slow, not wrong; CI looks at the same examples every time
settings.register_profile(
    "romproof",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    max_examples=100 if THOROUGH else 50,  # where a test does not say how many
)
settings.load_profile("romproof")

# tests that give pytest's own fixtures another home share what is compiled with all others
for _name, _folder in (("XDG_CACHE_HOME", "~/.cache"), ("XDG_STATE_HOME", "~/.local/state")):
    os.environ.setdefault(_name, str(Path(_folder).expanduser()))
# and what hypothesis reads off our modules, which takes a second for each process without it
_HYPOTHESIS = Path(__file__).with_name(".hypothesis")
os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(_HYPOTHESIS))

FIRST = (
    "tests/fairdeck/test_proofs_shuffle.py",
    "tests/prover/fuzz/test_fuzz_prover.py",
    "tests/prover/test_fuzz_infer.py",
    "tests/repository/test_packaging.py",
    "tests/repository/test_extras.py",
    "tests/symbolic/test_smt_opcodes.py",
    "tests/plugin/test_equivalent_prove.py",
    "tests/fairdeck/test_tarot_vectors_on_machine.py",
    "tests/fairdeck/test_mutants.py",
    "tests/plugin/test_equivalent.py",
    "tests/engine/test_engine_lockstep.py",
    "tests/engine/test_engine_instruments.py",
    "tests/engine/test_engine_all.py",
    "tests/fairdeck/test_walls_on_machine.py",
    "tests/prover/test_claims_termination.py",
    "tests/prover/test_three_limits.py",
    "tests/prover/test_claims_stack_at_cuts.py",
)
"""The files that take longest. Several workers begin with them: one of them begun last would keep
one worker busy while the others have nothing left to do."""

TOGETHER = (
    "tests/fairdeck/test_tarot_",
    "tests/fairdeck/test_walls_",
    "tests/fairdeck/test_riichi",
    "tests/fairdeck/test_proofs",
)
"""How the names of files begin that use the same ROMs."""


SPLIT = ("tests/fairdeck/test_mutants.py", "tests/prover/test_fuzz_infer.py")
"""Files of which not all tests run in one worker: those whose parameters begin with the same word
do. They take minutes together, and a worker has little to build for each word."""


ON_ENGINES = ("tests/harness/", "tests/machine/", "tests/measure/", "tests/conformance/")
"""Where tests are about what stands on the engines, and are tried on each of them.

There ``make test`` leaves out ``llvm``, ``make test-slow`` does not. Each of those tests runs on
``plain``, whose steps are Python, and on ``recompiled``, which has the interpreter of ``llvm`` in
it, emitted by the same modules, and translated code besides. What one engine does that the others
do not is a fault for tests/engine, which try all of them. What would be compiled for ``llvm`` alone
takes more time than these tests do."""
SLOW = Path(__file__).parent / "tests" / "slow.txt"
GONE = pytest.StashKey[str]()
"""What is wrong with it, which the first test of each worker tells: one that ends before it has
run its tests is taken for a crash, and nobody reads why."""
COMPILER, RUNNING = "romproof.engine.llvm.compile", "romproof.engine.llvm.running"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Have code compiled quickly where a hundred variants are compiled, each to execute little.

    What engines have to agree on is what we emit, and that is the same with LLVM's optimisation and
    without. ``make test-slow`` runs these tests with it too. All others have what users have, where
    interpreters are optimised when they have executed much; with THOROUGH=1 they are at once.
    """
    gone = item.config.stash.get(GONE, "")
    if gone:
        del item.config.stash[GONE]
        pytest.fail(gone, pytrace=False)
    quickly = item.nodeid.startswith(("tests/engine/", *ON_ENGINES)) and not THOROUGH
    if COMPILER not in sys.modules and not (quickly and find_spec("llvmlite") is not None):
        return
    compiler: Any = import_module(COMPILER)
    if THOROUGH:
        import_module(RUNNING).WORTH_OPTIMISING = 0  # type: ignore[attr-defined]
    if compiler.optimised is quickly:
        compiler.optimised = not quickly
        from romproof.engine.batch.run import run_all_for
        from romproof.engine.llvm.running import interpreter_for

        for known in (interpreter_for, run_all_for):  # what this process has compiled already
            known.cache_clear()


def _is_left_to_slow(item: pytest.Item) -> bool:
    """Whether it runs on ``llvm`` what is tried on ``recompiled`` too."""
    given = getattr(item, "callspec", None)
    if given is None or not item.nodeid.startswith(ON_ENGINES):
        return False
    values = [each for value in given.params.values() for each in _each(value)]
    return "llvm" in values


def _each(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _listed() -> set[str]:
    lines = SLOW.read_text("utf-8").splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def _left_to_slow(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Those that take too long for ``make test``."""
    listed = _listed()
    yield from (item for item in items if item.nodeid in listed)


def _gone(items: list[pytest.Item]) -> str:
    """What is wrong with a line of the list that is none of the tests, where whole files were
    collected; empty if nothing is."""
    looked_at = {_file(item.nodeid) for item in items}
    for gone in sorted(_listed() - {item.nodeid for item in items}):
        file = _file(gone)
        if file in looked_at or not (SLOW.parents[1] / file).exists():
            return f"{SLOW.name}: there is no test {gone}"
    return ""


def _file(nodeid: str) -> str:
    return nodeid.partition("::")[0]


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Have every second worker collect from the end: what has to be compiled, as all has in a new
    clone, is then compiled by one of them alone."""
    worker = getattr(config, "workerinput", {}).get("workerid", "gw0")
    tests = SLOW.parent
    is_whole = [config.rootpath / each for each in config.args] == [tests]
    if is_whole and int(worker.removeprefix("gw")) % 2:
        folders = {path.relative_to(tests).parts[0] for path in tests.rglob("test_*.py")}
        config.args[:] = [str(tests / name) for name in sorted(folders, reverse=True)]


@pytest.hookimpl(tryfirst=True)  # before pytest looks at the marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    whole = not any("::" in each for each in config.args)
    for item in [*filter(_is_left_to_slow, items), *_left_to_slow(items)]:
        item.add_marker(pytest.mark.slow)
    gone = _gone(items) if whole else ""
    if gone and not hasattr(config, "workerinput"):
        raise pytest.UsageError(gone)
    if gone:
        config.stash[GONE] = gone
    if hasattr(config, "workerinput"):
        rank = {file: number for number, file in enumerate(FIRST)}
        items.sort(key=lambda item: (rank.get(file := _file(item.nodeid), len(FIRST)), file))


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """The collected tests, and what they have imported, stay to the end: the garbage collector
    need not look through them again and again."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With ``--dist loadgroup`` all tests of a file run in one worker: what one of them has built
    is there for the others."""
    if config.getvalue("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):  # type: ignore[misc, unused-ignore]
        """Files in the order in which they were collected."""

        def _split_scope(self, nodeid: str) -> str:
            file = _file(nodeid)
            if file in SPLIT:
                return file + nodeid.partition("[")[2].partition(":")[0]
            return next((begin for begin in TOGETHER if file.startswith(begin)), file)

    config.option.loadscopereorder = False
    return ByFile(config, log)
