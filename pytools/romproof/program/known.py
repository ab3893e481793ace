"""The programs that this process has built or loaded, found by their files.

A machine that a test makes of the bytes of an image has no names; what is observed of it is told
by the program whose file that is.
"""

from __future__ import annotations

from weakref import WeakSet

from romproof.program.image import Image

_IMAGES: WeakSet[Image] = WeakSet()


def know(image: Image) -> None:
    """Remember a program for as long as somebody has it."""
    _IMAGES.add(image)


def image_of(data: bytes) -> Image | None:
    """The program whose first file has these bytes; None when nobody has it any more. Of several
    the one of which the most is known."""
    images = [image for image in _IMAGES if image.files and image.files[0].data == data]
    return max(images, key=lambda image: (len(image.lines), len(image.symbols)), default=None)
