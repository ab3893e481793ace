"""The dialect of ca65 and ld65: assembler, objects, linker."""
