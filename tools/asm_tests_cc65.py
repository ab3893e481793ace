"""Runs the assembler's tests of cc65 with 2.19's own tools and with ours, and writes the page.

    python tools/asm_tests_cc65.py CLONE > docs/conformance-ca65.md

CLONE is a clone of cc65's repository, bare or not; nothing of it is part of this project.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

LATER = "HEAD"
FILE = r"[^:()\n]+\.(?:s|inc|mac)"
THEIRS = re.compile(rf"({FILE})\((\d+)\): (Error|Warning|Note): (.*)")
OURS = re.compile(rf"({FILE}):(\d+):\d+: (error|warning): (.*)")
CALLED = re.compile(rf"  in (.*), used at ({FILE}):(\d+):\d+")
REFUSED = re.compile(r"(?:help: |error: no CPU )'(.*)'(?: is not offered; the CPUs are |; known: )")
MAX_SECONDS = 60
"""A tool that has not ended by then is taken never to; each test is done in a second or two."""
ENDLESS = "does not end"
LATE = ("is undefined", "Range error", "was never defined", "Undefined label", "unresolved")
"""What 2.19 looks for only where nothing else is wrong; ours says it together with the rest."""


@dataclass(frozen=True)
class Test:
    """A source, the CPU or target it is for, and what the image has to be, if that is known."""

    folder: str
    source: str
    options: tuple[str, ...]
    link: tuple[str, ...]
    reference: str = ""


def git(clone: Path, *words: str) -> bytes:
    """What git says."""
    return subprocess.run(["git", "-C", clone, *words], capture_output=True, check=True).stdout


def tests_of_219(tree: Path) -> list[Test]:
    """Opcodes and the detection of CPUs, at the tag V2.19."""
    found = []
    for reference in sorted(tree.glob("*.ref")):
        cpu, _, what = reference.stem.rpartition("-")
        source = "cpudetect.s" if what == "cpudetect" else f"{cpu}-opcodes.s"
        options = ("-t", "none", "--cpu", cpu)
        found.append(Test(".", source, options, ("-t", "none"), reference.name))
    return found


def later_tests(tree: Path) -> list[Test]:
    """The folders listing, val, err and misc of a later commit."""
    found = []
    for folder in ("listing", "val", "err", "misc"):
        for source in sorted((tree / folder).glob("*.s")):
            targets = ("none",) if folder in ("listing", "err") else ("sim6502", "sim65c02")
            for target in targets:
                link: tuple[str, ...] = ("-t", target)
                own = source.with_suffix(".cfg")
                if own.is_file():
                    link = ("-C", own.name)
                elif folder == "val":
                    link = ("-C", "sim6502-asmtest.cfg")
                found.append(Test(folder, source.name, ("-t", target), link))
    return found


Message = tuple[str, tuple[tuple[str, int], ...]]
"""Error or warning, and where: the line of the file, then those of the macros it comes by."""


def messages_of_219(said: str) -> list[tuple[Message, str]]:
    """What ca65 2.19 says, with its texts: notes behind a message name lines of macros."""
    result: list[tuple[Message, str]] = []
    for name, line, kind, text in THEIRS.findall(said):
        place = (name, int(line))
        if kind != "Note":
            result.append(((kind.lower(), (place,)), text))
        elif text == "Macro was defined here" and result:
            (kind, places), first = result[-1]
            result[-1] = ((kind, (*places, place)), first)
    return result


def messages_of_ours(said: str) -> list[tuple[Message, str]]:
    """The same of ours, which begins at the innermost line. 2.19 does not name those of .define."""
    result: list[tuple[Message, str]] = []
    for line in said.splitlines():
        if first := OURS.match(line):
            result.append(((first[3], ((first[1], int(first[2])),)), first[4]))
        elif (call := CALLED.match(line)) and result:
            (kind, places), text = result[-1]
            inner = places[1:] if call[1].startswith(".define") else places
            result[-1] = ((kind, ((call[2], int(call[3])), *inner)), text)
    return result


def places(messages: list[tuple[Message, str]]) -> tuple[set[Message], set[Message]]:
    """Where something is said, and where nothing but what 2.19 says of a source without others."""
    early = {place for place, text in messages if not any(words in text for words in LATE)}
    every = {place for place, _ in messages}
    return every, every - early


def run(
    tools: dict[str, list[str]], test: Test, tree: Path, out: Path
) -> tuple[dict[str, object], str]:
    """What one side makes of a test, and what its assembler says."""
    place = tree / test.folder
    made, image, listing = out / "o", out / "bin", out / "lst"
    for path in (made, image, listing):
        path.unlink(missing_ok=True)
    words = [*tools["ca65"], *test.options, "-l", str(listing), "-o", str(made), test.source]
    try:
        done = subprocess.run(words, cwd=place, capture_output=True, timeout=MAX_SECONDS)
    except subprocess.TimeoutExpired:
        return {"status": ENDLESS}, ""
    said = done.stderr.decode("utf-8", "replace")
    result: dict[str, object] = {
        "status": done.returncode != 0,
        "printed": done.stdout,
    }
    if done.returncode:
        return result, said
    data = made.read_bytes()
    listed = subprocess.run(["od65", "--dump-segsize", "--dump-exports", made], capture_output=True)
    result["object"] = (without_time(data), listed.stdout)
    result["listing"] = listing.read_bytes().partition(b"\n")[2]
    library = [f"{test.options[1]}.lib"] if test.link[0] == "-t" or test.folder == "val" else []
    linked = subprocess.run(
        [*tools["ld65"], *test.link, "-o", str(image), str(made), *library],
        cwd=place,
        capture_output=True,
    )
    result["linked"] = linked.returncode != 0
    if not linked.returncode and image.exists():
        result["image"] = image.read_bytes()
    return result, said


def without_time(data: bytes) -> bytes:
    """An object without the time of the run and the assembler's name, which have places of their
    own: the tables from the segments on, but for the pool of texts."""
    numbers = [int.from_bytes(data[at : at + 4], "little") for at in range(8, 96, 4)]
    parts = [
        data[start : start + size] for start, size in zip(numbers[::2], numbers[1::2], strict=True)
    ]
    return b"".join(part for number, part in enumerate(parts) if number not in (0, 1, 7))


@dataclass(frozen=True)
class Row:
    """A test, the commit its source is of, what 2.19 does with it, and in what ours differs."""

    folder: str
    what: str
    commit: str
    theirs: str
    different: tuple[str, ...]
    refused: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """What the table says of ours."""
        if self.theirs == ENDLESS:
            return "ends" if not self.different else "does not end either"
        if not self.different:
            return "the same"
        if self.refused:
            return f"refuses {', '.join(self.refused)} by name"
        return f"differs: {', '.join(self.different)}"


def compare(test: Test, tree: Path, out: Path, commit: str) -> Row:
    """Run a test on both sides."""
    ours = {tool: [sys.executable, "-m", "romproof", tool] for tool in ("ca65", "ld65")}
    theirs = {tool: [tool] for tool in ("ca65", "ld65")}
    a, said = run(theirs, test, tree, out)
    b, said_by_us = run(ours, test, tree, out)
    different = [key for key in a if a[key] != b.get(key)]
    at_219, _ = places(messages_of_219(said))
    at_ours, late = places(messages_of_ours(said_by_us))
    if at_219 != (at_ours - (late - at_219) if a["status"] else at_ours):
        different.append("places of messages")
    refused = sorted(set(REFUSED.findall(said_by_us)))
    if test.reference and not a["status"]:
        expected = (tree / test.reference).read_bytes()
        different += [] if b.get("image") == expected else ["reference"]
    theirs_does = "refuses" if a["status"] else "does not link" if a["linked"] else "links"
    if a["status"] == ENDLESS:  # there is nothing to compare with
        theirs_does, different = ENDLESS, [] if b["status"] != ENDLESS else ["status"]
    folder = test.folder if test.folder != "." else "V2.19"
    what = f"{test.source} {test.options[-1]}"
    return Row(folder, what, commit, theirs_does, tuple(different), tuple(refused))


HEAD = """\
# Results of cc65's tests of the assembler

`tools/asm_tests_cc65.py` runs these tests with ca65 and ld65 2.19 and with romproof, and
writes this page. They are the tests of 2.19 itself (opcodes and the detection of CPUs), and the
folders `listing`, `val`, `err` and `misc` of cc65/cc65 at {head}. None of them is part of
this project. The commit of a test is the last that changed its source.

romproof passes a test if its results are those of 2.19:

- Both accept a source, or both refuse it; both link it, or neither does. The output is the same.
- For an accepted source the object is the same, except for the time and the assembler's name, and
  so are the listing below its first line and the image. For tests of 2.19 itself the image is that
  of the reference.
- Errors and warnings of the assembler are at the same lines. For those in macros all lines are
  compared, from the call to the innermost (2.19 does not name lines of `.define`). The texts
  differ. 2.19 reports undefined symbols and ranges only if there is no other error; romproof may
  report them together with others.

Later versions accept some of the sources that 2.19 refuses. A test on which 2.19 does not end
within a minute is not counted.
"""


def page(rows: list[Row], head: str) -> str:
    """The page in Markdown."""
    lines = [HEAD.format(head=head)]
    lines += ["| tests | the same | refused by name | differ |", "|---|--:|--:|--:|"]
    compared = [row for row in rows if row.theirs != ENDLESS]
    for folder in (*dict.fromkeys(row.folder for row in compared), "all"):
        chosen = [row for row in compared if folder in (row.folder, "all")]
        same = sum(not row.different for row in chosen)
        refused = sum(bool(row.different and row.refused) for row in chosen)
        left = len(chosen) - same - refused
        lines.append(f"| {folder}: {len(chosen)} | {same} | {refused} | {left} |")
    lines += ["", "| folder | test | commit | 2.19 | ours |", "|---|---|---|---|---|"]
    for row in rows:
        lines.append(f"| {row.folder} | {row.what} | {row.commit} | {row.theirs} | {row.verdict} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run all tests and print the page; says on stderr what differs."""
    clone = Path(sys.argv[1])
    if (clone / "repo").is_dir():
        clone /= "repo"
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="asm-tests-cc65-") as name:
        for revision, list_tests in (("V2.19", tests_of_219), (LATER, later_tests)):
            tree = Path(name) / revision
            tree.mkdir()
            packed = git(clone, "archive", revision, "test/asm")
            subprocess.run(
                ["tar", "x", "-C", tree, "--strip-components=2"], input=packed, check=True
            )
            for test in list_tests(tree):
                there = f"test/asm/{test.folder}/{test.source}".replace("/./", "/")
                made = git(clone, "log", "-1", "--format=%h", revision, "--", there)
                row = compare(test, tree, Path(name), made.decode().strip())
                rows.append(row)
                if row.different:
                    print(row.folder, row.what, row.verdict, file=sys.stderr, flush=True)
    print(page(rows, git(clone, "rev-parse", "--short=10", LATER).decode().strip()), end="")


if __name__ == "__main__":
    main()
