"""Where the cursor is: nothing is written to the screen's memory."""

from __future__ import annotations

from romproof.machine.c64 import petscii

COLUMN, ROW = 0xD3, 0xD6
COLUMNS, ROWS = 40, 25
_RETURNS = (petscii.RETURN, petscii.SHIFTED_RETURN)
_MOVES = {petscii.RIGHT: 1, petscii.LEFT: -1, petscii.DELETE: -1}
_LINES = {petscii.DOWN: COLUMNS, petscii.UP: -COLUMNS}


class Editor:
    """The cursor's row and column, in the KERNAL's variables."""

    def __init__(self, ram: bytearray) -> None:
        self._ram = ram

    def prepare(self) -> None:
        """The cursor is at the top left."""
        self.move(0, 0)

    @property
    def position(self) -> tuple[int, int]:
        """Row and column."""
        return self._ram[ROW], self._ram[COLUMN]

    def move(self, row: int, column: int) -> None:
        """Put the cursor somewhere."""
        self._ram[ROW], self._ram[COLUMN] = row, column

    def write(self, code: int) -> None:
        """What a character does to the cursor. At the last line the screen scrolls."""
        row, column = self.position
        if code in (petscii.HOME, petscii.CLEAR):
            self.move(0, 0)
        elif code in _RETURNS:
            self.move(min(row + 1, ROWS - 1), 0)
        elif code in _MOVES or code in _LINES or code & 0x60:
            step = _MOVES.get(code) or _LINES.get(code, 1)
            place = max(row * COLUMNS + column + step, 0)
            row, column = divmod(place, COLUMNS)
            self.move(min(row, ROWS - 1), column)
