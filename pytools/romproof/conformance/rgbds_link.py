"""RGBDS's test suite of rgblink, its folder test/link; our rgbasm makes the objects."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from romproof.conformance.model import SuiteFile, SuiteOutcome, fail
from romproof.conformance.rgbds_tools import (
    ExpectedRun,
    ToolRun,
    contents,
    message_differences,
    messages,
    run_tool,
    text_of,
    verdict,
)

PARENTS = ("test", "link")
"""The folder that the suite is recognised by."""
_OPTIONS = ("-Weverything", "-Bcollapse")
_VARIANTS = ("-d", "-t", "-w")
"""Expectations may be for runs with and without one of these."""
_ASSEMBLER: Mapping[str, tuple[str, ...]] = {"export-all": ("-E",)}
"""Options of rgbasm for a.asm, by the name of the folder; as test.sh has them."""
_LINKER: Mapping[str, tuple[str, ...]] = {
    "overlay/smaller": ("-p", "0x42"),
    "overlay/smaller-32k": ("-t",),
    "overlay/tiny": ("-t",),
    "rept-trace": ("-Bno-collapse",),
    "scramble-invalid": ("-S", "romx := 4"),
    "scramble-specs": ("-S", "romx=3,wramx=4,sram=4"),
    "truncation/level1": ("-Wtruncation=1",),
    "truncation/level2": ("-Wtruncation=2",),
}
"""The same for rgblink."""
_WHOLE = ("overlay/", "scramble-specs", "pipeline")
"""Here the size of the ROM counts; elsewhere what follows the expected bytes does not."""
_EACH = ("high-low",)
"""Here every source is linked by itself, and the ROMs are equal."""
_TWICE = ("section-union", "section-fragment")
"""Sources in these folders are linked with a second version of themselves, and must not fit."""


def find_link(files: Sequence[Path]) -> list[SuiteFile]:
    """The sources, and the folders with an a.asm."""
    suite_files: list[SuiteFile] = []
    for file in files:
        for depth in (1, 2, 3):
            if len(file.parts) <= depth + 2 or file.parts[-depth - 2 : -depth] != PARENTS:
                continue
            folder = "/".join(file.parts[-depth:-1])
            single = depth == 1 or folder in _TWICE
            if file.suffix == ".asm" and (single or file.name == "a.asm"):
                suite_files.append(SuiteFile(file, "/".join(file.parts[-depth:])))
    return suite_files


def run_link(file: SuiteFile, engine: str, sample: int = 1) -> SuiteOutcome:
    """A file of the suite: assembled, then linked in all variants there are expectations for."""
    folder = file.name.rpartition("/")[0]
    root = file.path.parents[file.name.count("/")]
    with tempfile.TemporaryDirectory() as made:
        work = Path(made)
        if folder in _TWICE:
            return _twice(file, root, work)
        if folder == "pipeline":
            return _pipeline(file, root, work)
        if folder in _EACH:
            return _each(file, folder, root, work)
        if folder:
            return _folder(file, folder, root, work)
        return _source(file, root, work)


def _assemble(source: str, obj: Path, root: Path, *words: str) -> SuiteOutcome:
    """Make an object. What rgbasm says is not what this suite is about."""
    ran = run_tool("rgbasm", *words, "-o", obj, source, folder=root)
    return verdict(f"{source}, assembling", ToolRun(ran.status, b"", ""), ExpectedRun(""))


def _source(file: SuiteFile, root: Path, work: Path) -> SuiteOutcome:
    obj, rom = work / "o", work / "gb"
    assembled = _assemble(file.name, obj, root)
    if assembled.failed:
        return assembled
    outcome = SuiteOutcome()
    flags = file.path.with_suffix(".flags")
    base = [*_OPTIONS, *([f"@{flags.name}"] if flags.is_file() else [])]
    for case, words, wanted in _variants(file.path):
        ran = run_tool("rgblink", *base, *words, "-o", rom, obj, folder=root)
        image = file.path.with_suffix(".out.bin")
        files = {rom: contents(image)} if not words and image.is_file() else {}
        outcome += verdict(case, ran, ExpectedRun(text_of(wanted), b"", files, frozenset(files)))
        rom.unlink(missing_ok=True)
    return outcome


def _variants(source: Path) -> Iterator[tuple[str, list[str], Path]]:
    """Name, options and expectation of each run: by option, by linker script, or just one."""
    stem = source.stem
    matched = False
    for option in _VARIANTS:
        for label, words in ((f"-no{option}", []), (option, [option])):
            wanted = source.with_name(f"{stem}{label}.out")
            if wanted.is_file():
                matched = True
                yield f"{stem}{label}", words, wanted
    if matched:
        return
    for script in sorted(source.parent.glob(f"{stem}*.link")):
        matched = True
        yield script.name, ["-l", script.name], script.with_suffix(".out")
    if not matched:
        yield stem, [], source.with_suffix(".out")


def _folder(file: SuiteFile, folder: str, root: Path, work: Path) -> SuiteOutcome:
    here = root / folder
    inputs: list[Path] = []
    for source in sorted(here.glob("?.asm")):
        inputs.append(work / f"{source.stem}.o")
        options = _ASSEMBLER.get(folder, ()) if source.stem == "a" else ()
        assembled = _assemble(f"{folder}/{source.name}", inputs[-1], root, *options)
        if assembled.failed:
            return assembled
    inputs += sorted(here.glob("?.rel"))  # objects of SDCC
    rom, sym, map_file = work / "gb", work / "out.sym", work / "out.map"
    words: list[str | Path] = [*_OPTIONS, *_LINKER.get(folder, ()), "-o", rom]
    files: dict[Path, bytes] = {}
    for option, made, names in (
        ("", rom, ("ref.out.bin", "out.gb")),
        ("-n", sym, ("ref.out.sym",)),
        ("-m", map_file, ("ref.out.map",)),
    ):
        for name in names:
            if (here / name).is_file():
                files[made] = contents(here / name)
                words += [option, made] if option else []
    for option, name in (("-l", "script.link"), ("-O", "overlay.gb")):
        if (here / name).is_file():
            words += [option, f"{folder}/{name}"]
    ran = run_tool("rgblink", *words, *inputs, folder=root)
    shorter = frozenset() if folder.startswith(_WHOLE) else frozenset({rom})
    return verdict(file.name, ran, ExpectedRun(text_of(here / "out.err"), b"", files, shorter))


def _each(file: SuiteFile, folder: str, root: Path, work: Path) -> SuiteOutcome:
    roms: list[bytes] = []
    for source in sorted((root / folder).glob("?.asm")):
        obj, rom = work / f"{source.stem}.o", work / f"{source.stem}.gb"
        assembled = _assemble(f"{folder}/{source.name}", obj, root)
        linked = run_tool("rgblink", *_OPTIONS, "-o", rom, obj, folder=root)
        outcome = assembled + verdict(f"{folder}/{source.name}", linked, ExpectedRun("", b""))
        if outcome.failed:
            return outcome
        roms.append(contents(rom))
    same = all(rom == roms[0] for rom in roms)
    return SuiteOutcome(passed=1) if same else fail(file.name, "the ROMs differ")


def _pipeline(file: SuiteFile, root: Path, work: Path) -> SuiteOutcome:
    data = file.path.read_bytes()
    for tool, words in (
        ("rgbasm", ("-o", "-", "-")),
        ("rgblink", ("-o", "-", "-")),
        ("rgbfix", ("-v", "-p", "0xff", "-")),
    ):
        ran = run_tool(tool, *words, folder=root, stdin=data)
        outcome = verdict(f"{file.name}, {tool}", ToolRun(ran.status, b"", ""), ExpectedRun(""))
        if outcome.failed:
            return outcome
        data = ran.stdout
    rom = work / "gb"
    rom.write_bytes(data)
    wanted = contents(file.path.with_name("out.gb"))
    return verdict(file.name, ToolRun(0, b"", ""), ExpectedRun("", files={rom: wanted}))


def _twice(file: SuiteFile, root: Path, work: Path) -> SuiteOutcome:
    """Neither two objects nor one source with both versions may get through."""
    first, second = work / "first.o", work / "second.o"
    for obj, words in ((first, ()), (second, ("-DSECOND",))):
        assembled = _assemble(file.name, obj, root, *words)
        if assembled.failed:
            return assembled
    linking, _, assembling = text_of(file.path.with_suffix(".out")).partition("---\n")
    linked = run_tool("rgblink", *_OPTIONS, first, second, folder=root)
    outcome = verdict(f"{file.name}, linking", linked, ExpectedRun(linking, b""))
    both = file.path.read_bytes()
    both += b'def SECOND equs "1"\n' + both
    ran = run_tool("rgbasm", "-", folder=root, stdin=both)
    wrong = next(message_differences(messages(assembling), messages(ran.stderr)), None)
    if wrong is None:
        return outcome + SuiteOutcome(passed=1)
    return outcome + fail(f"{file.name}, assembling", wrong)
