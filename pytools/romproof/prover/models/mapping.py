"""How a Python model takes a routine's inputs, and how its result is compared with the outputs.

All of it works on plain numbers and on symbolic ones alike: a proof does

    paths = Explorer(...).run(lambda: mapping.run(model, view_of_the_entry))
    for path in paths:                      # path.error: the model raises there
        for compared in mapping.compare(path.result, view_after_the_return):
            compared.equal                  # a bool, or a SymInt that must be 1 on this path

where the views give SymInts, and ``romproof.symbolic.numbers.integers.condition(compared.equal)``
is the term of one bit to be proved under the conditions of the path.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Sequence
from collections.abc import Mapping as Dict
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from romproof.contract.nouns.model import Contract
from romproof.isa.abi import Abi, Flag
from romproof.prover.states.model_places import (
    SHORT,
    BadMapping,
    ModelPlace,
    ModelPlaces,
    View,
    is_number,
)
from romproof.symbolic.numbers.choices import word
from romproof.symbolic.numbers.integers import SymInt
from romproof.symbolic.numbers.symbytes import SymBytes, same_bytes
from romproof.text.diagnostic import suggest

ModelFunction = Callable[..., Any]

Source = ModelPlace | tuple["Source", ...]
"""Where an argument comes from."""

Takes = Dict[str, str | Sequence[str]] | Sequence[str | Sequence[str]] | str
"""Parameters and where their values come from, by name or in order."""

Arguments = tuple[Sequence[Any], Dict[str, Any]]
"""Those in order, and those with a name."""

Gives = str | Sequence[str]
"""The places of a model's results, in order."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What the model says of a place, and what the routine left: numbers, or sequences of bytes."""

    place: ModelPlace
    expected: Any
    actual: Any

    @property
    def equal(self) -> Any:
        """Whether they are the same: a bool, or a SymInt of one bit."""
        if is_number(self.expected):
            return self.expected == self.actual
        return same_bytes(self.expected, self.actual)


@dataclass(frozen=True)
class Mapping:
    """Arguments and results of one model of one routine.

    ``positional`` and ``named`` are where its arguments come from, ``constants`` those that
    are the same for all inputs. ``gives`` are the places of its results in order;
    ``places`` finds others by name.
    """

    places: ModelPlaces
    positional: tuple[Source, ...]
    named: Dict[str, Source]
    constants: Dict[str, object]
    gives: tuple[ModelPlace, ...]

    @property
    def routine(self) -> str:
        """The name of the routine."""
        return self.places.contract.name

    def run(self, model: ModelFunction, entry: View) -> Any:
        """What the model gives for the inputs in ``entry``. Raises what it raises."""
        return self.call(model, self.arguments(entry))

    def arguments(self, entry: View) -> Arguments:
        """The inputs in ``entry`` as a model takes them: in order, and by name."""
        positional = [_value(source, entry) for source in self.positional]
        named = {name: _value(source, entry) for name, source in self.named.items()}
        return positional, named

    def call(self, model: ModelFunction, arguments: Arguments) -> Any:
        """The same for arguments that are known; what comes one by one is fetched."""
        positional, named = arguments
        return settle(model(*positional, **named, **self.constants))

    def compare(self, result: Any, after: View) -> tuple[Compared, ...]:
        """A model's result with what stands in ``after``. Raises BadMapping."""
        return tuple(compare_at(place, value, after) for place, value in self._pairs(result))

    def _pairs(self, result: Any) -> list[tuple[ModelPlace, Any]]:
        if isinstance(result, Dict):
            return self._from_dictionary(result)
        if len(self.gives) == 1:
            alone = isinstance(result, tuple) and len(result) == 1
            return [(self.gives[0], result[0] if alone else result)]
        count = len(result) if isinstance(result, (tuple, list)) else 1
        if count != len(self.gives) or not isinstance(result, (tuple, list)):
            raise BadMapping(
                f"the model of '{self.routine}' gives {_count(result)}, but its results are "
                f"{len(self.gives)}: {_names(self.gives) or 'none'}; return a tuple of "
                "as many, or a dict, or say which with gives=(...)"
            )
        return list(zip(self.gives, result, strict=True))

    def _from_dictionary(self, result: Dict[Any, Any]) -> list[tuple[ModelPlace, Any]]:
        names = tuple(result)
        places = self._key_cache.get(names)
        if places is None:
            places = self._key_cache[names] = self._name_places(names)
        return list(zip(places, result.values(), strict=True))

    @cached_property
    def _key_cache(self) -> dict[tuple[Any, ...], list[ModelPlace]]:
        """The places that keys of a dictionary stand for: the same for each of its runs."""
        return {}

    def _name_places(self, names: Iterable[Any]) -> list[ModelPlace]:
        by_name = {str(place): place for place in self.gives}
        found: list[ModelPlace] = []
        for name in names:
            if not isinstance(name, str):
                raise BadMapping(
                    f"the model of '{self.routine}' gives a dict with the key {name!r}: "
                    "keys are names of registers, flags and memory"
                )
            place = by_name.get(name) or find_output(self.places, name)
            same = [wanted for wanted in self.gives if wanted.items == place.items]
            # the order of bytes may be said by gives= alone
            found.append(same[0] if same and place.order is None else place)
        described = frozenset().union(*(place.items for place in found))
        missing = [place for place in self.gives if not place.items <= described]
        if missing:
            raise BadMapping(
                f"the model of '{self.routine}' does not give {_names(missing)}; add it to the "
                "dict, or name the outputs with gives=(...)"
            )
        return found


def mapping_of(
    contract: Contract,
    abi: Abi,
    model: ModelFunction,
    takes: Takes | None = None,
    gives: Gives | None = None,
    constants: Dict[str, object] | None = None,
) -> Mapping:
    """The mapping for a model; ``constants`` are values for parameters of such names, if any.

    Raises BadMapping when it is not clear what the model's parameters or results are.
    """
    if contract.pointers:
        raise BadMapping(
            f"the contract of '{contract.name}' has a pointer; a model receives no bytes of "
            f"{contract.pointers[0].name}: prove the contract with 'ensures:' instead"
        )
    for field in ("in", "out"):
        if field not in dict(contract.places) and not (field == "out" and gives):
            raise BadMapping(
                f"the contract of '{contract.name}' has no '{field}:'; a model can only be "
                f"compared with listed places"
            )
    places = ModelPlaces(contract, abi)
    positional, named, fixed = _arguments(places, model, takes, constants or {})
    return Mapping(places, positional, named, fixed, _results(places, gives))


def settle(result: Any) -> Any:
    """A result whose parts are there, in collections of Python's own: a generator runs no more."""
    if isinstance(result, (SymInt, SymBytes, str, bytes, bytearray)) or result is None:
        return result
    if isinstance(result, int):
        return int(result)
    if isinstance(result, Dict):
        return {key: settle(each) for key, each in result.items()}
    if isinstance(result, (tuple, list)):
        return (tuple if isinstance(result, tuple) else list)(map(settle, result))
    return list(map(settle, result)) if isinstance(result, Iterable) else result


def find_output(places: ModelPlaces, name: str) -> ModelPlace:
    """A place the routine may change, or leaves as it was. Raises BadMapping."""
    contract = places.contract
    return places.find(name, contract.outputs + contract.clobbers + contract.inputs, "output")


def _results(places: ModelPlaces, gives: Gives | None) -> tuple[ModelPlace, ...]:
    if gives is None:
        usual = [item for item in places.contract.outputs if not isinstance(item, Flag)]
        if not usual:
            raise BadMapping(
                f"'{places.contract.name}' has no registers and no memory under 'out:', so "
                f"there is nothing to compare; name the outputs with gives=(...)"
            )
        return tuple(places.of(usual))
    names = [gives] if isinstance(gives, str) else list(gives)
    if not names or not all(isinstance(name, str) for name in names):
        raise BadMapping(f"gives={gives!r} is neither a name nor a tuple of names")
    return tuple(find_output(places, name) for name in names)


def _arguments(
    places: ModelPlaces, model: ModelFunction, takes: Takes | None, constants: Dict[str, object]
) -> tuple[tuple[Source, ...], Dict[str, Source], Dict[str, object]]:
    """Positional arguments, those with a name, and constant ones."""
    parameters = _parameters(model)
    if takes is not None and not isinstance(takes, Dict):
        order = [takes] if isinstance(takes, str) else list(takes)
        names = [name for name, _, _ in parameters or ()]
        if parameters is None or len(order) > len(names):
            return tuple(_source(places, each) for each in order), {}, {}
        takes = dict(zip(names, order, strict=False))
    inputs = places.of(places.contract.inputs)
    if parameters is None:
        return tuple(inputs), {}, {}
    sources: dict[str, Source] = {}
    known = [name for name, _, _ in parameters]
    for name, wanted in (takes or {}).items():
        if name not in known:
            hint = suggest(name, known) or f"it has {', '.join(known) or 'none'}"
            raise BadMapping(f"takes={{{name!r}: …}}: the model has no such parameter; {hint}")
        sources[name] = _source(places, wanted)
    fixed = {name: constants[name] for name in known if name in constants and name not in sources}
    open_ = [(n, needed) for n, _, needed in parameters if n not in sources and n not in fixed]
    sources |= _by_name_or_order(places, inputs, open_, frozenset(_items(sources.values())))
    positional: list[Source] = []
    for name, only_positional, _ in parameters:
        if not only_positional or name not in sources:
            break
        positional.append(sources.pop(name))
    return tuple(positional), sources, fixed


def _by_name_or_order(
    places: ModelPlaces,
    inputs: Sequence[ModelPlace],
    parameters: Sequence[tuple[str, bool]],
    taken: Collection[object],
) -> dict[str, Source]:
    """Sources of parameters: by their names if those are inputs, else in order."""
    by_name: dict[str, Source] = {}
    for name, _ in parameters:
        try:
            by_name[name] = places.find(name, places.contract.inputs, "input")
        except BadMapping:
            continue
    needed = [name for name, is_needed in parameters if is_needed]
    strange = [name for name in needed if name not in by_name]
    if not strange:
        return by_name
    left = [place for place in inputs if not place.items & set(taken)]
    if len(strange) == len(needed) and not by_name and len(needed) == len(left):
        return dict(zip(needed, left, strict=True))
    listed = _names(inputs) or "none"
    which = "parameter" if len(strange) == 1 else "parameters"
    raise BadMapping(
        f"the {which} {', '.join(strange)} of the model: no such input of '{places.contract.name}' "
        f"(its inputs: {listed}); name the place: takes={{{strange[0]!r}: "
        f"'{inputs[0].name if inputs else '...'}'}}"
    )


def _parameters(model: ModelFunction) -> list[tuple[str, bool, bool]] | None:
    """Name, is it only positional, must it be given; None when nobody knows."""
    try:
        parameters = inspect.signature(model).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return None
    return [
        (p.name, p.kind is p.POSITIONAL_ONLY, p.default is p.empty)
        for p in parameters
        if p.kind is not p.VAR_KEYWORD
    ]


def _source(places: ModelPlaces, wanted: str | Sequence[Any]) -> Source:
    if isinstance(wanted, str):
        return places.find(wanted, places.contract.inputs, "input")
    if isinstance(wanted, (tuple, list)):
        return tuple(_source(places, each) for each in wanted)
    raise BadMapping(f"takes=…{wanted!r}: give names of inputs or tuples of names")


def _items(sources: Iterable[Source]) -> list[object]:
    items: list[object] = []
    for source in sources:
        items += source.items if isinstance(source, ModelPlace) else _items(source)
    return items


def _value(source: Source, entry: View) -> Any:
    if isinstance(source, ModelPlace):
        return source.read(entry)
    return tuple(_value(each, entry) for each in source)


def compare_at(place: ModelPlace, value: Any, after: View) -> Compared:
    """A value of a model's with what stands at its place. Raises BadMapping."""
    memory = place.memory
    if is_number(value):
        actual = place.read(after)
        if memory is None or is_number(actual):
            return Compared(place, value, actual)
        if memory.size > SHORT:
            raise BadMapping(
                f"the model gives a number for {place}, which has {memory.size} bytes; "
                f"say gives='{place}:big' or ':little', or give its bytes"
            )
        return Compared(place, value, word(actual, "little"))
    if memory is None or isinstance(value, str) or not isinstance(value, Iterable):
        raise BadMapping(f"the model gives {_count(value)} for {place}: it must be a number")
    if isinstance(value, SymBytes):
        cells: Any = value
    else:
        cells = bytes(value) if isinstance(value, (bytes, bytearray)) else list(value)
    if type(cells) is not bytes and not all(map(is_number, cells)):
        raise BadMapping(f"the model gives {value!r} for {place}: its bytes must be numbers")
    if len(cells) != memory.size:
        raise BadMapping(f"the model gives {len(cells)} bytes for {place}, which has {memory.size}")
    return Compared(place, cells, after.data(memory.address, memory.size))


def _names(places: Iterable[ModelPlace]) -> str:
    return ", ".join(map(str, places))


def _count(result: Any) -> str:
    if isinstance(result, (tuple, list)):
        return f"{len(result)} values" if len(result) != 1 else "1 value"
    if is_number(result):
        return "1 number"
    return "None" if result is None else f"a {type(result).__name__}"
