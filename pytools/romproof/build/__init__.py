"""Level 3: from a manifest to an image on the disk."""

from romproof.build.builder import Built, assemble_and_link, build, write_outputs
from romproof.build.manifest import BadManifest, Manifest, load_manifest
from romproof.build.project import BadProject, Project, find_manifest, load, manifest_names

__all__ = [
    "BadManifest",
    "BadProject",
    "Built",
    "Manifest",
    "Project",
    "assemble_and_link",
    "build",
    "find_manifest",
    "load",
    "load_manifest",
    "manifest_names",
    "write_outputs",
]
