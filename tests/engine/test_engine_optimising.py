"""Interpreters are compiled quickly first, and optimised when they have executed much."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")

from romproof.engine.batch import run_many  # noqa: E402
from romproof.engine.engines import make_engine  # noqa: E402
from romproof.engine.llvm import compile, running  # noqa: E402
from romproof.engine.llvm.engine import LlvmEngine  # noqa: E402
from romproof.engine.llvm.running import Interpreter, interpreter_for  # noqa: E402
from romproof.engine.llvm.weave import Weave  # noqa: E402

LOOP = bytes.fromhex("e8 d0fd c8 4c 0002")
"""Counts X and Y for ever."""
ENOUGH = 30_000


@pytest.fixture(autouse=True)
def _afresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("ROMPROOF_CACHE", str(tmp_path))
    monkeypatch.setattr(compile, "optimised", True)
    monkeypatch.setattr(running, "WORTH_OPTIMISING", ENOUGH)
    interpreter_for.cache_clear()
    yield
    interpreter_for.cache_clear()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each compilation of an interpreter whether it was to be optimised."""
    done: list[bool] = []
    compiled = compile.compile_module

    def noted(key: str, function: str, make: Any, optimise: bool | None = None) -> Any:
        if key.startswith("Weave"):
            assert optimise is not None
            done.append(optimise)
            return compiled(key, function, make, False)  # to optimise takes seconds
        return compiled(key, function, make, False)

    monkeypatch.setattr(compile, "compile_module", noted)
    return done


def _engine(name: str) -> Any:
    engine = make_engine(name)
    engine.memory[0x200 : 0x200 + len(LOOP)] = LOOP
    engine.registers.pc = 0x200
    return engine


def _state(engine: Any) -> tuple[Any, ...]:
    return engine.registers.pc, engine.registers.x, engine.registers.y, engine.cycles


def test_a_short_run_is_not_optimised(asked: list[bool]) -> None:
    _engine("llvm").run((), ENOUGH // 2)
    assert asked == [False]


def test_many_short_runs_are_optimised_in_the_end(asked: list[bool]) -> None:
    engine, plain = _engine("llvm"), _engine("plain")
    for _ in range(5):
        engine.run((), ENOUGH // 4)
        plain.run((), ENOUGH // 4)
        assert _state(engine) == _state(plain)
    assert asked == [False, True]


def test_a_long_run_is_optimised_between_two_slices(
    asked: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("romproof.engine.llvm.engine.SLICE", ENOUGH // 3)
    engine, plain = _engine("llvm"), _engine("plain")
    engine.run((), 2 * ENOUGH)
    plain.run((), 2 * ENOUGH)
    assert _state(engine) == _state(plain)
    assert asked == [False, True]


@pytest.mark.slow_cases("1")
@pytest.mark.parametrize("parts", [1, 5])
def test_the_interpreter_beneath_translated_code_is_optimised_in_the_end(
    asked: list[bool], monkeypatch: pytest.MonkeyPatch, parts: int
) -> None:
    for module in ("llvm", "recompiled"):
        monkeypatch.setattr(f"romproof.engine.{module}.engine.SLICE", ENOUGH // 3)
    engine, plain = _engine("recompiled"), _engine("plain")
    engine.warm_up = 100
    addresses = set()
    for _ in range(parts):
        engine.run((), 2 * ENOUGH // parts)
        plain.run((), 2 * ENOUGH // parts)
        assert _state(engine) == _state(plain)
        addresses.add(engine._state.interpreter)
    assert engine.translated_instructions > 0
    assert asked == [False, True]
    if parts > 1:
        assert len(addresses) == 2


@pytest.mark.slow_cases("True")
@pytest.mark.parametrize("long", [False, True])
def test_a_batch_of_runs_counts(
    asked: list[bool], monkeypatch: pytest.MonkeyPatch, long: bool
) -> None:
    monkeypatch.setattr("romproof.engine.batch.run.SLICE", ENOUGH // 3)
    memory = bytes(0x200) + LOOP + bytes(0x10000 - 0x200 - len(LOOP))
    runs, limit = (3, 2 * ENOUGH) if long else (100, 2 * ENOUGH // 100)
    registers = {"pc": 0x200, "x": np.arange(runs)}
    for _ in range(2):
        result = run_many(memory, registers, (), limit, workers=1)
    assert asked == [False, True]
    plain = _engine("plain")
    plain.registers.x = 1
    plain.run((), limit)
    assert (result.registers["x"][1], result.cycles[1]) == (plain.registers.x, plain.cycles)


@pytest.mark.slow
def test_what_was_optimised_once_is_at_hand_in_the_next_process() -> None:
    weave = Weave(cpu="mos6502", dirty=True)
    key, made = repr(weave), Interpreter(weave)
    assert compile.recall(key, running.FUNCTION) is None
    made.optimise()
    assert compile.recall(key, running.FUNCTION) is not None
    address = made.address
    made.optimise()
    assert made.address == address, "once is enough"
    again = Interpreter(weave)
    first = again.address
    again.count(2 * ENOUGH)
    assert again.address == first, "it was the optimised one from the beginning"


@pytest.mark.slow_cases("True-0-True")
@pytest.mark.parametrize(("optimised", "worth", "first"), [(True, 0, True), (False, 9, False)])
def test_at_once_and_never(
    asked: list[bool],
    monkeypatch: pytest.MonkeyPatch,
    optimised: bool,
    worth: int,
    first: bool,
) -> None:
    monkeypatch.setattr(compile, "optimised", optimised)
    monkeypatch.setattr(running, "WORTH_OPTIMISING", worth)
    LlvmEngine().run((), 1000)
    assert asked == [first]


def test_threads_leave_optimising_to_who_waits_for_them(
    asked: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """There Ctrl-C ends it."""
    monkeypatch.setattr("romproof.engine.batch.run.SLICE", ENOUGH // 3)
    monkeypatch.setattr("romproof.engine.batch.run.WORTH_THREADS", 0)
    monkeypatch.setattr("romproof.engine.batch.run.A_FEW", 1)
    where: list[threading.Thread] = []
    compiled = compile.compile_module

    def noted(*given: Any) -> Any:
        where.append(threading.current_thread())
        return compiled(*given)

    memory = bytes(0x200) + LOOP + bytes(0x10000 - 0x200 - len(LOOP))
    registers = {"pc": 0x200, "x": np.arange(200)}
    run_many(memory, registers, (), ENOUGH // 1000, workers=2)
    assert asked == [False]
    monkeypatch.setattr(compile, "compile_module", noted)
    for _ in range(2):
        run_many(memory, registers, (), ENOUGH // 3, workers=2)
    assert asked == [False, True]
    assert where == [threading.current_thread()]
