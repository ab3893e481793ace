"""Runs the assembler's tests of cc65 with 2.19's own tools and with ours: docs/projects-ca65.md.

``asm_tests_cc65.py CLONE`` takes a clone of cc65's repository, bare or not. Most of those tests are
of later commits, and 2.19 refuses some of their sources or gives another result: what counts is
that ours does as 2.19 does. A test is passed when both refuse a source at the same lines, or both
give the same object (but for the time), the same image, and the same listing below its first line.
For tests of 2.19 itself the image has to be that of the reference, too.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

LATER = "HEAD"
PLACE = re.compile(r"^([^:\n]+\.(?:s|inc|mac))[:(](\d+)\)?:(?:\d+:)? ?(error|warning)", re.I | re.M)


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


def run(tools: dict[str, list[str]], test: Test, tree: Path, out: Path) -> dict[str, object]:
    """What one side makes of a test."""
    place = tree / test.folder
    made, image, listing = out / "o", out / "bin", out / "lst"
    for path in (made, image, listing):
        path.unlink(missing_ok=True)
    words = [*tools["ca65"], *test.options, "-l", str(listing), "-o", str(made), test.source]
    done = subprocess.run(words, cwd=place, capture_output=True)
    said = done.stderr.decode("utf-8", "replace")
    result: dict[str, object] = {
        "status": done.returncode != 0,
        "places": sorted({(n, int(line), k.lower()) for n, line, k in PLACE.findall(said)}),
        "printed": done.stdout,
    }
    if done.returncode:
        return result
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
    return result


def without_time(data: bytes) -> bytes:
    """An object without the time of the run and the assembler's name, which have places of their
    own: the tables from the segments on, but for the pool of texts."""
    numbers = [int.from_bytes(data[at : at + 4], "little") for at in range(8, 96, 4)]
    parts = [
        data[start : start + size] for start, size in zip(numbers[::2], numbers[1::2], strict=True)
    ]
    return b"".join(part for number, part in enumerate(parts) if number not in (0, 1, 7))


def main() -> None:
    """Print a row for each test, and how many are passed."""
    clone = Path(sys.argv[1])
    if (clone / "repo").is_dir():
        clone /= "repo"
    ours = {tool: [sys.executable, "-m", "romproof", tool] for tool in ("ca65", "ld65")}
    theirs = {tool: [tool] for tool in ("ca65", "ld65")}
    passed: dict[str, list[int]] = {}
    print("| folder | test | commit | 2.19 | ours |")
    print("|---|---|---|---|---|")
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
                commit = (
                    git(clone, "log", "-1", "--format=%h", revision, "--", there).decode().strip()
                )
                a, b = run(theirs, test, tree, Path(name)), run(ours, test, tree, Path(name))
                different = [key for key in a if a[key] != b.get(key)]
                if test.reference and not a["status"]:
                    expected = (tree / test.reference).read_bytes()
                    different += [] if b.get("image") == expected else ["reference"]
                folder = test.folder if test.folder != "." else revision
                count = passed.setdefault(folder, [0, 0])
                count[0] += not different
                count[1] += 1
                accepted = "refused" if a["status"] else "not linked" if a["linked"] else "equal"
                what = f"{test.source} {test.options[-1]}"
                verdict = "same" if not different else ", ".join(different)
                print(f"| {folder} | {what} | {commit} | {accepted} | {verdict} |", flush=True)
    for folder, (good, total) in passed.items():
        print(f"{folder}: {good} of {total}", file=sys.stderr)


if __name__ == "__main__":
    main()
