"""Many runs at once come to what one engine comes to, run by run."""

from __future__ import annotations

import importlib
import sys
from random import Random
from typing import Any

import pytest
from every_engine import engine_with
from lockstep import START

from romproof.engine.inputs import BadEngineInput
from romproof.engine.protocol import EngineFault, FaultKind, Guard, Stop
from romproof.engine.space import SIZE, AddressSpace
from romproof.isa.load import load
from romproof.isa.model import OpcodeVariant
from romproof.support import extras
from romproof.text.errors import MissingExtra

np = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")

from romproof.engine.batch import BatchResult, RunOutcome, run_many  # noqa: E402
from romproof.engine.batch.run import CompiledFunction, make_interpreter  # noqa: E402

RUNS = 60
ENDS = (0x0400, 0x1234)

_OUTCOMES = {
    Stop.REACHED: RunOutcome.REACHED,
    Stop.LIMIT: RunOutcome.LIMIT,
    Stop.STOPPED: RunOutcome.STOPPED,
    FaultKind.JAM: RunOutcome.JAM,
    FaultKind.BRK: RunOutcome.BRK,
    FaultKind.ROM_WRITE: RunOutcome.ROM_WRITE,
    FaultKind.STACK_OVERFLOW: RunOutcome.STACK_OVERFLOW,
    FaultKind.STACK_UNDERFLOW: RunOutcome.STACK_UNDERFLOW,
    FaultKind.OUTSIDE: RunOutcome.OUTSIDE,
}


def memory_with(code: str, at: int = START) -> bytes:
    """64 KiB of zeros with some code."""
    data = bytes.fromhex(code)
    return bytes(at) + data + bytes(SIZE - at - len(data))


def same_as_an_engine(
    result: BatchResult, run: int, cpu: str, memory: bytes, start: dict[str, Any],
    limit: int, guard: Guard | None,
) -> bytes:  # fmt: skip
    """Hold one run against an engine; the memory the engine leaves."""
    engine = engine_with("llvm", cpu=cpu, **start)
    engine.memory[:] = memory
    engine.guard = guard
    engine.lowest_s = getattr(engine.registers, engine.cpu.stack)
    fault, how = None, None
    try:
        how = engine.run(ENDS, limit)
    except EngineFault as raised:
        fault, how = raised, raised.kind
    assert RunOutcome(result.outcomes[run]) is _OUTCOMES[how]
    found = result.fault(run)
    assert (fault is None) == (found is None)
    if fault is not None and found is not None:
        assert str(found) == str(fault)
        assert (found.kind, found.address, found.opcode) == (
            fault.kind, fault.address, fault.opcode,
        )  # fmt: skip
    row = result.registers[run]
    assert {n: int(row[n]) for n in row.dtype.names} == {
        n: getattr(engine.registers, n) for n in row.dtype.names
    }
    assert result.cycles[run] == engine.cycles
    assert result.instructions[run] == engine.instructions
    assert guard is None or result.lowest_stack[run] == engine.lowest_s
    return bytes(engine.memory)


# ---------------------------------------------------------------- the same as one by one


@pytest.mark.quick_cases("False-mos6502")
@pytest.mark.parametrize("cpu", ["mos6502", "sm83"])
@pytest.mark.parametrize("guarded", [False, True])
def test_whole_memories_of_random_bytes(cpu: str, guarded: bool) -> None:
    random = Random(guarded)
    fitting = (OpcodeVariant.DOCUMENTED, OpcodeVariant.UNDOCUMENTED, OpcodeVariant.PREFIX)
    opcodes = [o.byte for o in load(cpu)[:256] if o.variant in fitting]
    stops = [o.byte for o in load(cpu)[:256] if o.variant not in fitting]
    choice = opcodes * 8 + stops
    memories = np.array(random.choices(choice, k=RUNS * SIZE), np.uint8).reshape(RUNS, SIZE)
    before = memories.copy()
    stack = "sp" if cpu == "sm83" else "s"
    start = {
        "pc": np.array([random.randrange(SIZE) for _ in range(RUNS)]),
        "a": np.array(random.choices(range(256), k=RUNS), np.uint8),
        stack: 0x80F0 if cpu == "sm83" else 0xF0,
    }
    limits = np.array([random.choice((1, 100, 2000)) for _ in range(RUNS)])
    guard = None
    if guarded:
        guard = Guard(
            executable=b"\1" * 0xE000 + bytes(0x2000),
            protected=bytes(0xA000) + b"\1" * 0x6000,
            stack_top=0x80F0 if cpu == "sm83" else 0xF0,
        )
    result = run_many(memories, start, ENDS, limits, cpu=cpu, guard=guard)
    assert len(result) == RUNS
    for run in range(RUNS):
        one = {n: int(v[run]) if isinstance(v, np.ndarray) else v for n, v in start.items()}
        after = same_as_an_engine(
            result, run, cpu, before[run].tobytes(), one, int(limits[run]), guard
        )
        if result.outcomes[run] != RunOutcome.STACK_OVERFLOW:  # what it pushed is left open
            assert memories[run].tobytes() == after
    wanted = 6 if guarded else 2
    assert len(set(result.outcomes.tolist())) >= wanted, "the cases are too much alike"


def test_one_memory_with_patches_and_outputs() -> None:
    # adds $10..$11 and $12..$13 into $2FFE..$2FFF; changes its own code; calls itself once
    code = "18 a510 6512 8dfe2f a511 6513 8dff2f ee0102 c680 f003 4c0002 60"
    memory = bytearray(memory_with(code))
    memory[0x1FE:0x200] = (ENDS[0] - 1).to_bytes(2, "little")
    random = np.random.default_rng(1)
    operands = random.integers(0, 256, (300, 4), np.uint8)
    loops = random.integers(1, 4, 300, np.uint8)
    result = run_many(
        bytes(memory),
        {"pc": START, "s": 0xFD},
        ENDS,
        500,
        patches={0x10: operands, (0x80, 1): loops},
        outputs=[(0x2FFE, 2), (0x201, 1), (0x10, 4)],
        workers=2,
    )
    assert (result.outcomes == RunOutcome.REACHED).all()
    assert (result.outputs[0x10, 4] == operands).all()
    assert (result.outputs[0x201, 1][:, 0] == 0xA5 + loops).all(), "each run finds the code anew"
    sums = operands[:, :2].copy().view("<u2") + operands[:, 2:].copy().view("<u2")
    once = loops == 1
    assert (result.outputs[0x2FFE, 2].view("<u2")[once] == sums[once]).all()
    for run in range(0, 300, 37):
        given = bytearray(memory)
        given[0x10:0x14], given[0x80] = operands[run].tobytes(), loops[run]
        after = same_as_an_engine(
            result, run, "mos6502", bytes(given), {"pc": START, "s": 0xFD}, 500, None
        )
        assert after[0x2FFE:0x3000] == result.outputs[0x2FFE, 2][run].tobytes()


def test_the_order_and_the_workers_make_no_difference() -> None:
    memory = memory_with("ca d0fd e650 4c0004")  # dex; bne; inc $50; jmp $0400
    start: dict[str, Any] = {"pc": START, "x": np.arange(5000, dtype=np.uint16) % 256}
    alone, together = (
        run_many(memory, start, ENDS, 10_000, outputs=[(0x50, 1)], workers=n) for n in (1, 3)
    )
    for name in ("registers", "cycles", "instructions", "outcomes", "lowest_stack"):
        assert (getattr(alone, name) == getattr(together, name)).all()
    assert (alone.outputs[0x50, 1] == 1).all(), "a run sees nothing of the one before"
    passes = (start["x"].astype(int) - 1) % 256 + 1
    assert (alone.cycles == passes * 5 - 1 + 5 + 3).all()


def test_a_run_without_end_disturbs_no_other() -> None:
    memory = memory_with("d0fe 4c0004")  # bne to itself unless Z; jmp $0400
    flags = np.array([0, 2, 0, 2, 2], np.uint8)
    result = run_many(memory, {"pc": START, "p": flags}, ENDS, np.full(5, 1000))
    ended = result.outcomes == RunOutcome.REACHED
    assert ended.tolist() == [False, True, False, True, True]
    assert result.cycles.tolist() == [1002, 5, 1002, 5, 5]
    assert [result.fault(run) for run in range(5)] == [None] * 5


def test_a_structured_array_of_registers() -> None:
    first = run_many(memory_with("e8 e8 e8"), {"pc": np.full(3, START)}, (START + 1,), 100)
    again = run_many(memory_with("e8 e8 e8"), first.registers, (START + 3,), 100)
    assert again.registers["x"].tolist() == [3, 3, 3]
    assert again.registers["p"].tolist() == [0x24] * 3
    assert again.registers.dtype["pc"] == np.uint16
    assert again.registers.dtype["p"] == np.uint8


def test_the_stop_of_the_sm83() -> None:
    result = run_many(
        memory_with("3c 10"), {"pc": np.array([START])}, (), 100, cpu="sm83", workers=1
    )  # inc a; stop
    assert RunOutcome(result.outcomes[0]) is RunOutcome.STOPPED
    assert result.registers["a"].tolist() == [1]


def test_no_runs_at_all() -> None:
    result = run_many(bytes(SIZE), {"pc": np.zeros(0, np.uint16)}, (1,), 10, outputs=[(0, 2)])
    assert len(result) == 0
    assert result.outputs[0, 2].shape == (0, 2)


def test_other_compiled_code_can_be_used() -> None:
    asked = []

    def make(weave: Any) -> CompiledFunction:
        asked.append(weave)
        found = make_interpreter(weave)
        return CompiledFunction("mine", found.address, lambda state: asked.append(state.fetch_mask))

    result = run_many(memory_with("02"), {"pc": np.array([START])}, (), 10, code=make)
    assert asked[0].dirty
    assert len(asked) == 2
    fault = result.fault(0)
    assert fault is not None
    assert (fault.engine, fault.address, fault.kind) == ("mine", START, FaultKind.JAM)


# ---------------------------------------------------------------- what cannot be meant


def _space(change: Any) -> AddressSpace:
    space = AddressSpace()
    change(space)
    return space


_PC = {"pc": np.zeros(4, np.uint16)}
_GOOD: dict[str, Any] = {"memory": bytes(SIZE), "registers": _PC, "until": (5,), "limit": 10}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"memory": bytes(100)}, r"memory has the shape \(100,\); it must be \(65536,\)"),
        ({"memory": np.zeros((4, 100), np.uint8)}, r"memory has the shape \(4, 100\)"),
        ({"memory": np.zeros((4, SIZE), int)}, r"must be bytes or an array of uint8, not an arr"),
        ({"memory": 5}, "memory must be bytes or an array of uint8, not int"),
        ({"memory": np.zeros((3, SIZE), np.uint8)}, r"\['pc'\] has rows for 4 runs, memory for 3"),
        ({"memory": np.zeros((8, SIZE), np.uint8)[::2]}, "must be contiguous and writeable"),
        ({"memory": AddressSpace(bytearray(2 * SIZE))}, "need flat memory; this address space has"),
        (
            {"memory": _space(lambda s: s.attach(0, 9, object()))},
            "do not support devices, interrupts or",
        ),
        (
            {"memory": _space(lambda s: s.use_signals())},
            "do not support devices, interrupts or instr",
        ),
        ({"registers": {"a": np.zeros(4, int)}}, "'pc' is missing"),
        ({"registers": {**_PC, "pv": 1}}, "no register 'pv'; did you mean 'p"),
        ({"registers": {**_PC, "a": 256}}, r"registers\['a'\] is 256; it must be 0..255"),
        ({"registers": {**_PC, "a": np.array([1, 2, -3, 4])}}, r"\['a'\] is -3 in run 2; it must"),
        ({"registers": {**_PC, "a": np.zeros(4)}}, r"\['a'\] must be an integer or an array of"),
        ({"registers": {**_PC, "a": np.zeros((4, 1), int)}}, r"\['a'\] has the shape \(4, 1\)"),
        ({"registers": np.zeros(4, int)}, "registers must be a mapping .* or a structured array"),
        ({"registers": {"pc": 5}}, "the number of runs is not known"),
        ({"limit": 0}, "limit is 0; it must be 1"),
        ({"limit": np.array([1, 2])}, "limit has rows for 2 runs"),
        ({"until": (SIZE,)}, "until=65536, which is not an address"),
        ({"patches": {5: np.zeros((4, 2), int)}}, r"patches\[\$0005\] must be an array .* uint8"),
        ({"patches": {(5, 3): np.zeros((4, 2), np.uint8)}}, "rows of 2 bytes, its size is 3"),
        ({"patches": {5: np.zeros((3, 2), np.uint8)}}, r"\[\$0005\] has rows for 3 runs"),
        ({"patches": {0xFFFF: np.zeros((4, 2), np.uint8)}}, r"2 bytes there are not all within"),
        ({"outputs": [(0xFFFF, 2)]}, r"outputs: \$FFFF: 2 bytes there are not all within \$0000"),
        ({"outputs": [(5, 0)]}, "0 bytes there are not all"),
        ({"workers": 0}, "workers=0: at least one is needed"),
    ],
)
def test_arguments_that_do_not_fit(wrong: dict[str, Any], message: str) -> None:
    arguments = _GOOD | wrong
    with pytest.raises(BadEngineInput, match=message) as caught:
        run_many(**arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("package", ["numpy", "llvmlite"])
def test_a_missing_package_is_named(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    find = extras.find_spec
    hidden = lambda name, *more: None if name == package else find(name, *more)  # noqa: E731
    monkeypatch.setattr(extras, "find_spec", hidden)
    monkeypatch.delitem(sys.modules, "romproof.engine.batch")
    with pytest.raises(MissingExtra, match=rf'{package}: pip install "romproof\[fast\]"'):
        importlib.import_module("romproof.engine.batch")
