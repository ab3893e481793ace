"""The banks of a cartridge for the NES that was linked from sources.

A linker's configuration calls its memory areas as it likes. Which bank of PRG an area is says the
place of its bytes in the image: that is what the board shows. Here such areas get the names that
banks have everywhere, ``PRG[2]``, counted in pages of the mapper in the header.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from romproof.formats.errors import BadImage
from romproof.formats.ines import Ines, read_ines
from romproof.formats.nes import nes_layout, page_size
from romproof.program.image import Area, Image


def with_pages(image: Image) -> tuple[Image, tuple[str, ...]]:
    """The image with its banks called by their numbers, and those in sight at the start.

    Raises BadImage where an area of several banks is at the addresses of others, and where a bank
    is linked for two addresses.
    """
    file = image.files[0]
    ines = read_ines(file.data)
    size = page_size(ines)
    if ines.prg_size <= size:
        return image, ()
    at = {area.name: place for area, place in _in_prg(image, ines)}
    names: dict[str, str] = {}
    bases: dict[int, int] = {}
    for area in image.areas:
        if area.name not in at:
            continue
        number, inside = divmod(at[area.name], size)
        if inside + area.used > size:
            _check_is_alone(area, image, size)
            continue
        name, base = f"PRG[{number}]", area.start - inside
        if bases.setdefault(number, base) != base:
            raise BadImage(
                f"bank {number} of the image is linked for ${bases[number]:04X} and, in area "
                f"'{area.name}', for ${base:04X}: choose one address for the bank"
            )
        names[area.name] = name
    first = nes_layout(file.name, file.data, bases).first
    return _rename(image, names), tuple(each for each in first if each in names.values())


def _in_prg(image: Image, ines: Ines) -> Iterator[tuple[Area, int]]:
    """The areas whose bytes are in PRG, and where in it they begin."""
    for area in image.areas:
        for segment in image.segments:
            if segment.area == area.name and segment.file == image.files[0].name and segment.size:
                place = segment.file_offset - (segment.load - area.start)
                if ines.prg.start <= place < ines.prg.stop:
                    yield area, place - ines.prg.start
                break


def _check_is_alone(area: Area, image: Image, size: int) -> None:
    """Raises BadImage where an area of several banks shares addresses with others: nobody knows
    which of them is in sight."""
    end = area.start + area.size
    for other in image.areas:
        is_there = other.start < end and area.start < other.start + other.size
        if other.name != area.name and is_there and other.file == area.file and other.used:
            raise BadImage(
                f"the area '{area.name}' is longer than a bank of this mapper ({size:,} bytes), "
                f"and is at the addresses of '{other.name}': give each bank its own area"
            )


def _rename(image: Image, names: Mapping[str, str]) -> Image:
    if all(old == new for old, new in names.items()):
        return image
    return replace(
        image,
        blocks=tuple(replace(b, area=names.get(b.area, b.area)) for b in image.blocks),
        areas=tuple(replace(a, name=names.get(a.name, a.name)) for a in image.areas),
        segments=tuple(replace(s, area=names.get(s.area, s.area)) for s in image.segments),
    )
