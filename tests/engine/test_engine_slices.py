"""Compiled code runs in slices, between which Ctrl-C works: nothing else is seen of them."""

from __future__ import annotations

import _thread
import ctypes
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from every_engine import engine_with

from romproof.engine.protocol import Stop
from romproof.engine.space import SIZE, AddressSpace

np = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")

from romproof.engine.batch import run, run_many  # noqa: E402
from romproof.engine.llvm import engine as llvm_engine  # noqa: E402
from romproof.engine.llvm.nothing_lost import NothingLost  # noqa: E402
from romproof.engine.recompiled.engine import RecompiledEngine  # noqa: E402

COUNTING = bytes.fromhex("e8 9d0003 d0fa e620 65 20 4c0002")
"""loop: inx / sta $300,x / bne loop / inc $20 / adc $20 / jmp loop"""
ENDLESS = 1 << 60


class Quiet:
    """A device with nothing on the bus."""

    def read(self, address: int, cycle: int) -> int:
        return address & 0xFF

    def write(self, address: int, value: int, cycle: int) -> None:
        pass


def state(engine: Any, stop: Stop) -> tuple[Any, ...]:
    return stop, engine.cycles, engine.instructions, repr(engine.registers), bytes(engine.memory)


@pytest.mark.parametrize("device", [False, True])
@pytest.mark.parametrize("size", [1, 7, 997])
@pytest.mark.parametrize("name", ["llvm", "recompiled"])
def test_slices_of_any_size_change_nothing(
    monkeypatch: pytest.MonkeyPatch, name: str, size: int, device: bool
) -> None:
    found = []
    for slices in (size, ENDLESS):
        monkeypatch.setattr(llvm_engine, "SLICE", slices)
        space = AddressSpace()
        if device:
            space.attach(0x20, 0x20, Quiet())
        engine = engine_with(name, COUNTING, space=space)
        if isinstance(engine, RecompiledEngine):
            engine.warm_up = 3000
        stops = [engine.run((), 20_000), engine.run((0x0206,), 20_000), engine.run((), 12_345)]
        # slices are no reason to translate anew
        found.append([*(state(engine, stop) for stop in stops), getattr(engine, "translations", 0)])
    assert found[0] == found[1]


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("size", [1, 300, 5000])
def test_many_runs_go_on_where_a_slice_ended(
    monkeypatch: pytest.MonkeyPatch, size: int, shared: bool
) -> None:
    runs = 7
    memory = np.zeros((SIZE,) if shared else (runs, SIZE), np.uint8)
    memory[..., 0x200 : 0x200 + len(COUNTING)] = np.frombuffer(COUNTING, np.uint8)
    limits = np.arange(1, runs + 1, dtype=np.uint64) * 777
    found = []
    for slices in (size, ENDLESS):
        monkeypatch.setattr(run, "SLICE", slices)
        patches = {0x20: np.arange(runs, dtype=np.uint8)}
        result = run_many(
            memory.copy(), {"pc": 0x200}, (0x207,), limits,
            patches=patches, outputs=[(0x300, 256), (0x20, 1)],
        )  # fmt: skip
        outputs = [array.tobytes() for array in result.outputs.values()]
        counted = (result.cycles.tolist(), result.instructions.tolist(), result.outcomes.tolist())
        found.append((counted, result.registers.tobytes(), outputs))
    assert found[0] == found[1]


@pytest.fixture
def interrupt_soon() -> Any:
    """Something that interrupts the main thread while it is at work; once more if that is lost,
    as Python may do with it at any place that is not ours."""
    done = threading.Event()

    def interrupt() -> None:
        seconds = 0.05
        while not done.wait(seconds):
            _thread.interrupt_main()
            seconds = 5

    # in the background of a shell Ctrl-C is ignored
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=interrupt, daemon=True)
    yield thread.start
    done.set()
    thread.join()
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("device", [False, True])
@pytest.mark.parametrize("name", ["llvm", "recompiled"])
def test_an_endless_run_can_be_interrupted(
    interrupt_soon: Callable[[], None], name: str, device: bool
) -> None:
    space = AddressSpace()
    if device:
        space.attach(0x20, 0x20, Quiet())
    engine = engine_with(name, COUNTING, space=space)
    engine.run((), 1000)  # it is compiled now
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        engine.run((), ENDLESS)


@pytest.mark.parametrize("workers", [1, 2])
def test_many_endless_runs_can_be_interrupted(
    interrupt_soon: Callable[[], None], workers: int
) -> None:
    memory = np.zeros((20, SIZE), np.uint8)
    memory[:, 0x200 : 0x200 + len(COUNTING)] = np.frombuffer(COUNTING, np.uint8)
    run_many(memory, {"pc": 0x200}, (), 1000, workers=workers)
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        run_many(memory, {"pc": 0x200}, (), ENDLESS, workers=workers)


def test_an_interrupt_that_nobody_else_got_ends_the_run() -> None:
    class Raises:
        def __del__(self) -> None:
            raise KeyboardInterrupt

    class Asked(Quiet):
        def write(self, address: int, value: int, cycle: int) -> None:
            Raises()

    space = AddressSpace()
    space.attach(0x20, 0x20, Asked())
    engine = engine_with("llvm", COUNTING, space=space)
    with pytest.raises(KeyboardInterrupt):
        engine.run((), ENDLESS)


def test_a_signal_is_not_lost_where_a_callback_begins() -> None:
    kept: list[BaseException] = []

    def raises() -> int:
        raise TimeoutError("as a handler of signals does, before any 'try'")

    callback = ctypes.CFUNCTYPE(ctypes.c_int)(raises)
    before = sys.unraisablehook
    with NothingLost(kept.append, frozenset({raises.__code__})):
        callback()
    assert [type(error) for error in kept] == [TimeoutError]
    assert sys.unraisablehook is before


def test_a_signal_while_a_device_is_asked_ends_the_run() -> None:
    class Asked(Quiet):
        def read(self, address: int, cycle: int) -> int:
            signal.raise_signal(signal.SIGALRM)
            return 0

    def late(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    space = AddressSpace()
    space.attach(0x20, 0x20, Asked())
    engine = engine_with("llvm", COUNTING, space=space)
    before = signal.signal(signal.SIGALRM, late)
    try:
        with pytest.raises(TimeoutError):
            engine.run((), ENDLESS)
    finally:
        signal.signal(signal.SIGALRM, before)
