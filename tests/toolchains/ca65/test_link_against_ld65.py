"""Random programs and layouts, linked by ld65 and by romproof: status and bytes agree."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from romproof.program.image import Image
from romproof.program.labels import vice_labels
from romproof.text.diagnostic import BuildFailed, Diagnostics, Severity
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble
from romproof.toolchains.ca65.link import default_config, link, parse_config
from romproof.toolchains.ca65.link.write import UNWRITTEN
from romproof.toolchains.ca65.obj.object import Object

pytestmark = pytest.mark.skipif(
    not (shutil.which("ca65") and shutil.which("ld65")), reason="ca65 and ld65 are not installed"
)

SEGMENTS = ("CODE", "RODATA", "DATA", "BSS", "ZEROPAGE", "FOO", "BAR", "BAZ")
NO_CONTENTS = ("BSS", "ZEROPAGE")
LAYOUTS_PER_PROGRAM = 12


def _program(rng: random.Random, number: int, count: int) -> str:
    """Module ``number`` of ``count``: data, gaps, alignments and values of all modules."""
    lines = [".autoimport +", f".export sym{number}, lab{number}"]
    lines.append(f"sym{number} = {rng.randrange(60000)}")
    for part in range(rng.randrange(1, 6)):
        segment = rng.choice(SEGMENTS)
        lines.append(f'.segment "{segment}"')
        if part == 0:
            lines.append(f"lab{number}:")
        for _ in range(rng.randrange(1, 5)):
            lines.append(_statement(rng, segment, count))
    return "\n".join(lines) + "\n"


def _statement(rng: random.Random, segment: str, count: int) -> str:
    kind = rng.randrange(10)
    if kind == 0:
        return f".align {rng.choice([2, 3, 4, 8, 16])}"
    if kind < 4 or segment in NO_CONTENTS:
        return f".res {rng.randrange(20)}"
    if kind < 6:
        return ".byte " + ", ".join(str(rng.randrange(256)) for _ in range(rng.randrange(1, 9)))
    if kind == 6:
        action = rng.choice(["warning", "warning", "warning", "lderror"])
        return f'.assert lab{rng.randrange(count)} < {rng.randrange(0x10000)}, {action}, "text"'
    other = rng.randrange(count)
    values = ["lab", "sym", "lab+3", "*", ".bank(lab)", "ONE", "WEAK", "lab*2-sym0", "sym>>3"]
    value = rng.choice([*values, "lab .mod 7", "sym-sym0<5"])
    value = re.sub(r"(lab|sym)(?!\d)", rf"\g<1>{other}", value)
    return rng.choice([".faraddr ({})", ".byte <({})", ".byte >({})", ".word ({})"]).format(value)


def _layout(rng: random.Random) -> str:
    """Memory areas and segment rules in many combinations, most of them possible."""
    names = ["A", "B", "C", "D"][: rng.randrange(1, 5)]
    text = (
        f"SYMBOLS {{ ONE: type = export, value = {rng.randrange(0x10000)};"
        f" WEAK: type = weak, value = ONE + 1; STEP: type = export, value = 8; }}\n"
    )
    if rng.random() < 0.5:
        text += f"FEATURES {{ STARTADDRESS: default = ${rng.randrange(0x4000):x}; }}\n"
    text += "MEMORY {\n"
    before: str | None = None
    for name in names:
        starts = ["$0", "$80", "$200", "$c003", "%S", "STEP * 16"]
        if before is not None:
            starts += [f"__{before}_LAST__", f"__{before}_START__ + __{before}_SIZE__"]
        sizes = ["$100", "$200", "$1000 + 3", "STEP * 40"]
        parts = [f"start = {rng.choice(starts)}", f"size = {rng.choice(sizes)}"]
        parts += _some(rng, 0.1, ["type = ro"])
        parts += _some(rng, 0.5, ['file = ""', "file = %O", 'file = "%O.two"', 'file = "x%%y"'])
        parts += _some(rng, 0.4, ["fill = yes", "fill = no", "fill = 1"])
        parts += _some(rng, 0.4, [f"fillval = {rng.randrange(256)}"])
        parts += _some(rng, 0.9, [f"bank = {rng.randrange(5)}"])
        if rng.random() < 0.7:
            parts.append("define = yes")
            before = name
        rng.shuffle(parts)
        text += f"  {name}: {rng.choice([', ', ' ']).join(parts)};\n"
    text += "}\nSEGMENTS {\n"
    for segment in rng.sample(SEGMENTS, len(SEGMENTS)):
        text += f"  {segment}: {_rule(rng, segment, names)};\n"
    return text + "}\n"


def _rule(rng: random.Random, segment: str, names: list[str]) -> str:
    kind = rng.choice(["bss", "zp"] if segment in NO_CONTENTS else ["ro", "rw"])
    if rng.random() < 0.08:
        # no bss: ld65 looks for its contents before anything has an address
        kind = rng.choice(["ro", "rw", "overwrite"])
    parts = [f"load = {rng.choice(names)}", f"type = {kind}"]
    parts += _some(rng, 0.25, [f"run = {rng.choice(names)}"])
    fixed = [f"offset = {rng.randrange(0x60)}", f"start = {rng.choice([0x90, 0x210, 0xC010])}"]
    if kind == "overwrite":
        parts.append(rng.choice(fixed))
    else:
        parts += _some(rng, 0.3, ["align = 2", "align = STEP", "align = 3", "align = $100"])
        if len(parts) == 2:
            parts += _some(rng, 0.1, fixed)
    parts += _some(rng, 0.2, ["align_load = 4"])
    parts += _some(rng, 0.5, ["define = yes"])
    parts += _some(rng, 0.6, ["optional = yes"])
    parts += _some(rng, 0.3, [f"fillval = {rng.randrange(256)}"])
    return ", ".join(parts)


def _some(rng: random.Random, chance: float, choices: list[str]) -> list[str]:
    return [rng.choice(choices)] if rng.random() < chance else []


def _ld65(folder: Path, *args: str) -> tuple[int, dict[str, bytes], str]:
    """Exit status, files and messages of ld65, run in an empty folder."""
    for old in folder.iterdir():
        old.unlink()
    done = subprocess.run(["ld65", *args], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, {p.name: p.read_bytes() for p in folder.iterdir()}, done.stderr


def _build(folder: Path, texts: list[str]) -> tuple[list[Object], list[str]]:
    """The same sources assembled by romproof and by ca65."""
    objects: list[Object] = []
    paths: list[str] = []
    for number, text in enumerate(texts):
        path = folder / f"m{number}.s"
        path.write_text(text)
        objects.append(assemble(path, Options(), Diagnostics()))
        subprocess.run(["ca65", "-g", str(path)], check=True, capture_output=True)
        paths.append(str(path.with_suffix(".o")))
    return objects, paths


def _romproof(objects: list[Object], layout: str) -> tuple[Image | None, str, int]:
    """The image or what is wrong, and how many of the warnings ld65 has, too."""
    diagnostics = Diagnostics()
    try:
        config = parse_config(Source("layout.cfg", layout), diagnostics)
        image = link(objects, config, output="out", diagnostics=diagnostics)
    except BuildFailed as failed:
        return None, str(failed), 0
    warnings = sum(
        item.severity is Severity.WARNING and not item.message.endswith(UNWRITTEN)
        for item in diagnostics.items
    )
    return image, "", warnings


@pytest.mark.quick_cases("0")
@pytest.mark.parametrize("group", range(4))
def test_random_layouts(group: int, tmp_path: Path) -> None:
    linked = sum(_compare(seed, tmp_path) for seed in range(4 * group, 4 * group + 4))
    assert linked >= 4, "hardly any layout of this group can be linked"


def _compare(seed: int, folder: Path) -> int:
    """Link one random program in many layouts; how many of them gave an image."""
    rng = random.Random(seed)
    count = rng.randrange(1, 4)
    objects, paths = _build(folder, [_program(rng, number, count) for number in range(count)])
    outputs = folder / "outputs"
    outputs.mkdir(exist_ok=True)
    config = folder / "layout.cfg"
    linked = 0
    for _ in range(LAYOUTS_PER_PROGRAM):
        layout = _layout(rng)
        config.write_text(layout)
        status, files, messages = _ld65(outputs, "-C", str(config), "-o", "out", *paths)
        image, text, warnings = _romproof(objects, layout)
        if image is None:
            # what ld65 does not look at when it writes nothing is a fault here all the same
            assert status != 0 or not files, f"{layout}\n{text}"
            continue
        assert status == 0, f"{layout}\n{messages}"
        assert {file.name: file.data for file in image.files} == files, layout
        assert warnings == len(re.findall("Warning: ", messages)), f"{layout}\n{messages}"
        linked += 1
    return linked


def test_default_configuration_is_that_of_the_none_target(tmp_path: Path) -> None:
    source = (
        ".import __CONSTRUCTOR_TABLE__, __BSS_RUN__, __BSS_SIZE__, __ZP_START__, __STACKSIZE__\n"
        ".constructor one, 5\n.constructor two, 3\n.code\n.word __CONSTRUCTOR_TABLE__\n"
        "one: .word __BSS_RUN__, __BSS_SIZE__\ntwo: .word __ZP_START__, __STACKSIZE__\n"
        '.segment "STARTUP"\n jmp one\n.segment "ONCE"\n.byte 1\n.rodata\n.byte 2\n'
        ".data\n.byte 3\n.bss\n.res 4\n.zeropage\n.res 2\n"
    )
    objects, paths = _build(tmp_path, [source])
    outputs = tmp_path / "outputs"
    outputs.mkdir()
    for options, start in ((["-S", "$3000"], 0x3000), ([], None)):
        status, files, messages = _ld65(outputs, "-t", "none", "-o", "out", *options, *paths)
        assert status == 0, messages
        image = link(
            objects,
            default_config(),
            output="out",
            start_address=start,
            diagnostics=Diagnostics(),
        )
        assert {file.name: file.data for file in image.files} == files


def test_vice_labels_have_the_addresses_of_ld65(tmp_path: Path) -> None:
    source = (
        ".export main\nsize = 5\n.export size\n.proc main\n@loop: bne @loop\ninner: rts\n"
        ".endproc\n.scope data\ntable: .byte 1\n.endscope\n"
    )
    objects, paths = _build(tmp_path, [source])
    layout = (
        "MEMORY { R: start = $8000, size = $100, define = yes; }"
        "SEGMENTS { CODE: load = R, type = ro, define = yes; }"
    )
    config = tmp_path / "layout.cfg"
    config.write_text(layout)
    outputs = tmp_path / "outputs"
    outputs.mkdir()
    status, files, messages = _ld65(
        outputs, "-C", str(config), "-o", "out", "-Ln", "labels", *paths
    )
    assert status == 0, messages
    image, text, _ = _romproof(objects, layout)
    assert image is not None, text
    # ld65 writes bare names; ours end in them
    theirs = {tuple(line.split()[1:]) for line in files["labels"].decode().splitlines()}
    ours = [tuple(line.split()[1:]) for line in vice_labels(image).splitlines()]
    bare = {(address, "." + re.split(r"::|(?=@)|\.", name)[-1]) for address, name in ours}
    assert bare == theirs
