"""From a program that was built, or loaded from its image, to its routines."""

from __future__ import annotations

from collections.abc import Mapping

from romproof.engine.engines import DEFAULT_ENGINE
from romproof.harness.rom import Rom
from romproof.machine.boards import FLAT
from romproof.projects import Built


def rom_of(
    built: Built,
    engine: str = DEFAULT_ENGINE,
    *,
    uninitialised: bool | None = None,
    checks: Mapping[str, str] | None = None,
) -> Rom:
    """The program on the machine that its manifest, or its image, names; else in flat memory.

    ``checks`` are levels that go before those of the manifest. Raises what Rom raises.
    """
    return Rom(
        built.image,
        engine,
        banks=built.manifest.banks,
        uninitialised=uninitialised,
        checks={**dict(built.manifest.checks), **(checks or {})},
        machine=built.manifest.machine or FLAT,
        model=built.manifest.model or None,
    )
