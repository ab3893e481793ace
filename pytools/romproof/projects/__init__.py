"""From a manifest to an image on the disk."""

from romproof.projects.builder import assemble_and_link, build
from romproof.projects.built import Built
from romproof.projects.manifest import GAME_BOY, BadManifest, Manifest, load_manifest
from romproof.projects.outputs import Overwrites, write_outputs
from romproof.projects.project import (
    BadProject,
    Project,
    find_manifest,
    find_project,
    load,
    manifest_names,
)

__all__ = [
    "GAME_BOY",
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
