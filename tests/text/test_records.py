"""The cheap dataclasses do what those of the standard library do."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from romproof.text import records

Decorator = Callable[..., Any]
KINDS = [
    {"frozen": True, "slots": True},
    {"frozen": True},
    {"slots": True},
    {},
    {"eq": False},
    {"frozen": True, "eq": False},
]


def _made(module: Any, arguments: dict[str, bool]) -> Any:
    @module.dataclass(**arguments)
    class Thing:
        """A thing."""

        name: str
        size: int = 3
        parts: list[int] = module.field(default_factory=list)
        hidden: str = module.field(default="x", repr=False)
        note: str = module.field(default="", compare=False)

        def double(self) -> int:
            return 2 * self.size

    return Thing


@pytest.fixture(params=KINDS, ids=str)
def both(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    return _made(records, request.param), _made(dataclasses, request.param)


@pytest.fixture(params=[0, 12], ids="after {} others".format)
def others(request: pytest.FixtureRequest, both: tuple[Any, Any]) -> int:
    """How many instances there are before: the first ones are made in another way."""
    number: int = request.param
    for thing in both:
        for count in range(number):
            assert thing("z", count).size == count
    return number


def _outcome(call: Callable[[], object]) -> object:
    try:
        return call()
    except Exception as fault:
        return type(fault)


@pytest.mark.parametrize(
    "use",
    [
        lambda thing: repr(thing("a", parts=[1])).rpartition(".")[2],
        lambda thing: thing("a") == thing("a"),
        lambda thing: thing("a", note="n") == thing("a", note="m"),
        lambda thing: thing("a", hidden="n") == thing("a", hidden="m"),
        lambda thing: thing("a") == thing("b"),
        lambda thing: thing("a") == "a",
        lambda thing: thing("a").parts is thing("a").parts,
        lambda thing: thing(),
        lambda thing: thing("a", 1, [], "h", "n", 5),
        lambda thing: thing("a", other=1),
        lambda thing: thing(name="a", size=4).double(),
        lambda thing: thing.__eq__ is object.__eq__ or hash(thing("a")) == hash(thing("a")),
        lambda thing: hash(thing("a", parts=())) and True,
        lambda thing: setattr(thing("a"), "size", 1),
        lambda thing: bool(_outcome(lambda: setattr(thing("a"), "unknown", 1))),
        lambda thing: delattr(thing("a"), "size"),
        lambda thing: hasattr(thing("a"), "__dict__"),
        lambda thing: thing.__match_args__,
        lambda thing: thing.__doc__,
        lambda thing: [(f.name, f.type, f.repr) for f in dataclasses.fields(thing)],
        lambda thing: dataclasses.is_dataclass(thing),
        lambda thing: dataclasses.asdict(thing("a", parts=[1])),
        lambda thing: dataclasses.replace(thing("a"), size=9).size,
        lambda thing: records.replace(thing("a"), size=9, name="b").name,
        lambda thing: records.replace(thing("a"), unknown=9),
        lambda thing: copy.copy(thing("a", 7)).size,
        lambda thing: copy.deepcopy(thing("a", parts=[[1]])).parts,
    ],
)
def test_all_uses_come_to_the_same(
    both: tuple[Any, Any], others: int, use: Callable[[Any], object]
) -> None:
    ours, original = both
    assert _outcome(lambda: use(ours)) == _outcome(lambda: use(original))


@records.dataclass(frozen=True, slots=True)
class Base:
    """Something that others extend."""

    first: int
    again: Base | None = None


@records.dataclass(frozen=True, slots=True)
class Extended(Base):
    """One more field."""

    last: int = 5


def test_fields_are_inherited_matched_and_pickled() -> None:
    thing = Extended(1, None, 2)
    match thing:
        case Extended(first, _, last):
            assert (first, last) == (1, 2)
    assert pickle.loads(pickle.dumps(thing)) == thing
    assert thing != Base(1)
    assert repr(Base(1, Base(2))) == "Base(first=1, again=Base(first=2, again=None))"


@records.dataclass
class Ring:
    """Something that may contain itself."""

    inner: object = None


def test_what_contains_itself_can_be_shown() -> None:
    ring = Ring()
    ring.inner = ring
    assert repr(ring) == "Ring(inner=...)"


def test_post_init_is_called() -> None:
    @records.dataclass
    class Checked:
        value: int

        def __post_init__(self) -> None:
            if self.value < 0:
                raise ValueError(self.value)

    assert Checked(1).value == 1
    with pytest.raises(ValueError, match="-1"):
        Checked(-1)


def test_the_tools_start_without_what_is_slow_to_import() -> None:
    """What each of their starts would pay for."""
    slow = {
        "click",
        "dataclasses",
        "inspect",
        "typing",
        "tempfile",
        "hashlib",
        "zipfile",
        "rich",
        "signal",
    }
    for tool in ("ca65", "ld65"):
        script = f"import sys, romproof.cli.originals.start, romproof.cli.originals.{tool}; "
        asked = [sys.executable, "-S", "-c", f"{script}print(*sys.modules)"]
        import romproof

        folder = str(romproof.__path__[0]).removesuffix("romproof")
        done = subprocess.run(
            asked, capture_output=True, text=True, check=True, env={"PYTHONPATH": folder}
        )
        assert not slow & set(done.stdout.split()), tool


def test_the_linker_starts_without_the_assembler() -> None:
    import romproof

    folder = str(romproof.__path__[0]).removesuffix("romproof")
    script = "import sys, romproof.cli.originals.ld65; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": folder},
    )
    assert "romproof.toolchains.ca65.asm.assembler" not in done.stdout.split()


def test_what_the_standard_library_asks_for_is_made_once() -> None:
    thing = _made(records, {"frozen": True, "slots": True})
    assert thing.__dataclass_fields__ is thing.__dataclass_fields__
    first, second = (dataclasses.fields(thing("a")) for _ in range(2))
    assert all(one is other for one, other in zip(first, second, strict=True))
