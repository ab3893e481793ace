"""What holds for all tests.

It stands here and not in tests/: pytest puts the folder of a conftest on the
import path, and tests/fairdeck would then hide the package of that name.
"""

from __future__ import annotations

import gc
import os
import sys
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

ON_ENGINES = ("tests/harness/", "tests/machine/", "tests/measure/", "tests/conformance/")
"""Where tests are about what stands on the engines, and are tried on each of them.

There ``make test`` leaves out ``llvm``, ``make test-slow`` does not. Each of those tests runs on
``plain``, whose steps are Python, and on ``recompiled``, which has the interpreter of ``llvm`` in
it, emitted by the same modules, and translated code besides. What one engine does that the others
do not is a fault for tests/engine, which try all of them. What would be compiled for ``llvm`` alone
takes more time than these tests do."""
UNKNOWN = pytest.StashKey[str]()
"""What is wrong with a test's list of cases; the test itself reports it."""
COMPILER, RUNNING = "romproof.engine.llvm.compile", "romproof.engine.llvm.running"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Have code compiled quickly where a hundred variants are compiled, each to execute little.

    What engines have to agree on is what we emit, and that is the same with LLVM's optimisation and
    without. ``make test-slow`` runs these tests with it too. All others have what users have, where
    interpreters are optimised when they have executed much; with THOROUGH=1 they are at once.
    """
    if unknown := item.stash.get(UNKNOWN, ""):
        pytest.fail(unknown, pytrace=False)
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


def _case(item: pytest.Item) -> str:
    """The parameters' name, as pytest writes it in brackets."""
    return getattr(getattr(item, "callspec", None), "id", "")


def _is_slow_case(item: pytest.Item) -> bool:
    """Whether the marks of its function say so: ``slow_cases`` names those that are slow,
    ``quick_cases`` those that are not."""
    slow, quick = item.get_closest_marker("slow_cases"), item.get_closest_marker("quick_cases")
    if slow is not None:
        return _case(item) in slow.args
    return quick is not None and _case(item) not in quick.args


def _check_names(items: list[pytest.Item]) -> None:
    """A name in a mark that is no case of the test makes the test fail: it would leave nothing out
    without a word."""
    cases: dict[str, set[str]] = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], set()).add(_case(item))
    for item in items:
        named = {
            name
            for mark in (*item.iter_markers("slow_cases"), *item.iter_markers("quick_cases"))
            for name in mark.args
        }
        unknown = sorted(named - cases[item.nodeid.partition("[")[0]])
        if unknown:
            item.stash[UNKNOWN] = f"{unknown[0]!r} is no case of this test"


@pytest.hookimpl(tryfirst=True)  # before pytest looks at the marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not any("::" in each for each in config.args):  # all cases of a test are here
        _check_names(items)
    for item in items:
        if _is_left_to_slow(item) or _is_slow_case(item):
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """The collected tests, and what they have imported, stay to the end: the garbage collector
    need not look through them again and again."""
    gc.collect()
    gc.freeze()
