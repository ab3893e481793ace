"""A Game Boy program: rgbasm's dialect to a ROM with its header."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from romproof.program.image import Block, Image, OutputFile
from romproof.projects.manifest import Manifest
from romproof.projects.outputs import Texts
from romproof.projects.settings import SettingValue
from romproof.support.reading import read_input
from romproof.text.diagnostic import BuildFailed, Diagnostics
from romproof.toolchains.rgbds.asm import RgbdsOptions, assemble
from romproof.toolchains.rgbds.fix import Color, FixOptions, Mbc, fix, logo_from_tiles, parse_mbc
from romproof.toolchains.rgbds.link import (
    LinkOptions,
    link,
    map_text,
    rom_bytes,
    sym_text,
    to_image,
)
from romproof.toolchains.rgbds.obj.model import RgbdsObject

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.options import Progress

_PAD = 0xFF
"""What a ROM is padded with by default; rgbfix(1) recommends it."""


def make_gameboy(
    manifest: Manifest,
    defines: Mapping[str, int],
    diagnostics: Diagnostics,
    progress: Progress | None,
    out: Callable[[str], None] | None = None,
) -> tuple[Image, Texts]:
    """The image of a program, and what goes along with it: labels are a .sym file.

    ``out`` gets what the source prints, as it is; else it goes to standard output. The faults
    of all sources are collected before BuildFailed is raised. Raises BadMbc and OSError too.
    """
    options = RgbdsOptions(
        defines=tuple((name, str(value)) for name, value in defines.items()), progress=progress
    )
    if out is not None:
        options = replace(options, out=out)
    # what is wrong with it is said before anything is assembled, which may take long
    header = None if manifest.header is None else _header(manifest.header)
    if manifest.config is not None and not manifest.config.exists():
        diagnostics.error(f"there is no linker script '{manifest.config}'")
        raise BuildFailed(diagnostics.items)
    objects: list[RgbdsObject] = []
    for path in manifest.sources:
        # rgbasm looks in the current folder, which for a build may be any
        folders = (*manifest.include, path.parent)
        try:
            objects.append(assemble(path, replace(options, include=folders), diagnostics))
        except BuildFailed:
            continue  # its faults are among the diagnostics; the next file may have more
    if diagnostics.errors:
        raise BuildFailed(diagnostics.items)
    given: dict[str, Any] = dict(manifest.link)
    linked = link(objects, LinkOptions(**given, script=manifest.config), diagnostics)
    rom = rom_bytes(linked)
    image = to_image(linked, manifest.image_name)
    if header is not None:
        rom = fix(rom, header, diagnostics, manifest.image_name)
        image = replace(image, blocks=tuple(_as_in(rom, block, image) for block in image.blocks))
    files = (OutputFile(manifest.image_name, rom),)
    texts = Texts(labels=lambda _: sym_text(linked), map=lambda _: map_text(linked))
    return replace(image, files=files), texts


def _header(settings: Sequence[SettingValue]) -> FixOptions:
    """What the table [rom.header] says. Raises BadMbc, and OSError for the file of a logo."""
    given: dict[str, Any] = dict(settings)
    for key in ("title", "game_id", "new_licensee"):
        if key in given:
            given[key] = given[key].encode("utf-8")
    if "mbc" in given:
        mbc = given["mbc"]
        given["mbc"] = parse_mbc(mbc) if isinstance(mbc, str) else Mbc(mbc)
    if "logo" in given:
        given["logo"] = logo_from_tiles(read_input(given["logo"]))
    if "color" in given:
        given["color"] = Color[given["color"].upper()]
    return FixOptions(**{"fix": "lhg", "pad": _PAD, **given})


def _as_in(rom: bytes, block: Block, image: Image) -> Block:
    """The block with its bytes as the ROM has them: its header was filled in."""
    for segment in image.segments:
        if (segment.area, segment.run) == (block.area, block.address) and segment.size:
            data = rom[segment.file_offset : segment.file_offset + len(block.data)]
            return replace(block, data=data)
    return block
