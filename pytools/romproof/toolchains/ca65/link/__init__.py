"""The linker; assembled objects and a layout become an image."""

from romproof.toolchains.ca65.link.config import Config
from romproof.toolchains.ca65.link.config_parser import parse_config
from romproof.toolchains.ca65.link.defaults import default_config
from romproof.toolchains.ca65.link.linker import link

__all__ = [
    "Config",
    "default_config",
    "link",
    "parse_config",
]
