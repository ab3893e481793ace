"""romproof: 8-bit code assembled, run, timed and checked from Python.

In tests, ``romproof.equivalent`` says that a routine is a Python model, and in models
``romproof.choose`` and ``romproof.word`` do what a proof can follow well; see the README.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from romproof.pytest_plugin.equivalent import equivalent as equivalent
    from romproof.symbolic.numbers.choices import choose as choose
    from romproof.symbolic.numbers.choices import word as word

__version__: str

_HOMES = {
    "choose": "romproof.symbolic.numbers.choices",
    "equivalent": "romproof.pytest_plugin.equivalent",
    "word": "romproof.symbolic.numbers.choices",
}


def __getattr__(name: str) -> Any:
    """What the package offers, looked up when it is asked for: every start would pay for it."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("romproof")
    except PackageNotFoundError:  # running from a source tree that was never installed
        return "0+unknown"
