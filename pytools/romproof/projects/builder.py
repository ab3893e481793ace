"""From a manifest to an image, and to files; what debuggers of other people read is among them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from romproof.formats.errors import BadImage
from romproof.formats.images import CPUS
from romproof.formats.ines import MAGIC
from romproof.formats.layout import NES
from romproof.formats.mesen import mesen_labels
from romproof.formats.nes_pages import with_pages
from romproof.program.image import Image
from romproof.program.labels import vice_labels
from romproof.program.listing import listing
from romproof.projects.built import Built
from romproof.projects.command import bring_up_to_date
from romproof.projects.foreign import banks_of, clock_of, read_program
from romproof.projects.manifest import RICOH, ROCKWELL, Manifest
from romproof.projects.outputs import Texts, write_outputs
from romproof.support.reading import read_text
from romproof.text.diagnostic import BuildFailed, Diagnostics, suggest
from romproof.text.errors import BadInput
from romproof.text.span import Source

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.options import Options, Progress
    from romproof.toolchains.ca65.link import Config
    from romproof.toolchains.ca65.link.linker import Linked
    from romproof.toolchains.ca65.obj.object import Object

# An assembler and its linker are imported when something is built: often nothing has to be.

_ASSEMBLED_AS = {RICOH: "6502", ROCKWELL: "65C02"}
_EXECUTED_AS = (RICOH, "65SC02", "65C02", ROCKWELL)
"""CPUs that execute even code in which nothing is theirs alone."""


def assemble_and_link(
    sources: Sequence[Path],
    options: Options,
    config: Path | None,
    output: str,
    diagnostics: Diagnostics,
    start_address: int | None = None,
) -> Image:
    """The image of ``sources``; as :func:`assemble_modules`."""
    return assemble_modules(
        sources, options, config, output, diagnostics, start_address=start_address
    ).image


def assemble_modules(
    sources: Sequence[Path],
    options: Options,
    config: Path | None,
    output: str,
    diagnostics: Diagnostics,
    start_address: int | None = None,
    banks: Sequence[str] = (),
) -> Linked:
    """The link of ``sources``, laid out by ``config`` (None: the default layout).

    ``output`` is the name of the main file (``%O``). The faults of all sources
    and of the layout are collected before BuildFailed is raised; before anything is assembled for a
    layout that is not there, or without one of ``banks``.
    """
    from romproof.toolchains.ca65.asm import assemble
    from romproof.toolchains.ca65.link.linker import link_modules
    from romproof.toolchains.ca65.link.state import LinkState

    layout = _layout(config, diagnostics)
    _check_banks(banks, layout, diagnostics)
    objects: list[Object] = []
    for path in sources:
        try:
            objects.append(assemble(path, options, diagnostics))
        except BuildFailed:
            continue  # its faults are among the diagnostics; the next file may have more
    if diagnostics.errors or layout is None:
        raise BuildFailed(diagnostics.items)
    state = LinkState(tuple(objects), layout, output, dialect=options.dialect)
    return link_modules(state, start_address, {}, diagnostics)


def _layout(config: Path | None, diagnostics: Diagnostics) -> Config | None:
    from romproof.toolchains.ca65.link import default_config, parse_config

    if config is None:
        return default_config()
    try:
        text = read_text(config)
    except OSError as fault:
        diagnostics.error(f"Cannot open linker configuration '{config}': {fault.strerror}")
        raise BuildFailed(diagnostics.items) from None
    try:
        return parse_config(Source(str(config), text), diagnostics)
    except BuildFailed:
        return None  # its faults are among the diagnostics


def _check_banks(banks: Sequence[str], layout: Config | None, diagnostics: Diagnostics) -> None:
    """Raises BuildFailed where the key ``banks`` names what the layout does not have."""
    areas = [area.name for area in layout.areas] if layout is not None else list(banks)
    unknown = [name for name in banks if name not in areas]
    for name in unknown:
        hint = suggest(name, areas) or f"the memory areas are {', '.join(areas)}"
        diagnostics.error(f"the layout has no memory area '{name}' for 'banks'; {hint}")
    if unknown:
        raise BuildFailed(diagnostics.items)


def _load(manifest: Manifest, tell_file: bool) -> Built:
    """A program that another build system makes, with what its image says in the manifest."""
    foreign = manifest.foreign
    assert foreign is not None
    bring_up_to_date(foreign.command, foreign.folder)
    program = read_program(foreign)
    known = replace(
        manifest,
        cpu=program.image.cpu,
        machine=program.machine,
        clock=manifest.clock or clock_of(program),
        banks=banks_of(program, manifest.banks),
    )
    files = (foreign.image,) if tell_file else ()
    return Built(known, program.image, files, program.notes)


def build(
    manifest: Manifest,
    folder: Path | None = None,
    defines: Mapping[str, int] | None = None,
    progress: Progress | None = None,
    notes: Callable[[Image], Mapping[str, str]] | None = None,
    also: Collection[str] = (),
) -> Built:
    """Build a ROM; ``defines`` win over those of the manifest.

    With a ``folder`` the image, its listing (.lst), labels (.lbl; of the Game Boy .sym) and
    map (.map) are written there. ``notes`` gives what the listing says of labels besides;
    ``also`` are further files for debuggers: "dbg", "mlb", "lbl".
    Raises BuildFailed, and BadImage for a program of the NES without a header; then nothing is
    written.

    A program that another build system makes is brought up to date by its command and loaded;
    nothing is written. Raises OSError, CommandFailed, BadImage, BadSymbols then.
    """
    if manifest.foreign is not None:
        return _load(manifest, folder is not None)
    chosen = {**dict(manifest.defines), **(defines or {})}
    diagnostics = Diagnostics()
    manifest = _with_present_sources(manifest, diagnostics)
    linked: Linked | None = None
    if manifest.is_gameboy:
        from romproof.projects.gameboy import make_gameboy  # other programs do not need it

        image, texts = make_gameboy(manifest, chosen, diagnostics, progress)
    else:
        from romproof.toolchains.ca65.asm import Options
        from romproof.toolchains.ca65.obj.dialect import DIALECTS

        cpu = _ASSEMBLED_AS.get(manifest.cpu, manifest.cpu)
        debug = folder is not None and "dbg" in also
        options = Options(
            tuple(chosen.items()),
            manifest.include,
            cpu,
            progress=progress,
            tables=debug,
            debug_info=debug,
            dialect=DIALECTS[manifest.dialect],
        )
        linked = assemble_modules(
            manifest.sources,
            options,
            manifest.config,
            manifest.image_name,
            diagnostics,
            # of a cartridge they are pages of its PRG
            banks=() if manifest.machine == NES else manifest.banks,
        )
        image = linked.image
        texts = Texts()
    _check_header(manifest, image)
    if manifest.machine in CPUS:  # what assembles it knows of no difference
        image = replace(image, cpu=CPUS[manifest.machine])
    elif manifest.cpu in _EXECUTED_AS:
        image = replace(image, cpu=manifest.cpu)
    paged, known = image, manifest
    if manifest.machine == NES:
        paged, first = with_pages(image)
        known = replace(manifest, banks=manifest.banks or first)
    files: list[Path] = []
    if folder is not None:
        if notes is not None:
            said = notes
            texts = replace(texts, listing=lambda image: listing(image, said(image)))
        stem = folder / manifest.stem
        listed, labels, map = (stem.with_suffix(ending) for ending in manifest.endings)
        others = debug_files(manifest, folder, also, linked)
        files = write_outputs(image, folder, listed, labels, map, texts, others)
    return Built(known, paged, tuple(files), tuple(diagnostics.items))


def _with_present_sources(manifest: Manifest, diagnostics: Diagnostics) -> Manifest:
    """The manifest without the sources that are missing, each of which is an error: the faults of
    all others are found in the same run. Raises BuildFailed where none is left."""
    present = tuple(source for source in manifest.sources if source.exists())
    for source in manifest.sources:
        if source not in present:
            diagnostics.error(
                f"there is no file '{source}', a source of '{manifest.name}'",
                help="correct its path in the manifest, or run the command that writes it, "
                "such as make",
            )
    if not present:
        raise BuildFailed(diagnostics.items)
    return replace(manifest, sources=present)


def _check_header(manifest: Manifest, image: Image) -> None:
    """Raises BadImage where the machine would not take what was linked: then nothing is built,
    proved or inferred of it, either."""
    if manifest.machine != NES or any(file.data.startswith(MAGIC) for file in image.files[:1]):
        return
    raise BadImage(
        f"'{manifest.name}' is not an image for the machine 'nes': it does not begin with a "
        "header, 'NES' and $1A; for routines without a header set cpu = \"2a03\" and "
        'clock = "nes-ntsc" instead of the machine'
    )


DebugWriter = Callable[[Image], str]

_OF_IMAGES: Mapping[str, DebugWriter] = MappingProxyType({"mlb": mesen_labels, "lbl": vice_labels})
"""By the ending of the file: Mesen's labels, VICE's labels."""
DEBUG_FILES = ("dbg", *_OF_IMAGES)
"""The first is ld65's debug information."""


def debug_files(
    manifest: Manifest, folder: Path, wanted: Collection[str], linked: Linked | None
) -> list[tuple[Path, DebugWriter]]:
    """The files of some kinds beside an image, with what writes them; ``linked`` is the link of a
    program for the 6502.

    Raises BadInput for debug information of ld65 of another program than the 6502's.
    """
    if "dbg" in wanted and manifest.is_gameboy:
        raise BadInput(
            f"'{manifest.name}' is for the Game Boy, and a .dbg is only for the 6502; emulators "
            f"read the .sym that is always written, or an .mlb"
        )
    writers = dict(_OF_IMAGES)
    if linked is not None:
        from romproof.toolchains.ca65.link.dbgfile import debug_info

        program = linked
        writers["dbg"] = lambda _: debug_info(program)
    beside = [ending.removeprefix(".") for ending in manifest.endings]
    return [
        (folder / f"{manifest.stem}.{kind}", writers[kind])
        for kind in dict.fromkeys(wanted)
        if kind not in beside
    ]
