"""Assemble, link, and write everything or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from romproof.asm import Options, assemble
from romproof.asm.options import Progress
from romproof.build.manifest import Manifest
from romproof.link import Config, default_config, link, parse_config
from romproof.link.labels import vice_labels
from romproof.link.listing import listing
from romproof.link.maptext import map_text
from romproof.obj.image import Image
from romproof.obj.object import Object
from romproof.text.diagnostic import BuildFailed, Diagnostic, Diagnostics
from romproof.text.errors import RomproofError
from romproof.text.files import write_all
from romproof.text.span import Source


class Overwrites(RomproofError):
    """An output would replace a source, or another output."""


@dataclass(frozen=True, slots=True)
class Built:
    """A ROM that was built: its image, the files written, and the warnings."""

    manifest: Manifest
    image: Image
    files: tuple[Path, ...]
    diagnostics: tuple[Diagnostic, ...]


def assemble_and_link(
    sources: Sequence[Path],
    options: Options,
    config: Path | None,
    output: str,
    diagnostics: Diagnostics,
    start_address: int | None = None,
) -> Image:
    """The image of ``sources``, laid out by ``config`` (None: the default layout).

    ``output`` is the name of the main file (``%O``). The faults of all sources
    and of the layout are collected before BuildFailed is raised.
    """
    layout = _layout(config, diagnostics)
    objects: list[Object] = []
    for path in sources:
        try:
            objects.append(assemble(path, options, diagnostics))
        except BuildFailed:
            continue  # its faults are among the diagnostics; the next file may have more
    if diagnostics.errors or layout is None:
        raise BuildFailed(diagnostics.items)
    return link(
        objects, layout, output=output, start_address=start_address, diagnostics=diagnostics
    )


def _layout(config: Path | None, diagnostics: Diagnostics) -> Config | None:
    if config is None:
        return default_config()
    try:
        text = config.read_bytes().decode("utf-8", "surrogateescape")
    except OSError as fault:
        diagnostics.error(f"Cannot open linker configuration '{config}': {fault.strerror}")
        return None
    try:
        return parse_config(Source(str(config), text), diagnostics)
    except BuildFailed:
        return None  # its faults are among the diagnostics


def write_outputs(
    image: Image,
    folder: Path,
    listing_file: Path | None = None,
    labels_file: Path | None = None,
    map_file: Path | None = None,
) -> list[Path]:
    """Write the image's files into ``folder`` and what goes along; gives the paths.

    All of them or none. Raises OSError, and Overwrites when a file would
    replace a source or another output.
    """
    makers = ((listing_file, listing), (labels_file, vice_labels), (map_file, map_text))
    texts = [(path, make(image)) for path, make in makers if path is not None]
    files: list[tuple[Path, bytes | str]] = [
        *((folder / file.name, file.data) for file in image.files),
        *texts,
    ]
    taken = {Path(source.name).resolve(): "is a source" for source in image.sources}
    for path, _ in files:
        if path.resolve() in taken:
            raise Overwrites(f"cannot write '{path}': it {taken[path.resolve()]}")
        taken[path.resolve()] = "is written already"
    return write_all(files)


def build(
    manifest: Manifest,
    folder: Path | None = None,
    defines: Mapping[str, int] | None = None,
    progress: Progress | None = None,
) -> Built:
    """Build a ROM; ``defines`` win over those of the manifest.

    With a ``folder`` the image, its listing (.lst), labels (.lbl) and map
    (.map) are written there. Raises BuildFailed; then nothing is written.
    """
    chosen = {**dict(manifest.defines), **(defines or {})}
    options = Options(tuple(chosen.items()), manifest.include, manifest.cpu, progress=progress)
    diagnostics = Diagnostics()
    image = assemble_and_link(
        manifest.sources, options, manifest.config, manifest.image_name, diagnostics
    )
    files: list[Path] = []
    if folder is not None:
        stem = folder / manifest.stem
        files = write_outputs(
            image,
            folder,
            stem.with_suffix(".lst"),
            stem.with_suffix(".lbl"),
            stem.with_suffix(".map"),
        )
    return Built(manifest, image, tuple(files), tuple(diagnostics.items))
