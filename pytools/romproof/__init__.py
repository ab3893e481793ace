"""romproof: 8-bit code assembled, run, timed and checked from Python."""

__version__: str


def __getattr__(name: str) -> str:
    """``__version__``, looked up when it is asked for: every start would pay for it."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("romproof")
    except PackageNotFoundError:  # running from a source tree that was never installed
        return "0+unknown"
