"""A program that was built before is what a new build would be, or it is built."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from romproof.harness.built import rom_of
from romproof.program import serialize
from romproof.program.later_lines import LaterLines
from romproof.projects import Manifest, build, builder, load_manifest
from romproof.projects.program_cache import build_cached
from romproof.support import cache
from romproof.text.diagnostic import BuildFailed, Severity, Suspicion, render
from romproof.text.span import Source, Span

ROOT = Path(__file__).parents[2]
BANKS = """
MEMORY { A: start = $8000, size = 8; B0: start = $C000, size = 8; B1: start = $C000, size = 8; }
SEGMENTS { CODE: load = A; OTHER: load = B0; THIRD: load = B1; }
"""
CONFIG = "MEMORY { M: start = $1000, size = $100, file = %O; } SEGMENTS { CODE: load = M; }\n"
PORTS = '\nSECTION "main", ROM0[$150]\nmain::\n'

Builds = Callable[[], int]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROMPROOF_CACHE", str(tmp_path / "kept"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "state"))
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> Builds:
    """How many builds there were."""
    seen: list[Any] = []

    def counted(*arguments: Any, **named: Any) -> Any:
        seen.append(arguments)
        return build(*arguments, **named)

    monkeypatch.setattr(builder, "build", counted)
    return lambda: len(seen)


def _told(value: Any) -> Any:
    """All that there is in an image, also about places, each of which is equal to itself only."""
    if isinstance(value, Span):
        steps = [(step.what, str(step.span), step.span.text) for step in value.chain()]
        return str(value), value.length, value.text, steps
    if isinstance(value, Source):
        return value.name, value.text, value.via and (value.via.what, str(value.via.span))
    if is_dataclass(value):
        return [(field.name, _told(getattr(value, field.name))) for field in fields(value)]
    if isinstance(value, tuple | LaterLines):
        return [_told(item) for item in value]
    assert value is None or isinstance(value, str | bytes | int)
    return type(value), value


@pytest.mark.slow_cases("tarot-gb")
@pytest.mark.parametrize("name", ["tarot-nes", "tarot-gb"])
def test_all_that_is_known_of_a_program_is_kept(name: str, builds: Builds) -> None:
    manifest = load_manifest(ROOT / "rom" / name / "manifest.toml")
    first = build_cached(manifest).image
    again = build_cached(manifest).image
    assert builds() == 1
    assert again is not first
    assert _told(again) == _told(first)
    assert len({id(line.span.source) for line in again.lines}) == len(
        {id(line.span.source) for line in first.lines}
    )


@pytest.mark.parametrize("is_hidden", [False, True])
def test_lines_of_a_kept_program_are_made_when_somebody_asks(
    is_hidden: bool, builds: Builds, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """They are nine tenths of what is kept of a large program; a call needs none, also where a
    bank of the program is hidden."""
    (tmp_path / "m.s").write_text(
        '.export step\nstep:\n inx\n rts\n.segment "OTHER"\n nop\n.segment "THIRD"\n clc\n'
    )
    config = BANKS if is_hidden else BANKS.replace("B1: start = $C", "B1: start = $D")
    (tmp_path / "m.cfg").write_text(config)
    manifest = Manifest("m", (Path("m.s"),), config=Path("m.cfg"), banks=("B0",) * is_hidden)
    first = build_cached(manifest).image
    made: list[bytes] = []
    read = serialize._lines
    monkeypatch.setattr(serialize, "_lines", lambda *rest: made.append(rest[0]) or read(*rest))
    again = build_cached(manifest)
    assert builds() == 1
    assert rom_of(again, "plain").machine().call("step", x=1).x == 2
    assert len(again.image.lines) == len(first.lines) == 4
    assert made == []
    assert again.image.lines[1].data == first.lines[1].data
    assert [line.address for line in again.image.lines] == [line.address for line in first.lines]
    assert len(made) == 1


def test_what_is_no_image_is_refused(tmp_path: Path) -> None:
    data = serialize.to_bytes(build(_ca65(tmp_path)).image)
    first, extents, lines = data.split(b"\n")
    for wrong in (b"", first, b"[1,2]\n[]\n" + lines, first[:-1] + b"\n[]\n" + lines):
        with pytest.raises(ValueError, match=r"not an image|Expecting|delimiter"):
            serialize.from_bytes(wrong)
    for wrong in (b"[1]", b"[[[9,9]],[]]", lines[:-1], b""):
        image = serialize.from_bytes(b"\n".join((first, extents, wrong)))
        with pytest.raises(ValueError, match=r"no lines|Expecting|delimiter|unpack"):
            list(image.lines)
    for wrong in (b"7", b"[[1],[2],3,4]", extents[:-1], b""):
        image = serialize.from_bytes(b"\n".join((first, wrong, lines)))
        with pytest.raises(ValueError, match=r"places of lines|Expecting|delimiter"):
            image.line_extents()


def _ca65(folder: Path) -> Manifest:
    (folder / "inc").mkdir()
    (folder / "main.s").write_text('.include "a.inc"\n.incbin "b.bin"\n.byte VALUE\n')
    (folder / "inc" / "a.inc").write_text(".byte 1\n")
    (folder / "b.bin").write_bytes(b"\x02")
    (folder / "c.cfg").write_text(CONFIG)
    return Manifest("m", (Path("main.s"),), (Path("inc"),), (("VALUE", 3),), config=Path("c.cfg"))


def _rgbds(folder: Path) -> Manifest:
    (folder / "inc").mkdir()
    (folder / "main.s").write_text(
        f'{PORTS}INCLUDE "a.inc"\nINCBIN "b.bin"\ndb VALUE, STRLEN(READFILE("d.txt"))\n'
    )
    (folder / "inc" / "a.inc").write_text("db 1\n")
    (folder / "b.bin").write_bytes(b"\x02")
    (folder / "d.txt").write_text("four")
    (folder / "c.cfg").write_text('ROM0\norg $150\n"main"\n')
    return Manifest(
        "m",
        (Path("main.s"),),
        (Path("inc"),),
        (("VALUE", 3),),
        cpu="sm83",
        config=Path("c.cfg"),
        link=(("tiny", True),),
    )


def _data(manifest: Manifest, **defines: int) -> bytes:
    image = build_cached(manifest, defines).image
    return image.files[0].data[0x150:0x154] if manifest.is_gameboy else image.files[0].data


DIALECTS = {"ca65": (_ca65, b"\1\2\3"), "rgbds": (_rgbds, b"\1\2\3\4")}


@pytest.fixture(params=DIALECTS)
def program(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Manifest, bytes]:
    """A program of four files, and its bytes."""
    make, data = DIALECTS[request.param]
    manifest = make(tmp_path)
    assert _data(manifest) == data
    return manifest, data


def test_nothing_is_built_while_nothing_changes(
    program: tuple[Manifest, bytes], builds: Builds, tmp_path: Path
) -> None:
    manifest, data = program
    os.utime(tmp_path / "main.s", (0, 0))  # only what is in it matters
    assert _data(manifest) == data
    assert builds() == 0


@pytest.mark.parametrize(
    ("file", "old", "new", "changed"),
    [
        ("main.s", "VALUE", "VALUE + 4", b"\1\2\7"),
        ("inc/a.inc", "1", "9", b"\x09\2\3"),
        ("b.bin", "\2", "\5", b"\1\5\3"),
    ],
)
def test_what_a_changed_file_makes(
    program: tuple[Manifest, bytes], tmp_path: Path, file: str, old: str, new: str, changed: bytes
) -> None:
    manifest, data = program
    before = (tmp_path / file).read_text()
    (tmp_path / file).write_text(before.replace(old, new))
    assert _data(manifest)[:3] == changed
    (tmp_path / file).write_text(before)
    assert _data(manifest) == data


def test_a_changed_layout(program: tuple[Manifest, bytes], tmp_path: Path) -> None:
    manifest, _ = program
    layout = (tmp_path / "c.cfg").read_text()
    (tmp_path / "c.cfg").write_text(layout.replace("$1000", "$2000").replace("$150", "$160"))
    if manifest.is_gameboy:
        with pytest.raises(BuildFailed):  # the section is to be elsewhere
            build_cached(manifest)
    else:
        assert build_cached(manifest).image.segments[0].run == 0x2000


def test_a_file_that_is_there_now_and_comes_first(
    program: tuple[Manifest, bytes], tmp_path: Path
) -> None:
    manifest, data = program
    (tmp_path / "a.inc").write_text("db 8\n" if manifest.is_gameboy else ".byte 8\n")
    assert _data(manifest) == b"\x08" + data[1:]
    (tmp_path / "a.inc").unlink()
    assert _data(manifest) == data


def test_a_file_that_is_gone(program: tuple[Manifest, bytes], tmp_path: Path) -> None:
    manifest, _ = program
    (tmp_path / "b.bin").unlink()
    with pytest.raises(BuildFailed, match=r"b\.bin"):
        build_cached(manifest)


def test_other_definitions(program: tuple[Manifest, bytes], builds: Builds) -> None:
    manifest, data = program
    assert _data(manifest, VALUE=6)[:3] == b"\1\2\6"
    assert _data(manifest) == data
    assert builds() == 1


def test_another_folder_with_the_same_names(
    program: tuple[Manifest, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest, _ = program
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    with pytest.raises(BuildFailed, match=r"main\.s"):
        build_cached(manifest)


def test_another_romproof(
    program: tuple[Manifest, bytes], builds: Builds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "digest_of_packages", lambda *names: "other")
    assert _data(program[0]) == program[1]
    assert builds() == 1


def test_what_was_kept_and_is_no_image(
    program: tuple[Manifest, bytes], builds: Builds, tmp_path: Path
) -> None:
    (file,) = (tmp_path / "kept").glob("*.image")
    head = (cache.recall(file.name) or b"").partition(b"\n")[0]
    for data in (b"", b"{}", head, head + b"\n[]", head + b"\n[[], 1]", b"[1,2,3]\n"):
        cache.keep(file.name, data)
        assert _data(program[0]) == program[1]
    assert builds() == 6


NOW = {
    "ca65 .time": (".dword .time\n", "6502"),
    "rgbds year": (f"{PORTS}dw __UTC_YEAR__", "sm83"),
    "rgbds local time": (f"{PORTS}db __ISO_8601_LOCAL__", "sm83"),
    "rgbds old time": (f"{PORTS}db __TIME__", "sm83"),
    "rgbds old date": (f"{PORTS}db __DATE__", "sm83"),
    "rgbds time in a text": (f'{PORTS}db "{{__ISO_8601_UTC__}}"', "sm83"),
}


@pytest.mark.parametrize("name", NOW)
def test_what_is_not_only_a_matter_of_files_is_done_each_time(
    name: str, tmp_path: Path, builds: Builds
) -> None:
    text, cpu = NOW[name]
    (tmp_path / "main.s").write_text(f"{text}\n")
    manifest = Manifest("m", (Path("main.s"),), cpu=cpu)
    for _ in range(2):
        build_cached(manifest)
    assert builds() == 2
    assert not (tmp_path / "kept").exists()


TOLD = {
    "ca65 .out": ('.out "hello"\n.out "you"\n.byte 0\n', "6502", "hello\nyou\n"),
    "ca65 .warning": ('.warning "hello"\n.byte 0\n', "6502", ""),
    "ca65 warning in a macro": (
        '.macro m\n.warning "hello"\n.endmacro\nm\n.byte 0\n',
        "6502",
        "",
    ),
    "rgbds PRINTLN": (f'PRINTLN "hello ", 3{PORTS}', "sm83", "hello $3\n"),
    "rgbds PRINT": (f'PRINT "héllo"{PORTS}', "sm83", "héllo"),
    "rgbds WARN": (f'WARN "hello"{PORTS}', "sm83", ""),
    "rgbds assertion": (f'{PORTS}ASSERT WARN, main == 3, "hello"\n', "sm83", ""),
}


@pytest.mark.parametrize("name", TOLD)
def test_warnings_and_prints_are_told_again(
    name: str, tmp_path: Path, builds: Builds, capsys: pytest.CaptureFixture[str]
) -> None:
    text, cpu, printed = TOLD[name]
    (tmp_path / "main.s").write_text(f"{text}\n")
    manifest = Manifest("m", (Path("main.s"),), cpu=cpu)
    told = []
    for _ in range(3):
        diagnostics = build_cached(manifest).diagnostics
        assert capsys.readouterr().out == printed
        told.append([(render(each), each.severity, each.kind) for each in diagnostics])
    assert builds() == 1
    assert told[0] == told[1] == told[2]
    assert [("hello" in text, severity) for text, severity, _ in told[0]] == (
        [] if printed else [(True, Severity.WARNING)]
    )


def test_what_a_warning_is_about_is_kept(tmp_path: Path, builds: Builds) -> None:
    (tmp_path / "main.s").write_text(".align $400\n.byte 0\n")
    (tmp_path / "c.cfg").write_text(
        CONFIG.replace("load = M", "load = M, align = $400").replace("$100,", "$1000,")
    )
    manifest = Manifest("m", (Path("main.s"),), config=Path("c.cfg"))
    first, again = build_cached(manifest).diagnostics, build_cached(manifest).diagnostics
    assert builds() == 1
    assert [each.kind for each in first] == [each.kind for each in again]
    assert Suspicion.LARGE_ALIGNMENT in {each.kind for each in again}


def test_a_time_that_the_environment_says_decides(
    tmp_path: Path, builds: Builds, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "main.s").write_text(f"{PORTS}db 1\n")
    manifest = Manifest("m", (Path("main.s"),), cpu="sm83")
    assert not build_cached(manifest).diagnostics
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    assert [build_cached(manifest).diagnostics[0].message for _ in range(2)] == [
        'Ignoring invalid `SOURCE_DATE_EPOCH` value "yesterday"'
    ] * 2
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert not build_cached(manifest).diagnostics
    assert builds() == 2


def test_what_is_read_from_a_pipe_is_not_to_be_had_again(tmp_path: Path, builds: Builds) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no named pipes here")
    os.mkfifo(tmp_path / "main.s")
    manifest = Manifest("m", (Path("main.s"),))
    for byte in (1, 2):
        with ThreadPoolExecutor(1) as pool:
            written = pool.submit((tmp_path / "main.s").write_text, f".byte {byte}\n")
            assert build_cached(manifest).image.blocks[0].data == bytes([byte])
            written.result()
    assert builds() == 2


def test_so_many_are_kept(tmp_path: Path) -> None:
    for number in range(5):
        cache.keep(f"{number}.image", b"data", 3)
        os.utime(tmp_path / "kept" / f"{number}.image", (number, number))
    cache.keep("other.o", b"code")
    assert cache.recall("2.image") == b"data"  # used now
    cache.keep("5.image", b"data", 3)
    left = sorted(path.name for path in (tmp_path / "kept").iterdir())
    assert left == ["2.image", "4.image", "5.image", "other.o"]
