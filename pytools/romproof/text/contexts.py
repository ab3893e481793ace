"""``contextmanager`` for what is imported at each start: ``contextlib`` has 18 classes besides.

What is here behaves the same for functions that yield once:
``tests/text/test_contexts.py`` holds it against the original. To a type checker it is the original.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import contextmanager as contextmanager
else:

    def contextmanager(function):
        """As contextlib.contextmanager, but for use as a decorator of functions."""

        def begin(*arguments, **named):
            return _Block(function(*arguments, **named))

        begin.__name__, begin.__qualname__ = function.__name__, function.__qualname__
        begin.__doc__, begin.__module__ = function.__doc__, function.__module__
        begin.__wrapped__ = function
        return begin

    class _Block:
        """What goes on around a ``with`` block: a generator that has not begun."""

        __slots__ = ("_steps",)

        def __init__(self, steps):
            self._steps = steps

        def __enter__(self):
            for value in self._steps:
                return value
            raise RuntimeError("generator didn't yield")

        def __exit__(self, kind, fault, trace):
            if kind is None:
                for _ in self._steps:
                    self._steps.close()
                    raise RuntimeError("generator didn't stop")
                return False
            if fault is None:
                fault = kind()
            try:
                self._steps.throw(fault)
            except StopIteration as end:
                return end is not fault
            except RuntimeError as raised:
                if raised is fault:
                    return _goes_on(fault, trace)
                if isinstance(fault, StopIteration) and raised.__cause__ is fault:
                    return _goes_on(fault, trace)  # the block's own, which a generator wraps
                raise
            except BaseException as raised:
                if raised is not fault:
                    raise
                return _goes_on(fault, trace)
            self._steps.close()
            raise RuntimeError("generator didn't stop after throw()")

    def _goes_on(fault, trace):
        """What came from the block is raised by it again, as it was."""
        fault.__traceback__ = trace
        return False
