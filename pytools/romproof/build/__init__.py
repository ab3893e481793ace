"""Level 3: from a manifest to an image on the disk."""

from romproof.build.builder import Built, Overwrites, assemble_and_link, build, write_outputs
from romproof.build.manifest import BadManifest, Manifest, load_manifest
from romproof.build.project import (
    BadProject,
    Project,
    find_manifest,
    find_project,
    load,
    manifest_names,
)

__all__ = [
    "BadManifest",
    "BadProject",
    "Built",
    "Manifest",
    "Overwrites",
    "Project",
    "assemble_and_link",
    "build",
    "find_manifest",
    "find_project",
    "load",
    "load_manifest",
    "manifest_names",
    "write_outputs",
]
