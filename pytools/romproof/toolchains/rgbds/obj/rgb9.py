"""Object files of RGBDS, format RGB9 revision 13, as rgbds(5) describes them.

What is read back from a written object equals it, but for spans, lines and
sources, which the format has no room for.
"""

from romproof.toolchains.rgbds.obj.rgb9_bytes import MAGIC, REVISION, MalformedObject
from romproof.toolchains.rgbds.obj.rgb9_read import read_object
from romproof.toolchains.rgbds.obj.rgb9_write import write_object

__all__ = ["MAGIC", "REVISION", "MalformedObject", "read_object", "write_object"]
