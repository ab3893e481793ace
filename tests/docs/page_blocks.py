"""The code blocks of a page, and what is to become of each.

    ```asm title="prng.s"       written to that file of the page's folder
    ```sh                       each line is a command that has to succeed
    ```console                  "$ command" and what it prints; "…" stands for any lines, or for any
                                part of a line; "[1]" alone is the exit code, else it is 0
    ```python                   executed as a script
    ```text, ```mermaid         neither

A block of another language without a title is a fault, unless the line before it is a comment
``<!-- shown only: REASON -->``. The comment ``<!-- new folder -->`` begins an empty folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^(?P<indent> *)```(?P<info>\S[^`]*)?$")
_TITLE = re.compile(r'title="([^"]+)"')
_SHOWN = re.compile(r"<!-- shown only: \S.* -->")
NEW_FOLDER = "<!-- new folder -->"
NOT_EXECUTED = ("text", "mermaid")


@dataclass(frozen=True)
class Block:
    """``line`` is that of its fence, from 1; ``folder`` counts the folders of the page."""

    line: int
    language: str
    title: str | None
    text: str
    shown_only: bool
    folder: int


def blocks_of(page: Path) -> Iterator[Block]:
    """All blocks of a page, in order. Raises ValueError for one that does not end."""
    lines = page.read_text("utf-8").splitlines()
    folder, before = 0, ""
    numbered = iter(enumerate(lines, 1))
    for number, line in numbered:
        if line.strip() == NEW_FOLDER:
            folder += 1
        match = _FENCE.match(line)
        if match is None or match["info"] is None:
            before = line if line.strip() else before
            continue
        info, indent = match["info"], len(match["indent"])
        body: list[str] = []
        for _, inner in numbered:
            if inner.strip() == "```":
                break
            body.append(inner[indent:])
        else:
            raise ValueError(f"{page}:{number}: the block does not end")
        title = _TITLE.search(info)
        yield Block(
            number,
            info.split()[0],
            title[1] if title else None,
            "\n".join(body) + "\n",
            bool(_SHOWN.fullmatch(before.strip())),
            folder,
        )
        before = ""


def matches(expected: str, printed: str) -> bool:
    """Whether a command printed what a page shows: spaces at ends of lines do not count."""
    wanted = [line.rstrip() for line in expected.rstrip().splitlines()]
    pattern = ""
    for line in wanted:
        if line.strip() == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(re.escape(part) for part in line.split("…")) + r"\n"
    text = "".join(line.rstrip() + "\n" for line in printed.rstrip().splitlines())
    return re.fullmatch(pattern, text) is not None


@dataclass(frozen=True)
class Shown:
    """A command of a ``console`` block, what it is to print, and its exit code."""

    command: str
    output: str
    code: int


def console(text: str) -> Iterator[Shown]:
    """The commands of a block. Raises ValueError for output before the first command."""
    command: str | None = None
    output: list[str] = []
    for line in [*text.splitlines(), "$ "]:
        if not line.startswith("$ "):
            if command is None:
                raise ValueError(f"no command before: {line}")
            output.append(line)
            continue
        if command is not None:
            code = re.fullmatch(r"\[(\d+)\]", output[-1].strip()) if output else None
            shown = output[:-1] if code else output
            yield Shown(command, "\n".join(shown), int(code[1]) if code else 0)
        command, output = line[2:], []
