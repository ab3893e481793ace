"""Builds public projects with cc65's tools and with ours, and compares: docs/projects-ca65.md.

``projects_ca65.py FOLDER [--ours PROGRAM ...] [NAME ...]`` takes repositories below FOLDER, each
called owner+name (a clone, bare or not), and prints the rows of the table. Each project is built by
its own makefile, with the tools of one side first on the path under the originals' names; CC65 and
the other tools stay the originals. A tool's time is the user CPU of its processes alone, without
make and scripts. PROGRAM is the command romproof of an installation, once for each that is to be
measured beside the originals: plain Python and compiled; default: that of the Python that runs.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

TOOLS = ("ca65", "ld65", "ar65", "cl65")
_SHIM = """#!{python} -IS
import os, sys
words = {words!r} + sys.argv[1:]
child = os.fork()
if not child:
    os.execv(words[0], words)
_, status, used = os.wait4(child, 0)
with open({log!r}, "a") as log:
    log.write(f"{tool} {{used.ru_utime}} {{used.ru_maxrss}}\\n")
sys.exit(os.waitstatus_to_exitcode(status))
"""


@dataclass(frozen=True)
class Project:
    """A repository, the commands that build it, and patterns of the files to compare."""

    name: str
    repository: str
    commands: tuple[str, ...]
    results: tuple[str, ...]
    revision: str = "HEAD"
    paths: tuple[str, ...] = ()
    """What of the repository is needed; all if empty."""


@dataclass
class Run:
    """One build: seconds of user CPU and most KiB of memory of its tools, and what it made."""

    seconds: float = 0.0
    memory: int = 0
    calls: int = 0
    files: dict[str, bytes] = field(default_factory=dict)


_GEOS = "make -s VARIANT={} build/{}/kernal_combined.prg"
PROJECTS = (
    Project("nine MS BASICs", "mist64+msbasic", ("sh make.sh",), ("tmp/*.bin", "tmp/*.lbl")),
    Project(
        "GEOS, bsw and wheels",
        "mist64+geos",
        (_GEOS.format("bsw", "bsw"), _GEOS.format("wheels", "wheels")),
        ("build/*/*.prg", "build/*/*/*.bin"),
    ),
    Project(
        "nrom-template",
        "pinobatch+nrom-template",
        ("make -s CA65=ca65 LD65=ld65 all",),  # else it takes those beside /bin
        ("*.nes", "map*.txt", "*.dbg"),
    ),
    Project("snrom-template", "pinobatch+snrom-template", ("make -s all",), ("*.nes", "map*.txt")),
    Project(
        "FamiStudio's demo",
        "BleuBleu+FamiStudio",
        (
            # build_demo_ca65.bat, which is for Windows, as are the paths in .include
            "sed -i '/^ *.include/s#\\\\#/#g' SoundEngine/*.s SoundEngine/DemoSource/*.s",
            "cd SoundEngine/DemoSource && ca65 demo_ca65.s -g -o demo_ca65.o && ld65 -C "
            "demo_ca65.cfg -o demo_ca65.nes demo_ca65.o --mapfile demo_ca65.map --dbgfile "
            "demo_ca65.dbg",
        ),
        ("SoundEngine/DemoSource/demo_ca65.[nmd][!c]*",),
        paths=("SoundEngine",),
    ),
    Project(
        "TetrisGYM", "kirjavascript+TetrisGYM", ("node build.js",), ("*.nes", "*.lbl", "*.map")
    ),
    Project(
        "cc65's samples, NES (C)",
        "cc65+cc65",
        (
            "cd samples && for n in hello sieve; do cc65 -Or -g -t nes $n.c && ca65 -g -t nes $n.s "
            "&& ld65 -o $n.nes -t nes -m $n.map --dbgfile $n.dbg $n.o nes.lib || exit 1; done",
        ),
        ("samples/*.nes", "samples/*.map"),
        "V2.19",
        ("samples",),
    ),
    Project(
        "cc65's samples, C64 (C)",
        "cc65+cc65",
        ("cd samples && make -s SYS=c64 samples",),
        ("samples/*",),
        "V2.19",
        ("samples",),
    ),
    Project(
        "6502 board computer (65C02)",
        "dbuchwald+6502",
        ("cd Software && make -s -k all",),
        ("Software/build/**/*.bin", "Software/build/**/*.map"),
        paths=("Software",),
    ),
    Project(
        "lorom-template (65816)", "pinobatch+lorom-template", ("make -s all",), ("*.sfc", "*.spc")
    ),
)
CHANGING = re.compile(rb"mtime=0x[0-9A-F]{8}")
"""In debug files: when a source was written, also one that the build has made."""
NOT_COMPARED = (".o", ".s")
"""Objects hold the time; what the compiler wrote is nobody's doing here."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--ours", action="append", type=Path)
    given = parser.parse_intermixed_args()
    ours = given.ours or [Path(sys.executable).with_name("romproof")]
    print("| project | commit | files | equal | runs of tools | cc65 |", end="")
    print(" romproof | ratio | memory |" * len(ours))
    print("|---|---|--:|--:|--:|--:|" + "--:|--:|--:|" * len(ours))
    for project in PROJECTS:
        if not given.names or any(name in project.name for name in given.names):
            print(row(project, given.folder / project.repository, ours), flush=True)


def row(project: Project, repository: Path, programs: list[Path]) -> str:
    """The line of a project; what is equal is so for all of our ``programs``."""
    if (repository / "repo").is_dir():
        repository /= "repo"
    commit = git(repository, "rev-parse", "--short=10", f"{project.revision}^{{commit}}").strip()
    theirs = build(project, repository, None)
    different: set[str] = set()
    columns = ""
    for program in programs:
        ours = build(project, repository, program)
        different |= {name for name, data in theirs.files.items() if ours.files.get(name) != data}
        ratio = ours.seconds / theirs.seconds if theirs.seconds else 0
        columns += f" {ours.seconds:.2f} s | {ratio:.1f} | {ours.memory / 1024:.0f} MiB |"
    for name in sorted(different)[:5]:
        print(f"different: {project.name}: {name}", file=sys.stderr)
    return (
        f"| {project.name} | {project.repository.replace('+', '/')} {commit.decode()} "
        f"| {len(theirs.files)} | {len(theirs.files) - len(different)} | {theirs.calls} "
        f"| {theirs.seconds:.2f} s |{columns}"
    )


def git(repository: Path, *words: str) -> bytes:
    """What git says."""
    return subprocess.run(["git", "-C", repository, *words], capture_output=True, check=True).stdout


def build(project: Project, repository: Path, ours: Path | None) -> Run:
    """Build a fresh copy of the project with the tools of ``ours``, or with the originals."""
    run = Run()
    with tempfile.TemporaryDirectory(prefix="projects-ca65-") as name:
        place = Path(name)
        tree, log = place / "tree", place / "log"
        tree.mkdir()
        packed = git(repository, "archive", project.revision, *project.paths)
        subprocess.run(["tar", "x", "-C", tree], input=packed, check=True)
        for source in tree.rglob("*"):  # the times of sources are in debug files
            os.utime(source, (1_700_000_000, 1_700_000_000))
        write_shims(place / "bin", log, ours)
        search = f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "PATH": search, "PYTHONDONTWRITEBYTECODE": ""}
        for command in project.commands:
            done = subprocess.run(
                command, shell=True, cwd=tree, env=environment, capture_output=True, text=True
            )
            if done.returncode:
                said = (done.stdout + done.stderr)[-600:]
                print(
                    f"{project.name}, ours={ours}: exit {done.returncode}\n{said}", file=sys.stderr
                )
        log.touch()
        for line in log.read_text("utf-8").splitlines():
            _, seconds, memory = line.split()
            run.seconds += float(seconds)
            run.memory = max(run.memory, int(memory))
            run.calls += 1
        for pattern in project.results:
            for found in sorted(tree.glob(pattern)):
                if found.is_file() and found.suffix not in NOT_COMPARED:
                    run.files[found.relative_to(tree).as_posix()] = CHANGING.sub(
                        b"mtime", found.read_bytes()
                    )
    return run


def write_shims(folder: Path, log: Path, ours: Path | None) -> None:
    """The tools of one side, which note what they took. One that calls another calls our own."""
    folder.mkdir()
    for tool in TOOLS:
        original = shutil.which(tool)
        if original is None:
            raise SystemExit(f"{tool} is not installed")
        words = [str(ours.absolute()), tool] if ours else [original]
        text = _SHIM.format(python=sys.executable, words=words, log=str(log), tool=tool)
        (folder / tool).write_text(text, "utf-8")
        (folder / tool).chmod(0o755)


if __name__ == "__main__":
    main()
