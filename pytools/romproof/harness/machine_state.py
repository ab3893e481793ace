"""What ``Machine.save`` gives: a state of a machine, in memory or as bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from romproof.engine.space import SIZE
from romproof.harness.checks.program_stack import Setter
from romproof.machine.board import Board
from romproof.machine.statefile import pack, unpack
from romproof.machine.statevalues import BadState, StateReader, StateWriter
from romproof.support.version import read_version


@dataclass(frozen=True, slots=True)
class RunState:
    """What a machine knows of the program that runs, besides the board's state: see Runner."""

    unknown: frozenset[int]
    called: bool
    started: bool
    setter: Setter


@dataclass(frozen=True, slots=True)
class MachineState:
    """A state of a machine, for ``Machine.restore`` of any machine with the same program.

    ``machine`` is the kind of machine, ``rom`` the SHA-256 of its program in hexadecimal.
    ``to_bytes`` and ``from_bytes`` make a file of it and back; the layout is in
    docs/reference/states.md. What a test added to the machine, devices and stubs, is not part of
    it.
    """

    machine: str
    rom: str
    _board: Any = field(repr=False)
    _run: RunState | None = field(repr=False)
    _program: bytes = field(default=b"", repr=False)
    _content: Mapping[str, Any] | None = field(default=None, repr=False)
    """What was read, until a machine says what it can be; then ``_run`` is None."""

    def to_bytes(self) -> bytes:
        """The state as bytes that ``from_bytes`` and ``Machine.restore`` read."""
        if self._content is not None:
            return pack(self._content)
        run = self._run
        assert run is not None, "only a state that was read has none"
        return pack(
            {
                "machine": self.machine,
                "rom": self.rom,
                "romproof": read_version(),
                "board": StateWriter(self._program).write(self._board),
                "run": {
                    "unknown": _ranges(run.unknown),
                    "called": run.called,
                    "started": run.started,
                    "setter": run.setter.value,
                },
            }
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> MachineState:
        """Read what ``to_bytes`` gave. Raises BadState for what is damaged, no state, or of another
        version."""
        content = unpack(bytes(data))
        return cls(content["machine"], content["rom"], None, None, b"", content)

    @property
    def is_from_file(self) -> bool:
        """Whether the state was read."""
        return self._content is not None

    def on(self, board: Board, rom: str) -> tuple[Any, RunState]:
        """The state for a machine with the program ``rom``: that of its board, and of its run.

        Raises BadState for a state of another machine or program.
        """
        if self.machine != board.name:
            raise BadState(
                f"the state is of the machine '{self.machine}', and the program runs on "
                f"'{board.name}': give the state of this program"
            )
        if self.rom != rom:
            raise BadState(
                f"the state is of another program (SHA-256 {self.rom[:12]}…, this one has "
                f"{rom[:12]}…): save one with this program, or run the one it was saved with"
            )
        if self._content is None:
            assert self._run is not None, "only a state that was read has none"
            return self._board, self._run
        reader = StateReader(board.program, len(board.space.store))
        saved = reader.read(self._content.get("board"), board.save())
        return saved, _read_run(self._content.get("run"))


def _ranges(addresses: Iterable[int]) -> list[list[int]]:
    """Addresses as ranges: the first, and the one after the last."""
    found: list[list[int]] = []
    for address in sorted(addresses):
        if found and found[-1][1] == address:
            found[-1][1] += 1
        else:
            found.append([address, address + 1])
    return found


def _read_run(given: Any) -> RunState:
    """See RunState; ``given`` is as to_bytes() wrote it."""
    try:
        unknown = frozenset(
            address for first, end in given["unknown"] for address in range(first, min(end, SIZE))
        )
        called, started = given["called"], given["started"]
        setter = Setter(given["setter"])
    except (KeyError, TypeError, ValueError):
        called = None
    if type(called) is not bool or type(started) is not bool:
        raise BadState(
            "the state does not say how its program ran; it was saved by another version of "
            "romproof: save it again"
        )
    return RunState(unknown, called, started, setter)
