"""Tables for a project as build files and files suggest them; nobody has tried them yet."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from romproof.cli.originals.rgbds_arguments import whole_number
from romproof.cli.starting.folder import Folder
from romproof.cli.starting.tools import LINKERS, RGBDS, BuildFile, ToolCall
from romproof.formats.images import ENDINGS
from romproof.projects.manifest import GAME_BOY

_LINK_KEYS = {"t": "tiny", "d": "dmg", "w": "flat_wram", "x": "no_pad"}
_HEADER_TEXTS = {"t": "title", "i": "game_id", "k": "new_licensee", "L": "logo"}
_HEADER_NUMBERS = {"l": "old_licensee", "r": "ram_size", "n": "rom_version", "p": "pad"}
_HEADER_SWITCHES = {"s": "sgb", "j": "non_japanese"}
_NOT_TAKEN = {
    "rgbasm": {"P": "-P", "Q": "-Q", "b": "-b", "g": "-g", "p": "-p"},
    "ca65": {"U": "-U", "i": "-i", "feature": "--feature", "mm": "-mm", "s": "-s"},
}
"""Options that change what is assembled, and for which a project has no key."""


@dataclass(frozen=True, slots=True)
class Noted:
    """A file, a key or an option, and what is to be said of it."""

    about: str
    text: str


@dataclass(slots=True)
class ProjectDraft:
    """A table [tool.romproof], what it was made from, and what was guessed.

    ``blockers`` are why it cannot be built as it is. ``comments`` stand in the table.
    """

    table: dict[str, Any]
    found: list[Noted] = field(default_factory=list)
    guesses: list[Noted] = field(default_factory=list)
    blockers: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)


def link_calls(folder: Folder) -> list[tuple[BuildFile, ToolCall]]:
    """The calls of linkers, each with its build file; those with a name for the output first."""
    calls = [
        (build, call)
        for build in folder.build_files
        for call in build.calls
        if call.tool in LINKERS and call.last("o") is not None
    ]
    return sorted(calls, key=lambda pair: "%" in (pair[1].last("o") or ""))


def choose_image(folder: Folder) -> Path | None:
    """The image that is most likely the program: one that a makefile makes, one with symbols."""
    made = [Path(call.last("o") or "") for _, call in link_calls(folder)]

    def rank(path: Path) -> tuple[bool, bool, int]:
        return (path not in made, not folder.find_symbols(path), len(path.parts))

    return min(folder.images, key=rank, default=None)


def draft_of_image(folder: Folder, image: Path) -> ProjectDraft:
    """The table of a program that is built already."""
    draft = ProjectDraft({"image": image.as_posix()})
    machine = ENDINGS[image.suffix.lower()]
    size = (folder.root / image).stat().st_size
    draft.found.append(
        Noted(image.as_posix(), f"an image for the machine '{machine}', {size:,} bytes")
    )
    symbols = folder.find_symbols(image)
    if symbols:
        draft.table["symbols"] = [path.as_posix() for path in symbols]
        draft.found += [Noted(path.as_posix(), "symbols") for path in symbols]
    others = [path for path in folder.images if path != image]
    if others:
        draft.guesses.append(_one_of("image", image, others))
    for build, call in link_calls(folder):
        if call.last("o") == image.as_posix():
            made = f"make {image.as_posix()}" if build.makefile else build.command(image.as_posix())
            draft.found.append(Noted(build.path.name, f"makes {image.as_posix()}"))
            draft.comments.append(
                f'command = "{made}"  # without the first #: build the image before the tests'
            )
            break
    return draft


def _one_of(key: str, chosen: Path, others: Sequence[Path]) -> Noted:
    shown = ", ".join(path.as_posix() for path in others[:3])
    more = f" and {len(others) - 3:,} more" if len(others) > 3 else ""
    return Noted(key, f"{chosen.as_posix()}; there are {shown}{more}, too")


def draft_of_sources(folder: Folder) -> ProjectDraft | None:
    """The table of a program that romproof is to assemble; None where no sources are."""
    calls = link_calls(folder)
    build, call = calls[0] if calls else (None, None)
    draft = ProjectDraft({})
    sources = _sources_of(folder, build, call, draft)
    if not sources:
        return None
    is_rgbds = call.tool in RGBDS if call is not None else folder.is_for_rgbds(sources)
    if is_rgbds is None:
        return None
    output = PurePosixPath((call.last("o") or "").replace("\\", "/")).name if call else ""
    if "%" in output:
        output = ""
    name = PurePosixPath(output).stem or folder.root.resolve().name
    draft.table = {"name": re.sub(r"[^\w.-]", "-", name)}
    if is_rgbds:
        draft.table["cpu"] = GAME_BOY
    draft.table["sources"] = [path.as_posix() for path in sources]
    includes = folder.find_include_folders(sources)
    if includes:
        draft.table["include"] = [path.as_posix() for path in includes]
        draft.guesses.append(Noted("include", "folders where what the sources include was found"))
    _take_assembler_options(build.calls if build is not None else (), draft)
    if is_rgbds:
        _take_rgbds(build, call, draft)
    else:
        _take_ld65(folder, call, draft)
    if output and PurePosixPath(output).suffix.lower() in (*ENDINGS, ".bin", ".rom"):
        draft.table["output"] = output
    if build is not None and call is not None:
        tools = ", ".join(build.tools)
        draft.found.append(Noted(build.path.name, f"calls {tools} for {call.last('o')}"))
    others = [each.last("o") or "" for _, each in calls[1:]]
    if others:
        draft.guesses.append(
            Noted("sources", f"those of {call.last('o') if call else ''}; {others[0]} is made, too")
        )
    return draft


def _sources_of(
    folder: Folder, build: BuildFile | None, call: ToolCall | None, draft: ProjectDraft
) -> list[Path]:
    """The sources of what a linker links; else all that no other source includes."""
    sources: list[Path] = []
    lost: list[str] = []
    for name in call.all("") if call is not None else ():
        name = name.replace("\\", "/")
        source = _source_of(folder, build, name)
        if source is not None:
            sources.append(source)
        elif not name.endswith((".lib", ".cfg", ".x")) and "%" not in name:
            lost.append(name)
    if lost and sources:
        listed = ", ".join(lost[:3]) + (f" and {len(lost) - 3:,} more" if len(lost) > 3 else "")
        draft.blockers.append(f"no source was found for {listed}")
    if not sources:
        sources = _of_one_language(folder, folder.roots, draft)
        draft.guesses.append(Noted("sources", "all files that no other source includes"))
    if sources:
        more = f", and {len(sources) - 1:,} more" if len(sources) > 1 else ""
        draft.found.append(Noted(sources[0].as_posix(), f"a source{more}"))
    makefile = build.makefile if build is not None else None
    made = [path for path in sources if makefile is not None and makefile.makes(path.as_posix())]
    if made:
        draft.guesses.append(
            Noted("sources", f"{made[0].as_posix()} is generated: run make when it changes")
        )
    return sources


def _of_one_language(folder: Folder, sources: Sequence[Path], draft: ProjectDraft) -> list[Path]:
    """Those that are for the same assembler as most."""
    kinds = {path: folder.is_for_rgbds([path]) for path in sources}
    counts = Counter(kind for kind in kinds.values() if kind is not None)
    if len(counts) < 2:
        return list(sources)
    kept = counts.most_common(1)[0][0]
    names = ("ca65", "RGBDS")
    draft.guesses.append(
        Noted("sources", f"those for {names[kept]}; there are others for {names[not kept]}")
    )
    return [path for path in sources if kinds[path] is not (not kept)]


def _source_of(folder: Folder, build: BuildFile | None, name: str) -> Path | None:
    """The source of an object, or the source itself."""
    path = PurePosixPath(name)
    known = {each.as_posix(): each for each in folder.sources}
    if name in known:
        return known[name]
    for call in build.calls if build is not None else ():
        written = call.last("") or ""
        if call.last("o") == name and written.replace("\\", "/") in known:
            return known[written.replace("\\", "/")]
    likely = [
        each
        for each in folder.sources
        if each.stem == path.stem and each.suffix.lower() not in (".inc", ".i", ".h", ".mac")
    ]
    if path.suffix.lower() not in (".o", ".obj"):
        return None

    def shared(source: Path) -> int:
        return len(set(source.parts) & set(path.parts))

    return max(likely, key=lambda source: (shared(source), -len(source.parts)), default=None)


def _take_assembler_options(calls: Sequence[ToolCall], draft: ProjectDraft) -> None:
    defines: dict[str, int] = {}
    for call in calls:
        asked = call.all("D") if call.tool in ("ca65", "rgbasm") else call.all("asm-define")
        for definition in asked:
            name, equals, text = definition.partition("=")
            value = whole_number(text) if equals else int(call.tool == "rgbasm")
            if not re.fullmatch(r"[A-Za-z_]\w*", name) or value is None:
                draft.blockers.append(f"-D {definition} has no number")
            else:
                defines.setdefault(name, value)
        for key, option in _NOT_TAKEN.get(call.tool, {}).items():
            if call.last(key) is not None:
                draft.blockers.append(f"a project has no key for {option} of {call.tool}")
        cpu = call.last("cpu")
        if cpu is not None:
            draft.table["cpu"] = cpu
    if defines:
        draft.table["defines"] = defines
    draft.blockers = list(dict.fromkeys(draft.blockers))


def _take_ld65(folder: Folder, call: ToolCall | None, draft: ProjectDraft) -> None:
    config = call.last("C") if call is not None else None
    target = call.last("t") if call is not None else None
    if config is not None:
        draft.table["config"] = config.replace("\\", "/")
        if not (folder.root / draft.table["config"]).is_file():
            draft.blockers.append(f"there is no configuration {config}")
    elif target not in (None, "none") or (call is not None and call.tool == "cl65"):
        draft.blockers.append(f"the target {target or 'c64'} needs the configuration of cc65")
    elif folder.layouts:
        chosen, *others = folder.layouts
        draft.table["config"] = chosen.as_posix()
        draft.guesses.append(
            _one_of("config", chosen, others)
            if others
            else Noted("config", f"{chosen.as_posix()}, the only configuration")
        )


def _take_rgbds(build: BuildFile | None, call: ToolCall | None, draft: ProjectDraft) -> None:
    if call is not None:
        script = call.last("l")
        if script is not None:
            draft.table["config"] = script.replace("\\", "/")
        link: dict[str, Any] = {
            name: True for key, name in _LINK_KEYS.items() if call.last(key) is not None
        }
        pad = whole_number(call.last("p") or "")
        if pad is not None:
            link["pad"] = pad
        if link:
            draft.table["link"] = link
    fixes = [each for each in build.calls if each.tool == "rgbfix"] if build is not None else []
    if fixes:
        draft.table["header"] = _header(fixes[0])
    elif build is None:
        draft.table["header"] = {}
        draft.guesses.append(Noted("header", "logo and checksums, as rgbfix -v"))


def _header(call: ToolCall) -> Mapping[str, Any]:
    """The options of rgbfix as keys."""
    made: dict[str, Any] = {}
    for key, argument in call.words:
        number = whole_number(argument)
        if key in _HEADER_TEXTS:
            made[_HEADER_TEXTS[key]] = argument
        elif key in _HEADER_NUMBERS and number is not None:
            made[_HEADER_NUMBERS[key]] = number
        elif key in _HEADER_SWITCHES:
            made[_HEADER_SWITCHES[key]] = True
        elif key == "m":
            made["mbc"] = argument if number is None else number
        elif key in ("c", "C"):
            made["color"] = "only" if key == "C" else "compatible"
    return made
