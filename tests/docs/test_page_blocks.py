"""The runner of the documentation sees what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from page_blocks import Shown, blocks_of, console, matches
from test_pages import carry_out

PAGE = """\
Text.

```python title="a/b.py"
print(2)
```

<!-- shown only: a fragment -->

```asm
  nop
```

<!-- new folder -->

- in a list

  ```sh
  true
  ```
"""


def test_blocks_and_their_folders(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE, "utf-8")
    first, second, third = blocks_of(page)
    assert (first.line, first.title, first.text, first.folder) == (3, "a/b.py", "print(2)\n", 0)
    assert (second.language, second.shown_only) == ("asm", True)
    assert (third.language, third.text, third.folder) == ("sh", "true\n", 1)


def test_a_block_without_an_end_is_told(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```sh\ntrue\n", "utf-8")
    with pytest.raises(ValueError, match=r"page.md:1: the block does not end"):
        list(blocks_of(page))


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("one", "one  \n", True),
        ("one", "two\n", False),
        ("one\n…\ntwo", "one\nand\nmore\ntwo\n", True),
        ("one\n…\ntwo", "one\ntwo\n", True),
        ("one\n…", "two\n", False),
        ("took … s", "took 1.25 s\n", True),
        ("took … s", "took 1.25\n", False),
        ("", "", True),
        ("", "unexpected\n", False),
    ],
)
def test_what_is_printed_is_compared(expected: str, printed: str, same: bool) -> None:
    assert matches(expected, printed) is same


def test_the_commands_of_a_console() -> None:
    assert list(console("$ true\n$ false\nout\n[1]\n")) == [
        Shown("true", "", 0),
        Shown("false", "out", 1),
    ]


@pytest.mark.parametrize(
    ("block", "wrong"),
    [
        ("```sh\ntrue\n```\n", None),
        ("```sh\nfalse\ntrue\n```\n", "exit code 1"),
        ("```python\nassert 1 == 2\n```\n", "AssertionError"),
        ("```console\n$ echo a\nb\n```\n", "echo a"),
        ("```console\n$ echo a\na\n```\n", None),
        ("```console\n$ exit 3\n```\n", "exit code 3"),
        ("```asm\n nop\n```\n", "neither a title nor a reason"),
        ("```text\nanything\n```\n", None),
    ],
)
def test_what_is_wrong_is_seen(block: str, wrong: str | None, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(block, "utf-8")
    (only,) = blocks_of(page)
    found = carry_out(only, tmp_path)
    assert found is None if wrong is None else wrong in (found or "")
