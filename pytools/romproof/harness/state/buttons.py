"""The buttons of a machine, as tests press them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager


class Buttons:
    """``m.buttons.press("a")``, ``m.buttons.release("a")``, and ``with m.buttons.hold("a"):``.

    ``names`` are those that the machine has; ``player`` counts from 0. All raise BoardError for
    another name.
    """

    def __init__(
        self,
        names: Collection[str],
        press: Callable[[str, int], None],
        release: Callable[[str, int], None],
    ) -> None:
        self.names = tuple(names)
        self._press = press
        self._release = release

    def press(self, *buttons: str, player: int = 0) -> None:
        """Hold buttons down, until they are released."""
        for button in buttons:
            self._press(button, player)

    def release(self, *buttons: str, player: int = 0) -> None:
        """Let go of buttons; of all without names."""
        for button in buttons or self.names:
            self._release(button, player)

    @contextmanager
    def hold(self, *buttons: str, player: int = 0) -> Iterator[None]:
        """Hold buttons down for as long as the block lasts."""
        self.press(*buttons, player=player)
        try:
            yield
        finally:
            self.release(*buttons, player=player)
