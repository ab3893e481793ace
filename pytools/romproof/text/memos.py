"""What is kept once it is made, without ``functools``, which imports a dozen modules.

What is here behaves the same for what it is used for: ``tests/text/test_memos.py`` holds it
against the original. To a type checker it is the original.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from functools import cache as cache
    from functools import cached_property as cached_property
    from functools import lru_cache as lru_cache
    from types import MappingProxyType as MappingProxyType
else:
    from _functools import _lru_cache_wrapper

    MappingProxyType = type(type.__dict__)

    def _info(*counts):
        from functools import _CacheInfo

        return _CacheInfo(*counts)

    def lru_cache(maxsize):
        """As functools.lru_cache, with a number of results to keep; None: all."""

        def keeping(function):
            made = _lru_cache_wrapper(function, maxsize, False, _info)
            made.__wrapped__ = function
            for name in ("__module__", "__name__", "__qualname__", "__doc__"):
                setattr(made, name, getattr(function, name))
            made.cache_parameters = lambda: {"maxsize": maxsize, "typed": False}
            return made

        return keeping

    cache = lru_cache(None)

    class cached_property:  # noqa: N801
        """As functools.cached_property."""

        def __init__(self, function):
            self.func = function
            self.attrname = function.__name__
            self.__doc__ = function.__doc__

        def __set_name__(self, owner, name):
            self.attrname = name

        def __get__(self, record, owner=None):
            if record is None:
                return self
            kept = record.__dict__
            if self.attrname not in kept:
                kept[self.attrname] = self.func(record)
            return kept[self.attrname]
