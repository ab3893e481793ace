"""Which Game Boy it is: the first, or the Color, which also plays games of the first."""

from __future__ import annotations

from dataclasses import dataclass

from romproof.formats.layout import GameBoyModel
from romproof.machine.board import BoardError
from romproof.machine.gameboy.header import CartridgeHeader
from romproof.text.diagnostic import suggest


@dataclass(frozen=True, slots=True)
class Console:
    """A model, and whether its colour functions are on: the Color switches them off for a cartridge
    that does not ask for them."""

    model: GameBoyModel
    in_color: bool

    @property
    def is_cgb(self) -> bool:
        """Whether it is a Game Boy Color, in whatever mode."""
        return self.model is not GameBoyModel.DMG

    @property
    def is_e(self) -> bool:
        """Whether it is a Color of revision E."""
        return self.model is GameBoyModel.CGB_E


DMG = Console(GameBoyModel.DMG, in_color=False)


def find_console(header: CartridgeHeader, model: GameBoyModel | str | None = None) -> Console:
    """The model that was asked for; when none was, the Color for cartridges that use it.

    Raises BoardError for a name that is no model's.
    """
    if isinstance(model, str):
        names = [each.value for each in GameBoyModel]
        if model not in names:
            hint = suggest(model, names) or f"there are: {', '.join(names)}"
            raise BoardError(f"no Game Boy '{model}'; {hint}")
        model = GameBoyModel(model)
    if model is None:
        model = GameBoyModel.CGB if header.uses_color else GameBoyModel.DMG
    return Console(model, in_color=model is not GameBoyModel.DMG and header.uses_color)
