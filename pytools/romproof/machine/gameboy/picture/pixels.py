"""The Game Boy's picture, dot by dot: the fetcher of tiles, two queues of pixels, and what leaves
them.

In mode 3 a fetcher reads rows of tiles, eight pixels at a time, into a queue. A pixel leaves it in
each dot, unless the queue is empty or an object (a sprite) is being fetched. The first eight pixels
of a line are not shown, and those that SCX scrolls out come before them. Registers are looked at
where the hardware looks at them, so that what is written in mode 3 shows from that dot on. Sources:
Pan Docs, "Pixel FIFO" and "Rendering"; mealybug-tearoom-tests with its documentation of the PPU;
for the order of events in a dot, DocBoy, which passes all of those tests.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import fields
from romproof.machine.gameboy import line as at
from romproof.machine.gameboy.picture.canvas import (
    BANK,
    END,
    FLIP_X,
    FLIP_Y,
    HEIGHT,
    LOW_TILES,
    MAP,
    MOST,
    OBJECTS,
    OF_WINDOW,
    SECOND_BANK,
    SHOWN_FROM,
    TALL,
    WIDTH,
    WINDOW,
    WINDOW_MAP,
    mirrored,
)  # fmt: skip
from romproof.machine.gameboy.picture.log import OAM, VRAM
from romproof.machine.gameboy.picture.quick import QuickLines

_FIRST_DOT = 88
"""The dot of a line in which mode 3 does its first work; STAT shows it two dots earlier."""
_IDLE_DOTS = 3
"""Dots before the first pixel leaves the queue."""
_SEARCHED = 8
"""The dot of a line in which the first object is looked at; two dots each."""

(
    _TILE, _TILE_2, _LOW, _LOW_2, _HIGH, _HIGH_2, _REST,
    _OBJECT, _OBJECT_2, _OBJECT_LOW, _OBJECT_LOW_2, _OBJECT_HIGH, _OBJECT_HIGH_2,
) = range(13)  # fmt: skip
"""What the fetcher does next. Each step takes two dots; it reads in the first for tiles and in the
second for objects."""


@fields({"_waiting": END + 1, "_color": 8, "_attributes": 8, "_owner": 8})
class Pixels(QuickLines):
    """Draws a frame: most lines at once, those in which something is written dot by dot.

    A row of a tile or an object that is fetched is in ``_low`` and ``_high``. The background's
    queue is two bytes, whose highest bits leave it first; the queue of objects has eight places,
    of which ``_head`` is the first.
    """

    by_dots: bool
    """Draw no line at once."""
    _x: int
    """How many pixels have left the queue."""
    _discard: int
    """Pixels that are scrolled out, and have yet to leave."""
    _step: int
    _tile: int
    _tile_attributes: int
    _row: int
    _low: int
    _high: int
    _may_push: bool
    _is_pushed: bool
    """A row was fetched and comes to the queue in the next dot."""
    _column: int
    """Pixels of the background that were fetched."""
    _kept_low: int
    _kept_high: int
    _is_kept: bool
    """A row was fetched when an object was found: it waits for the end of that."""
    _queued: int
    _queue_low: int
    _queue_high: int
    _queue_attributes: int
    _queue_cell: int
    _cell: int
    """Where the row comes from that is being fetched, see ``cells``."""
    _window_column: int
    _is_window: bool
    """The fetcher reads the window's tiles."""
    _of_window: bool
    """The row that is being fetched is one of the window."""
    _window_starts: bool
    """The window begins in the next dot."""
    _is_first_of_window: bool
    _waiting: MutableSequence[int]
    _is_object: bool
    """An object is being fetched."""
    _color: MutableSequence[int]
    _attributes: MutableSequence[int]
    _owner: MutableSequence[int]
    _head: int
    _objects_queued: int

    def draw(self, half: int) -> None:
        """Draw a frame of the log."""
        self._begin_frame(half)
        begin = self._frames.begins[half]
        for line in range(HEIGHT):
            self._draw_line(line, begin + line * at.LINE)

    # a line

    def _draw_line(self, line: int, begin: int) -> None:
        self._apply(begin)
        self._line = line
        self._look_for_window()
        self._search(begin)
        # a Color's fetcher may show a byte that it read in the line before
        end = begin + (2 * at.LINE if self._is_cgb else at.LINE)
        if self._due >= end and not self.by_dots and self._is_simple():
            self._settle()
            self._draw_at_once()
            return
        dot = begin + _FIRST_DOT
        self._apply(dot)
        self._settle()
        self._begin_line()
        dot += _IDLE_DOTS - 1
        self._apply(dot)
        self._fill_first()
        while self._x < END and dot < begin + at.LINE:
            dot += 1
            if self._is_stale:
                self._settle()
            if self._due <= dot:
                self._apply(dot)
            self._tick()
        for x in range(max(self._x, SHOWN_FROM), END):  # the line ended before
            place = self._line * WIDTH + x - SHOWN_FROM
            if self.explains:
                self.cells[place] = -1
            self._mix(place, 0, 0, 0, 0, 0, self._lcdc)

    def _search(self, begin: int) -> None:
        """Find the objects of the line, in mode 2."""
        for x in range(END):
            self._waiting[x] = 0
        self._found_count = 0
        for number in range(40):
            self._apply(begin + _SEARCHED + 2 * number)
            if self._found_count == MOST:
                return
            place = OAM + 4 * number
            height = 16 if self._lcdc & TALL else 8
            if 0 <= self._line + 16 - self._memory[place] < height:
                x = self._memory[place + 1]
                if x < END:
                    self._waiting[x] |= 1 << self._found_count
                self._found[self._found_count] = number
                self._found_count += 1

    def _begin_line(self) -> None:
        self._x = self._discard = 0
        self._queued = self._objects_queued = self._head = 0
        self._may_push = self._is_pushed = self._is_kept = False
        self._is_object = self._is_window = self._of_window = False
        self._window_starts = self._is_first_of_window = False
        self._column = self._window_column = 0
        self._step = _TILE

    def _fill_first(self) -> None:
        """The first row in the queue is none of a tile: it is not shown."""
        self._queued, self._queue_low, self._queue_high = 8, 0, 0
        self._queue_attributes, self._queue_cell = 0, -1
        self._discard = self._scx & 7
        if self._discard:
            self._look_for_start()

    # a dot of mode 3

    def _tick(self) -> None:
        if self._window_starts:
            self._start_window()
            if self._discard:
                return  # the fetcher begins a dot later there
        if self._is_pushed:
            self._is_pushed = False
            self._queued, self._queue_low, self._queue_high = 8, self._low, self._high
            self._queue_attributes = self._tile_attributes
            self._queue_cell = self._cell
        x = self._x
        if self._queued and not self._is_object and not self._is_object_there():
            if self._discard:
                self._pop_background()
                self._discard -= 1
            else:
                self._pop(x)
                x += 1
                if x == END:
                    self._x = x
                    return
                self._look_for_start()
        self._fetch()
        self._push()
        if x != self._x:
            self._waiting[self._x] = 0
            self._x = x

    def _is_object_there(self) -> bool:
        return bool(self._waiting[self._x] and self._lcdc & OBJECTS)

    def _pop_background(self) -> int:
        """The colour of the background's next pixel."""
        color = self._queue_low >> 7 & 1 | self._queue_high >> 6 & 2
        self._queue_low = self._queue_low << 1 & 0xFF
        self._queue_high = self._queue_high << 1 & 0xFF
        self._queued -= 1
        return color

    def _pop(self, x: int) -> None:
        color = self._pop_background()
        front = attributes = owner = 0
        if self._objects_queued:
            front = self._color[self._head]
            attributes = self._attributes[self._head]
            owner = self._owner[self._head]
            self._head = self._head + 1 & 7
            self._objects_queued -= 1
        if x >= SHOWN_FROM:
            place = self._line * WIDTH + x - SHOWN_FROM
            if self.explains:
                self.cells[place] = self._queue_cell
            # a DMG sees LCDC a dot late but in the first pixel
            lcdc = self._lcdc if self._is_cgb or x == SHOWN_FROM else self._last_lcdc
            self._mix(place, color, self._queue_attributes, front, attributes, owner & 0x3F, lcdc)

    # the window

    def _look_for_start(self) -> None:
        """The window begins where X is WX. On a DMG it may begin a pixel later if it is switched on
        there, and WX is seen a dot late."""
        if not self._is_window_seen or self._is_window or not self._lcdc & WINDOW:
            return
        if self._is_cgb:
            starts = self._x == self._wx
        else:
            starts = self._x == self._last_wx or (
                self._x == self._last_wx + 1 and not self._last_lcdc & WINDOW
            )
        if starts:
            self._window_starts = True
            self._window_line += 1
            self._may_push = False
            self._step = _REST

    def _start_window(self) -> None:
        self._window_starts = False
        self._queued = 0
        self._is_window = self._is_first_of_window = True
        self._window_column = 0
        self._step = _TILE

    # the fetcher

    def _fetch(self) -> None:
        step = self._step
        if step == _REST:
            return
        if step == _TILE:
            self._fetch_tile()
        elif step == _LOW:
            self._leave_window()
            self._low = self._read_row(0)
        elif step == _LOW_2:
            self._leave_window()
            if self._is_cgb:
                self._low = self._confuse(self._low)
        elif step == _HIGH:
            self._leave_window()
            self._high = self._read_row(1)
        elif step == _HIGH_2:
            if self._is_cgb:
                self._high = self._confuse(self._high)
            if not self._is_first_of_window:
                self._column += 8
            self._may_push = True
        elif step < _REST:
            self._leave_window()
        else:
            self._fetch_object()
            return
        self._step = step + 1

    def _leave_window(self) -> None:
        """If the window is switched off, its row becomes one of the background."""
        if not self._lcdc & WINDOW:
            self._of_window = False

    def _fetch_tile(self) -> None:
        """Read the number of a tile from its map."""
        lcdc = self._lcdc
        if self._is_window and not lcdc & WINDOW:
            self._is_window = False
        self._of_window = self._is_window
        if self._is_window:
            column, row = self._window_column & 31, self._window_line >> 3 & 31
            self._window_column += 1
            is_second = lcdc & WINDOW_MAP
        else:
            column = (self._column + self._scx >> 3) & 31
            row = (self._line + self._scy >> 3) & 31
            is_second = lcdc & MAP
        place = VRAM + (0x1C00 if is_second else 0x1800) + 32 * row + column
        self._tile = self._memory[place]
        self._tile_attributes = self._memory[place + SECOND_BANK] if self._in_color else 0
        self._row = self._scy
        if self.explains:
            self._cell = place | self._tile << 16 | self._tile_attributes << 24
            if self._is_window:
                self._cell |= OF_WINDOW

    def _read_row(self, high: int) -> int:
        """A byte of the row. SCY and LCDC are looked at anew for each, SCY not in revision E."""
        if self._of_window:
            row = self._window_line & 7
        else:
            row = self._line + (self._row if self._keeps_scy else self._scy) & 7
        attributes = self._tile_attributes
        if attributes & FLIP_Y:
            row ^= 7
        tile = self._tile
        if not self._lcdc & LOW_TILES and tile < 0x80:
            tile += 0x100
        place = VRAM + (SECOND_BANK if attributes & BANK else 0) + 16 * tile + 2 * row + high
        value = self._memory[place]
        if self._lcdc & LOW_TILES:
            self._last_low_tile = value
        return mirrored(value) if attributes & FLIP_X else value

    def _confuse(self, value: int) -> int:
        """A Color has another byte than the one that it has read if LCDC chooses the other tiles in
        the second dot of a step: the number of the tile, or what it last read of those at $8000.
        Where both choices mean the same tile there is no difference."""
        if self._tile >= 0x80 or not (self._lcdc ^ self._last_lcdc) & LOW_TILES:
            return value
        return self._last_low_tile if self._lcdc & LOW_TILES else self._tile

    def _push(self) -> None:
        """A row that was fetched goes to the queue when that is empty; an object that is there is
        fetched before."""
        if not self._may_push or self._is_object:
            return
        is_empty = not self._queued
        if is_empty:
            if (
                self._is_window_seen
                and self._x == self._wx
                and not self._is_first_of_window
                and (self._is_window or not self._is_cgb)
            ):
                # where the window would begin once more, a pixel of colour 0 comes between
                self._queued, self._queue_low, self._queue_high = 1, 0, 0
                return
            self._is_pushed = True
            self._may_push = False
            self._step = _TILE
            if self._is_first_of_window:
                self._is_first_of_window = False
                return
        if self._is_object_there():
            if not is_empty:
                self._kept_low, self._kept_high, self._is_kept = self._low, self._high, True
            self._is_object = True
            self._take_object()
            self._step = _OBJECT_2

    # objects

    def _take_object(self) -> None:
        """Of the objects at an X the last is fetched first."""
        bits, number = self._waiting[self._x], MOST - 1
        while not bits >> number & 1:
            number -= 1
        self._waiting[self._x] = bits & ~(1 << number)
        self._object = self._found[number]

    def _fetch_object(self) -> None:
        step = self._step
        if step == _OBJECT_2:
            self._look_at(self._object)
        elif step == _OBJECT_LOW_2:
            self._low = self._read_object(0)
        elif step == _OBJECT_HIGH_2:
            self._high = self._read_object(1)
            self._mix_object()
            if self._is_object_there():
                self._take_object()
                self._step = _OBJECT
                return
            if self._is_kept:
                self._low, self._high, self._is_kept = self._kept_low, self._kept_high, False
            self._is_object = False
            self._step = _REST
            return
        self._step = step + 1

    def _mix_object(self) -> None:
        """Queue an object's pixels. One that is there stays unless it is of colour 0; or of an
        object that comes later in OAM, on a DMG only one at the same X."""
        for number in range(8):
            color = self._low >> 7 - number & 1 | (self._high >> 7 - number & 1) << 1
            place = self._head + number & 7
            if number < self._objects_queued and self._color[place]:
                owner = self._owner[place]
                is_first = (owner & 0x3F) > self._object and (
                    self._in_color or owner >> 6 == self._x
                )
                if not color or not is_first:
                    continue
            elif number < self._objects_queued and not color:
                continue
            self._color[place] = color
            self._attributes[place] = self._object_attributes
            self._owner[place] = self._x << 6 | self._object
        self._objects_queued = 8
