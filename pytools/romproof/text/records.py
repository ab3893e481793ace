"""Dataclasses and protocols that cost little when a module is imported.

The tools with an original's command line are started once for each source: a start is most of
their time. The standard library's ``dataclass`` compiles six methods for each class, when it is
made, and imports ``inspect`` for that; ``typing`` is large, too. What is here behaves the same for
what it is used for, and compiles one method, for classes of which there are many instances:
``tests/text/test_records.py`` holds it against the original. To a type checker it is the original.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import replace as replace
    from typing import Protocol as Protocol
else:
    from _operator import attrgetter

    class Protocol:
        """What says which attributes something has, for type checkers only."""

        __slots__ = ()

    class _Missing:
        def __repr__(self):
            return "<default>"

    _MISSING = _Missing()
    _FEW = 12
    """Instances that are made without compiling a method for them: to compile one takes as long."""

    class _Field:
        """What ``field`` was given."""

        __slots__ = ("compare", "default", "default_factory", "repr")

        def __init__(self, default, default_factory, repr, compare):
            self.default = default
            self.default_factory = default_factory
            self.repr = repr
            self.compare = compare

    def field(*, default=_MISSING, default_factory=_MISSING, repr=True, compare=True):
        """As dataclasses.field."""
        return _Field(default, default_factory, repr, compare)

    def replace(record, /, **changes):
        """As dataclasses.replace."""
        for name in type(record).__match_args__:
            if name not in changes:
                changes[name] = getattr(record, name)
        return type(record)(**changes)

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True):
        """As dataclasses.dataclass; other arguments are not known."""
        if cls is None:
            return lambda made: _make(made, frozen, slots, eq)
        return _make(cls, frozen, slots, eq)

    class _Original:
        """The attribute that the standard library's functions know a dataclass by."""

        __slots__ = ("arguments", "fields", "made")

        def __init__(self, fields, arguments):
            self.fields = fields
            self.arguments = arguments
            self.made = None

        def __get__(self, record, cls):
            if self.made is not None:  # dataclasses.replace asks at each call
                return self.made
            import dataclasses

            names = {"__annotations__": {n: a for n, (a, _) in self.fields.items()}}
            for name, (_, given) in self.fields.items():
                if isinstance(given, _Field):
                    kinds = {"repr": given.repr, "compare": given.compare}
                    for kind in ("default", "default_factory"):
                        if getattr(given, kind) is not _MISSING:
                            kinds[kind] = getattr(given, kind)
                    names[name] = dataclasses.field(**kinds)
                elif given is not _MISSING:
                    names[name] = given
            made = dataclasses.dataclass(type(cls.__name__, (), names), **self.arguments)
            self.made = made.__dataclass_fields__
            return self.made

    def _make(cls, frozen, slots, eq):
        namespace = cls.__dict__
        fields = {}
        for base in reversed(cls.__mro__[1:]):
            known = base.__dict__.get("__dataclass_fields__")
            if isinstance(known, _Original):
                fields.update(known.fields)
        inherited = set(fields)
        for name, annotation in namespace.get("__annotations__", {}).items():
            if not str(annotation).startswith("ClassVar"):
                fields[name] = annotation, namespace.get(name, _MISSING)
        names = tuple(fields)
        if slots:
            without = {*names, "__dict__", "__weakref__"}
            body = {name: value for name, value in namespace.items() if name not in without}
            body["__slots__"] = tuple(name for name in names if name not in inherited)
            qualified = cls.__qualname__
            cls = type(cls)(cls.__name__, cls.__bases__, body)
            cls.__qualname__ = qualified
        else:
            for name, (_, given) in fields.items():
                if isinstance(given, _Field) and name in namespace:
                    delattr(cls, name)
                    if given.default is not _MISSING:
                        setattr(cls, name, given.default)
        cls.__dataclass_fields__ = _Original(fields, {"frozen": frozen, "slots": slots, "eq": eq})
        cls.__match_args__ = names
        if "__init__" not in namespace:
            cls.__init__ = _first_init(cls, fields, frozen, slots)
        if "__repr__" not in namespace:
            cls.__repr__ = _shown(fields)
        if eq and "__eq__" not in namespace:
            _compare(cls, tuple(n for n in names if _is_compared(fields[n][1])), frozen)
        if frozen:
            cls.__setattr__ = cls.__delattr__ = _refuse(cls, names)
            if slots and "__getstate__" not in namespace:
                cls.__getstate__, cls.__setstate__ = _state, _set_state
        return cls

    def _first_init(cls, fields, frozen, slots):
        left = _FEW

        def __init__(self, *arguments, **named):  # noqa: N807
            nonlocal left
            left -= 1
            values = _values(fields, arguments, named) if left >= 0 else None
            if values is None:  # also where something is wrong: that is told in Python's words
                cls.__init__ = init = _init(cls, fields, frozen, slots)
                init(self, *arguments, **named)
                return
            if frozen and not slots:
                self.__dict__.update(values)
            else:
                set_ = object.__setattr__ if frozen else setattr
                for name, value in values.items():
                    set_(self, name, value)
            if hasattr(cls, "__post_init__"):
                self.__post_init__()

        return __init__

    def _values(fields, arguments, named):
        """What the fields are for these arguments, in their order; None where these are wrong."""
        given = dict(zip(fields, arguments, strict=False))
        if len(given) < len(arguments) or not given.keys().isdisjoint(named):
            return None
        given.update(named)
        known = {name: _default(of) for name, (_, of) in fields.items() if name not in given}
        if any(one is _MISSING for one in known.values()) or not fields.keys() >= given.keys():
            return None
        return {
            name: given[name]
            if name in given
            else known[name].default_factory()
            if isinstance(known[name], _Field)
            else known[name]
            for name in fields
        }

    def _default(given):
        """The default of a field; what it was given, if a function makes it."""
        if not isinstance(given, _Field) or given.default_factory is not _MISSING:
            return given
        return given.default

    def _init(cls, fields, frozen, slots):
        """The method that sets all fields, in the quickest way that the class allows."""
        known = {"_MISSING": _MISSING}
        heads, lines = ["self"], []
        if frozen and not slots:
            lines.append("_all = self.__dict__")
        for name, (_, given) in fields.items():
            value, head = name, name
            if isinstance(given, _Field) and given.default_factory is not _MISSING:
                known[f"_make_{name}"] = given.default_factory
                head = f"{name}=_MISSING"
                value = f"_make_{name}() if {name} is _MISSING else {name}"
            else:
                default = given.default if isinstance(given, _Field) else given
                if default is not _MISSING:
                    known[f"_default_{name}"] = default
                    head = f"{name}=_default_{name}"
            heads.append(head)
            if not frozen:
                lines.append(f"self.{name} = {value}")
            elif slots:
                known[f"_set_{name}"] = getattr(cls, name).__set__
                lines.append(f"_set_{name}(self, {value})")
            else:
                lines.append(f"_all[{name!r}] = {value}")
        if hasattr(cls, "__post_init__"):
            lines.append("self.__post_init__()")
        body = "\n    ".join(lines or ["pass"])
        exec(f"def __init__({', '.join(heads)}):\n    {body}", known)
        init = known["__init__"]
        init.__qualname__ = f"{cls.__qualname__}.__init__"
        return init

    def _is_compared(given):
        return given.compare if isinstance(given, _Field) else True

    def _compare(cls, names, frozen):
        get = attrgetter(*names) if names else lambda record: ()

        def __eq__(self, other):  # noqa: N807
            if other.__class__ is not self.__class__:
                return NotImplemented
            return get(self) == get(other)

        cls.__eq__ = __eq__
        if "__hash__" in cls.__dict__ and cls.__dict__["__hash__"] is not None:
            return
        if not frozen:
            cls.__hash__ = None
        elif len(names) == 1:
            cls.__hash__ = lambda self: hash((get(self),))
        else:
            cls.__hash__ = lambda self: hash(get(self))

    _being_shown = set()

    def _shown(fields):
        names = [n for n, (_, g) in fields.items() if not isinstance(g, _Field) or g.repr]

        def __repr__(self):  # noqa: N807
            if id(self) in _being_shown:
                return "..."
            _being_shown.add(id(self))
            try:
                listed = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
            finally:
                _being_shown.discard(id(self))
            return f"{type(self).__qualname__}({listed})"

        return __repr__

    def _refuse(cls, names):
        def refuse(self, name, *value):
            if type(self) is cls or name in names:
                from dataclasses import FrozenInstanceError

                what = "assign to" if value else "delete"
                raise FrozenInstanceError(f"cannot {what} field {name!r}")
            (object.__setattr__ if value else object.__delattr__)(self, name, *value)

        return refuse

    def _state(self):
        return [getattr(self, name) for name in self.__match_args__]

    def _set_state(self, state):
        for name, value in zip(self.__match_args__, state, strict=True):
            object.__setattr__(self, name, value)
