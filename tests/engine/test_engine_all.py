"""What every engine must do with bad input, devices, missing packages and its cache."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from every_engine import HERE, engine_with, engines_with
from slow import slow_but

from romproof.engine.engines import Ability, make_engine
from romproof.engine.inputs import BadEngineInput, Unsupported
from romproof.engine.protocol import Engine, Guard, Stop
from romproof.engine.space import NEVER, AddressSpace

PYTOOLS = Path(__file__).parents[2] / "pytools"
NOPS = b"\xea" * 16


@pytest.fixture(params=HERE)
def engine(request: pytest.FixtureRequest) -> Engine:
    """Each engine, with some ``nop`` at $0200."""
    made: Engine = engine_with(request.param, NOPS)
    return made


# ---------------------------------------------------------------- what cannot be meant


@pytest.mark.parametrize(
    ("until", "limit", "text"),
    [
        ((), 0, "limit=0: a run needs at least one cycle"),
        ((), -5, "limit=-5: a run needs at least one cycle"),
        ((0x10000,), 9, "until=65536, which is not an address of 16 bits"),
        ((0x0300, -1), 9, "until=-1, which is not an address of 16 bits"),
    ],
)
def test_runs_without_sense_are_refused(
    engine: Engine, until: tuple[int, ...], limit: int, text: str
) -> None:
    with pytest.raises(BadEngineInput) as caught:
        engine.run(until, limit)
    assert str(caught.value) == text
    assert engine.instructions == 0


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("a", 256, "register A is 256, which does not fit 8 bits"),
        ("y", -1, "register Y is -1, which does not fit 8 bits"),
        ("pc", 0x10000, "register PC is 65536, which does not fit 16 bits"),
        ("interrupt", 2, "register INTERRUPT is 2, which does not fit 1 bit"),
    ],
)
def test_registers_that_hold_too_much_are_refused(
    engine: Engine, name: str, value: int, text: str
) -> None:
    setattr(engine.registers, name, value)
    with pytest.raises(BadEngineInput) as caught:
        engine.step()
    assert str(caught.value) == text


@pytest.mark.parametrize("name", engines_with(cpu="sm83"))
def test_registers_of_the_sm83_are_checked_too(name: str) -> None:
    engine = engine_with(name, cpu="sm83", sp=0x12345)
    with pytest.raises(BadEngineInput, match="register SP is 74565, which does not fit 16 bits"):
        engine.step()


@pytest.mark.parametrize("name", HERE)
@pytest.mark.parametrize(("size", "word"), [(0x8000, "shorter"), (0x10001, "longer")])
def test_memory_of_a_wrong_size_is_refused(name: str, size: int, word: str) -> None:
    space = AddressSpace()
    space.store = bytearray(size)
    with pytest.raises(BadEngineInput, match=rf"memory has {size:,} bytes.*by a {word} object$"):
        make_engine(name, space=space).step()


@pytest.mark.parametrize("name", HERE)
def test_pages_outside_of_the_memory_are_refused(name: str) -> None:
    space = AddressSpace(bytearray(0x12000))
    engine = make_engine(name, space=space)
    space.write_pages[0x80] = 0x11F00
    engine.step()
    space.write_pages[0x80] = 0x12000
    with pytest.raises(BadEngineInput, match=r"memory has 73,728 bytes.* up to byte 73,984"):
        engine.step()


def test_maps_of_a_guard_need_a_byte_for_each_address() -> None:
    with pytest.raises(
        BadEngineInput, match=r"^'executable' has 256 bytes; it needs one for each of"
    ):
        Guard(executable=bytes(256))
    with pytest.raises(BadEngineInput, match=r"^'protected' has 65,537 bytes; "):
        Guard(protected=bytes(0x10001))
    with pytest.raises(BadEngineInput, match=r"^stack_top=-1 is not a value of a stack pointer$"):
        Guard(stack_top=-1)


def test_a_limit_may_be_larger_than_any_counter(engine: Engine) -> None:
    assert engine.run((0x0205,), 1 << 70) is Stop.REACHED
    assert engine.run((0x0208,), NEVER) is Stop.REACHED
    assert engine.cycles == 16


# ---------------------------------------------------------------- devices


class Port:
    """A device that counts its reads and keeps what is written."""

    def __init__(self) -> None:
        self.reads = 0
        self.written: list[tuple[int, int]] = []

    def read(self, address: int, cycle: int) -> int:
        self.reads += 1
        return self.reads

    def write(self, address: int, value: int, cycle: int) -> None:
        self.written.append((address, value))


@pytest.mark.parametrize("name", engines_with(Ability.DEVICES))
def test_devices_work_on_every_engine(name: str) -> None:
    space, port = AddressSpace(), Port()
    space.attach(0xD000, 0xD00F, port)
    # lda $d000; adc $d001; sta $d002; lda #9; sta $00
    code = bytes.fromhex("ad00d0 6d01d0 8d02d0 a909 8500")
    engine = engine_with(name, code, space=space, p=0x20)
    assert engine.run((0x020D,), 100) is Stop.REACHED
    assert (port.reads, port.written) == (2, [(0xD002, 3)])
    assert engine.memory[0x00] == 9
    assert engine.memory[0xD002] == 0
    assert engine.cycles == 4 + 4 + 4 + 2 + 3


@pytest.mark.parametrize("name", engines_with(Ability.DEVICES))
def test_banks_work_on_every_engine(name: str) -> None:
    space = AddressSpace(bytearray(0x10000) + b"\x77" * 0x100)
    space.read_pages[0x40] = 0x10000
    engine = engine_with(name, bytes.fromhex("ad0040 8d0041 8d0040"), space=space)
    assert engine.run((0x0209,), 100) is Stop.REACHED
    assert engine.registers.a == 0x77
    assert (space.peek(0x4100), space.peek(0x4000), space.store[0x4000]) == (0x77, 0x77, 0x77)


def test_py65_makes_no_dummy_accesses_and_stamps_the_whole_instruction() -> None:
    space = AddressSpace()
    stamps: list[tuple[str, int, int]] = []

    class Stamped:
        def read(self, address: int, cycle: int) -> int:
            stamps.append(("read", address, cycle))
            return 0x10

        def write(self, address: int, value: int, cycle: int) -> None:
            stamps.append(("write", value, cycle))

    space.attach(0xD000, 0xD0FF, Stamped())
    engine = engine_with("py65", bytes.fromhex("ea eed0d0"), space=space)  # nop; inc $d0d0
    engine.run((0x0204,), 100)
    assert stamps == [("read", 0xD0D0, 2), ("write", 0x11, 2)]


@pytest.mark.parametrize("wish", ["lines", "clock", "register"])
def test_py65_refuses_interrupts(wish: str) -> None:
    class Never:
        def due(self) -> int:
            return NEVER

        def advance(self, cycle: int) -> None:
            raise AssertionError

    space = AddressSpace()
    engine = engine_with("py65", NOPS, space=space)
    if wish == "lines":
        space.use_signals()
    elif wish == "clock":
        space.attach_clock(Never())
    else:
        engine.registers.interrupt = 1
    with pytest.raises(Unsupported) as caught:
        engine.step()
    assert str(caught.value) == (
        "the engine 'py65' supports neither interrupts nor devices that act on their own; the "
        "engines 'llvm' and 'plain' do"
    )


# ---------------------------------------------------------------- packages and the cache

COUNT = """
import sys
from romproof.engine.engines import make_engine
engine = make_engine(sys.argv[1])
engine.memory[0x200:0x206] = bytes.fromhex("a205 ca d0fd 60")
engine.registers.pc = 0x200
engine.run((0x205,), 1000)
print(engine.name, engine.cycles)
"""
QUICKLY = "from romproof.engine.llvm import compile; compile.optimised = False\n"
HIDDEN = "import sys; sys.modules['llvmlite'] = sys.modules['numpy'] = None\n"

Process = subprocess.Popen[str]


def _start(program: str, *arguments: str, cache: object = None) -> Process:
    environment = {**os.environ, "PYTHONPATH": str(PYTOOLS)}
    if cache is not None:
        environment["ROMPROOF_CACHE"] = str(cache)
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def _told(process: Process) -> str:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out.strip()


def test_without_llvmlite_the_other_engines_work() -> None:
    assert _told(_start(HIDDEN + COUNT, "auto")) == "plain 26"
    assert _told(_start(HIDDEN + COUNT, "py65")) == "py65 26"


def test_without_llvmlite_the_compiled_engines_say_what_to_install() -> None:
    process = _start(HIDDEN + COUNT, "llvm")
    _, err = process.communicate(timeout=120)
    assert err.splitlines()[-1] == (
        "romproof.text.errors.MissingExtra: the engine 'llvm' cannot be used: "
        'the package llvmlite is not installed; pip install "romproof[fast]"'
    )


needs_llvm = pytest.mark.skipif("llvm" not in HERE, reason="llvmlite is not installed")


@pytest.mark.slow
@needs_llvm
def test_two_processes_may_fill_one_cache(tmp_path: Path) -> None:
    cache = tmp_path / "not" / "there"
    both = [_start(QUICKLY + COUNT, "llvm", cache=cache) for _ in range(2)]
    assert [_told(process) for process in both] == ["llvm 26"] * 2
    (file,) = cache.iterdir()
    before = file.stat().st_ino  # what is written anew is another file, renamed
    assert _told(_start(QUICKLY + COUNT, "llvm", cache=cache)) == "llvm 26"
    assert file.stat().st_ino == before, "the third one found it"


def _damage(change: Callable[[bytes], bytes], file: Path) -> None:
    file.write_bytes(change(file.read_bytes()))


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with one file."""
    cache = tmp_path_factory.mktemp("filled")
    assert _told(_start(QUICKLY + COUNT, "llvm", cache=cache)) == "llvm 26"
    return cache


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda raw: b"",
    "short": lambda raw: raw[:40],
    "truncated": lambda raw: raw[:-1],
    "overwritten": lambda raw: raw[:-9] + bytes(9),
}


@pytest.mark.slow_cases("overwritten")
@needs_llvm
# each is a process; what is no whole file of ours tests/support/test_cache.py has in all forms
@pytest.mark.parametrize("damage", slow_but(["overwritten"], DAMAGES))
def test_a_damaged_file_of_the_cache_is_ignored_and_replaced(
    filled: Path, tmp_path: Path, damage: str
) -> None:
    shutil.copytree(filled, tmp_path, dirs_exist_ok=True)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    _damage(DAMAGES[damage], file)
    assert file.read_bytes() != whole
    assert _told(_start(QUICKLY + COUNT, "llvm", cache=tmp_path)) == "llvm 26"
    assert len(file.read_bytes()) == len(whole)


@needs_llvm
@pytest.mark.parametrize("cache", slow_but(["file/cache"], ["file/cache", "/proc/nowhere", ""]))
def test_a_folder_that_cannot_be_written_is_no_fault(tmp_path: Path, cache: str) -> None:
    (tmp_path / "file").write_text("in the way")
    place = tmp_path / cache if cache else ""
    assert _told(_start(QUICKLY + COUNT, "llvm", cache=place)) == "llvm 26"


def test_each_engine_counts_the_same(tmp_path: Path) -> None:
    found: dict[str, Any] = {name: _told(_start(COUNT, name)) for name in HERE}
    assert found == {name: f"{name} 26" for name in HERE}
