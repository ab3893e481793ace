"""Level 2: the linker; assembled objects and a layout become an image."""

from romproof.link.config import Config
from romproof.link.config_parser import parse_config
from romproof.link.defaults import default_config
from romproof.link.labels import vice_labels
from romproof.link.linker import link
from romproof.link.listing import listing
from romproof.link.maptext import map_text

__all__ = [
    "Config",
    "default_config",
    "link",
    "listing",
    "map_text",
    "parse_config",
    "vice_labels",
]
