"""Level 2: assemblers. A dialect reads source text and gives an object.

``ca65`` is the dialect of cc65's macro assembler, version 2.19.
"""

from romproof.asm.ca65.assembler import assemble, assemble_source
from romproof.asm.options import Options

__all__ = ["Options", "assemble", "assemble_source"]
