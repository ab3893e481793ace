"""A flat 64 KiB address space with a program in it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations

from romproof.program.image import Block, Image
from romproof.program.later_lines import LaterLines
from romproof.text.errors import RomproofError

SIZE = 0x10000
FILL = 0x5A
"""What memory holds that nothing was loaded to: not 0, as in no real machine at power-on."""


class OverlappingAreas(RomproofError):
    """Two memory areas want the same addresses: banks, of which one is to be chosen."""


@dataclass(frozen=True, slots=True)
class MemoryMap:
    """The memory at the start of the program and what may be done with it.

    The first fields have one byte for each of the 65,536 addresses. ``executable``
    and ``protected`` are nonzero where code may be and where writes are faults.
    ``left_out`` names the areas with contents that were not loaded: other banks
    and parts that are only in the file.
    """

    initial: bytes = field(repr=False)
    executable: bytes = field(repr=False)
    protected: bytes = field(repr=False)
    left_out: frozenset[str] = frozenset()


def load_image(
    image: Image,
    fill: int = FILL,
    banks: Collection[str] = (),
    first: Collection[str] = (),
) -> MemoryMap:
    """Put the blocks of ``image`` at their addresses; ``fill`` (0..255) is elsewhere.

    An area with contents where another is plain RAM is left out: it is only
    part of the file, like a header or graphics. When areas with contents
    overlap, ``banks`` names those that are wanted; every area that overlaps a
    wanted one is left out. ``first`` are those that the machine begins with, wanted where
    ``banks`` says nothing. Raises OverlappingAreas when such areas overlap and none of
    them, or more than one, is named, and RomproofError when a name is no
    area's or a block does not fit into 64 KiB.
    """
    if not 0 <= fill <= 0xFF:
        raise RomproofError(f"the fill byte {fill} is not within 0..255")
    mapped = [b for b in image.blocks if b.area in banks or not _file_only(b.area, image)]
    hides = _hiding(image, mapped)
    blocks = _chosen(mapped, [*banks, *_at_start(banks, first, hides)], hides)
    areas = {block.area for block in blocks}
    left_out = {block.area for block in image.blocks} - areas
    initial = bytearray([fill]) * SIZE
    protected = bytearray(SIZE)
    for block in blocks:
        end = block.address + len(block.data)
        if not 0 <= block.address <= end <= SIZE:
            raise RomproofError(
                f"area '{block.area}': {len(block.data)} bytes at ${block.address:04X} "
                "do not fit into 64 KiB"
            )
        initial[block.address : end] = block.data
        if not block.writable:
            protected[block.address : end] = b"\1" * len(block.data)
    for area in image.areas:
        if not area.writable and area.name not in left_out and area.start < SIZE:
            end = min(area.start + area.size, SIZE)
            protected[area.start : end] = b"\1" * (end - area.start)
    return MemoryMap(
        bytes(initial),
        _executable(image, blocks, left_out),
        bytes(protected),
        frozenset(left_out),
    )


def bank_views(
    image: Image, banks: Collection[str] = (), first: Collection[str] = ()
) -> tuple[tuple[str, ...], ...]:
    """Which of the areas that overlap are looked at together, so that each of them is once: values
    for ``banks`` of ``load_image``.

    The first has those in ``banks``, those in ``first``, and of others the first of each that
    overlap; each further one has an area that none before has, which is its first name, in the
    place of those that it overlaps. One that is empty where nothing overlaps.
    """
    mapped = [b for b in image.blocks if b.area in banks or not _file_only(b.area, image)]
    hides = _hiding(image, mapped)
    switched = [area for area in hides if hides[area]]
    chosen: list[str] = []
    for area in sorted(switched, key=lambda a: (a not in banks, a not in first)):
        if not hides[area].intersection(chosen):
            chosen.append(area)
    views = [tuple(chosen)]
    for area in switched:
        if area not in chosen:
            views.append((area, *(other for other in chosen if other not in hides[area])))
    return tuple(views)


def _hiding(image: Image, blocks: Collection[Block]) -> dict[str, set[str]]:
    """By area the areas that are not in sight when it is: what is in one of their blocks lies
    where it has one, or they are banks of one kind at the same addresses, filled or not."""
    parts: dict[str, list[Block]] = {}
    for block in blocks:
        parts.setdefault(block.area, []).append(block)
    ranges = {area.name: range(area.start, area.start + area.size) for area in image.areas}
    hides: dict[str, set[str]] = {area: set() for area in parts}
    for one, other in combinations(parts, 2):
        if _share_a_window(one, other, ranges) or any(
            _overlap(a, b) for a in parts[one] for b in parts[other]
        ):
            hides[one].add(other)
            hides[other].add(one)
    return hides


def _share_a_window(one: str, other: str, ranges: Mapping[str, range]) -> bool:
    """Whether two areas are banks ``KIND[number]`` of one kind that lie at the same addresses."""
    kind, is_bank, _ = one.partition("[")
    if not is_bank or not other.startswith(f"{kind}["):
        return False
    mine, others = ranges.get(one, range(0)), ranges.get(other, range(0))
    return mine.start < others.stop and others.start < mine.stop


def view_showing(
    image: Image, name: str, banks: Collection[str] = (), first: Collection[str] = ()
) -> tuple[str, ...]:
    """The first of the ``bank_views`` in which a symbol is in sight. Raises UnknownSymbol."""
    segment = image.symbol(name).segment
    area = next((each.area for each in image.segments if each.name == segment), None)
    views = bank_views(image, banks, first)
    return next((view for view in views if area in view), views[0])


def part_in_memory(image: Image, left_out: Collection[str]) -> Image:
    """``image`` without what is in the areas ``left_out``, for names and lines by address."""
    if not left_out:
        return image
    gone = {segment.name for segment in image.segments if segment.area in left_out}
    symbols = tuple(symbol for symbol in image.symbols if symbol.segment not in gone)
    places = {(symbol.name, symbol.value) for symbol in symbols}
    return replace(
        image,
        blocks=tuple(block for block in image.blocks if block.area not in left_out),
        areas=tuple(area for area in image.areas if area.name not in left_out),
        segments=tuple(segment for segment in image.segments if segment.name not in gone),
        symbols=symbols,
        lines=LaterLines(
            lambda: (line for line in image.lines if line.segment not in gone),
            lambda: (each for each in image.line_extents() if each.segment not in gone),
        ),
        routines=tuple(r for r in image.routines if (r.name, r.address) in places),
    )


def _executable(image: Image, blocks: list[Block], left_out: set[str]) -> bytes:
    """Where code may be: in the segments; in the blocks when segments are not known."""
    executable = bytearray(SIZE)
    ranges = [(s.run, s.size) for s in image.segments if s.area not in left_out]
    for start, size in ranges or [(b.address, len(b.data)) for b in blocks]:
        end = min(start + size, SIZE)
        executable[start:end] = b"\1" * (end - start)
    return bytes(executable)


def _file_only(name: str, image: Image) -> bool:
    """True if the area ``name`` lies where another one is RAM without contents."""
    filled = {block.area for block in image.blocks}
    return any(
        area.start < other.start + other.size and other.start < area.start + area.size
        for area in image.areas
        if area.name == name
        for other in image.areas
        if other.writable and other.name not in filled
    )


def _at_start(
    banks: Collection[str], first: Collection[str], hides: Mapping[str, set[str]]
) -> list[str]:
    """The areas among ``first`` with contents that none of ``banks`` hides."""
    own = [area for area in hides if area in first and area not in banks]
    return [area for area in own if not hides[area].intersection(banks)]


def _chosen(
    blocks: Collection[Block], banks: Collection[str], hides: Mapping[str, set[str]]
) -> list[Block]:
    """The blocks of the wanted areas; raises OverlappingAreas if that is not clear."""
    names = {block.area for block in blocks}
    for bank in banks:
        if bank not in names:
            known = ", ".join(sorted(names)) or "none"
            raise RomproofError(f"no area '{bank}' with contents in the image; there are: {known}")
    hidden = {area for area in names - set(banks) if hides[area].intersection(banks)}
    chosen = [block for block in blocks if block.area not in hidden]
    ordered = sorted(chosen, key=lambda b: b.address)
    for index, block in enumerate(ordered):
        for other in ordered[index + 1 :]:
            if _overlap(block, other):
                raise OverlappingAreas(
                    f"the areas '{block.area}' and '{other.area}' both have contents at "
                    f'${other.address:04X}; choose with the key banks = ["{block.area}"] '
                    f'or banks = ["{other.area}"], in Python banks=[…]'
                )
    return ordered


def _overlap(one: Block, other: Block) -> bool:
    return one.address < other.address + len(other.data) and other.address < one.address + len(
        one.data
    )


_STEPS = (4096, 256, 16)
"""Bytes that are compared at once, then within those of them that differ."""


def differences(before: bytes | bytearray, after: bytes | bytearray) -> list[int]:
    """The addresses whose bytes differ, ascending; both have the same length."""
    if before == after:
        return []
    addresses: list[int] = []
    for start in _different(before, after, 0, len(before), _STEPS):
        old, new = before[start : start + _STEPS[-1]], after[start : start + _STEPS[-1]]
        addresses += [start + i for i, (b, a) in enumerate(zip(old, new, strict=True)) if b != a]
    return addresses


_NO_PAGES: frozenset[int] = frozenset()


def aside_pages(before: Sequence[int], after: Sequence[int]) -> frozenset[int]:
    """The pages of 256 bytes in which two moments are not to be compared: another memory is in
    sight there, or one that has been seen at a lower address.

    Both have a number for each page that says which memory is there; empty: all are compared.
    """
    if not before and not after:
        return _NO_PAGES
    return _find_aside(tuple(before), tuple(after))


@lru_cache(maxsize=256)
def _find_aside(before: tuple[int, ...], after: tuple[int, ...]) -> frozenset[int]:
    """See aside_pages. Most calls leave the pages as they were, and as those before them did."""
    aside: set[int] = set()
    seen: set[int] = set()
    for page, (one, other) in enumerate(zip(before, after, strict=True)):
        if one != other or one in seen:
            aside.add(page)
        seen.add(one)
    return frozenset(aside)


def _different(
    before: bytes | bytearray, after: bytes | bytearray, first: int, end: int, steps: Sequence[int]
) -> Iterator[int]:
    """Where pieces of the last of the ``steps`` begin that differ; each is part of the next."""
    step, *finer = steps
    for start in range(first, end, step):
        to = start + step
        if before[start:to] != after[start:to]:
            if finer:
                yield from _different(before, after, start, to, finer)
            else:
                yield start
