"""Objects as RGBDS knows them: sections, symbols, patches and assertions; the file format RGB9."""
