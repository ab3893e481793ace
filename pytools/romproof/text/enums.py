"""Enumerations without ``enum``, which makes dozens of classes when it is imported.

What is here behaves the same for what it is used for: members that are constants of a class, which
are found by name and by value, compared by identity, pickled and copied as themselves
(``tests/text/test_enums.py`` holds it against the original). To a type checker it is the original.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from enum import Enum as Enum
    from enum import IntEnum as IntEnum
else:

    class _Kind(type):
        """The class of enumerations."""

        def __new__(kind, name, bases, namespace):
            cls = super().__new__(kind, name, bases, namespace)
            cls.__members__ = {}
            cls._by_value = {}
            for key, value in namespace.items():
                if key[0] != "_" and not hasattr(value, "__get__"):
                    cls._add(key, value)
            return cls

        def _add(cls, name, value):
            member = cls._by_value.get(value)
            if member is None:  # else another name of it
                of_number = issubclass(cls, int)
                member = int.__new__(cls, value) if of_number else object.__new__(cls)
                member.name = member._name_ = name
                member.value = member._value_ = value
                cls._by_value[value] = member
            cls.__members__[name] = member
            setattr(cls, name, member)

        def __call__(cls, value):
            if value.__class__ is cls:
                return value
            if value not in cls._by_value:
                raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
            return cls._by_value[value]

        def __getitem__(cls, name):
            return cls.__members__[name]

        def __iter__(cls):
            return iter(cls._by_value.values())

        def __len__(cls):
            return len(cls._by_value)

        def __contains__(cls, member):
            return member.__class__ is cls or member in cls._by_value

    class Enum(metaclass=_Kind):
        """As enum.Enum."""

        def __repr__(self):
            return f"<{self.__class__.__name__}.{self.name}: {self.value!r}>"

        def __str__(self):
            return f"{self.__class__.__name__}.{self.name}"

        def __reduce_ex__(self, protocol):
            return self.__class__, (self.value,)

    class IntEnum(int, Enum):
        """As enum.IntEnum."""

        __repr__ = Enum.__repr__
        __str__ = int.__repr__
