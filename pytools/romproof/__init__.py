"""romproof: 8-bit code assembled, run, timed and checked from Python."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("romproof")
except PackageNotFoundError:  # running from a source tree that was never installed
    __version__ = "0+unknown"
