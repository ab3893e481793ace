"""The files that the tools of RGBDS read and write: '-' is standard input or output."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from romproof.cli.originals.outputs import refuse_overwriting
from romproof.support.files import write_all
from romproof.support.reading import MAX_BYTES, read_input, read_standard_input


def display_name(name: str) -> str:
    """What messages call an input file."""
    return "<stdin>" if name == "-" else name


def read_file(name: str, most: int = MAX_BYTES) -> bytes:
    """A file; '-' is standard input. Raises OSError."""
    return read_standard_input() if name == "-" else read_input(name, most)


def write_outputs(outputs: Sequence[tuple[str, bytes | str]], inputs: Iterable[str]) -> None:
    """Write files, all or none of them; '-' is standard output. Raises BadCommandLine where one
    would replace an input or another one."""
    files = [name for name, _ in outputs if name != "-"]
    refuse_overwriting(files, [name for name in inputs if name != "-"])
    write_all([(name, data) for name, data in outputs if name != "-"])
    for name, data in outputs:
        if name == "-":
            raw = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data
            sys.stdout.buffer.write(raw)
            sys.stdout.buffer.flush()
