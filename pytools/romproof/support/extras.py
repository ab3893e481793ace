"""Packages that only some of the toolkit needs, each brought by an extra of a distribution."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec

from romproof.text.errors import MissingExtra


def absent(packages: Iterable[str]) -> str | None:
    """The first of ``packages``, by the names they are imported by, that is not installed."""
    return next((package for package in packages if find_spec(package) is None), None)


def need_for_proofs() -> None:
    """Raise MissingExtra if a proof cannot be had: for those who have not imported the prover."""
    need("a proof needs {}", "romproof[prove]", "z3", "numpy")


def need_for_samples() -> None:
    """Raise MissingExtra if a routine and its model cannot be tried with random inputs."""
    need("romproof.equivalent needs {}", "romproof[equivalent]", "hypothesis", "numpy")


def need(what: str, extra: str, *packages: str) -> None:
    """Raise MissingExtra if one of ``packages`` is not installed; nothing is imported.

    ``what`` says what needs it, with ``{}`` for its name; ``extra`` is what pip is to install,
    such as ``romproof[prove]``. Called before the modules are imported that need the packages.
    """
    missing = absent(packages)
    if missing is not None:
        raise MissingExtra(f'{what.format(missing)}: pip install "{extra}"')
