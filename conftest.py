"""What holds for all tests.

It stands here and not in tests/: pytest puts the folder of a conftest on the
import path, and tests/fairdeck would then hide the package of that name.
"""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# a busy machine is slow, not wrong; CI looks at the same examples every time
settings.register_profile("romproof", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("romproof")

# tests that give pytest's own fixtures another home share what is compiled with all others
for _name, _folder in (("XDG_CACHE_HOME", "~/.cache"), ("XDG_STATE_HOME", "~/.local/state")):
    os.environ.setdefault(_name, str(Path(_folder).expanduser()))

FIRST = (
    "tests/fairdeck/test_proofs_shuffle.py",
    "tests/prover/fuzz/test_fuzz_prover.py",
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


SPLIT = ("tests/fairdeck/test_mutants.py",)
"""Files of which not all tests run in one worker: those whose parameters begin with the same word
do. There are hundreds of them, and a worker has little to build for each word."""


def _file(nodeid: str) -> str:
    return nodeid.partition("::")[0]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):
        rank = {file: number for number, file in enumerate(FIRST)}
        items.sort(key=lambda item: rank.get(_file(item.nodeid), len(FIRST)))


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
