"""Level 2: the linker; assembled objects and a layout become an image."""

from romproof.program.labels import vice_labels
from romproof.program.listing import listing
from romproof.program.maptext import map_text
from romproof.toolchains.ca65.link.config import Config
from romproof.toolchains.ca65.link.config_parser import parse_config
from romproof.toolchains.ca65.link.defaults import default_config
from romproof.toolchains.ca65.link.linker import link

__all__ = [
    "Config",
    "default_config",
    "link",
    "listing",
    "map_text",
    "parse_config",
    "vice_labels",
]
