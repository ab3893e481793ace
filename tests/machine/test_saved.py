"""The state of devices that refer to each other, taken out and put back elsewhere."""

from __future__ import annotations

from romproof.machine.saved import copy_state, put_back


class Shared:
    """Something that every machine has one of."""


class Device:
    __slots__ = ("other", "shared", "values")

    def __init__(self, shared: Shared) -> None:
        self.shared = shared
        self.other: Device | None = None
        self.values: list[object] = [1, self]


def machine() -> tuple[list[Device], Shared]:
    shared = Shared()
    devices = [Device(shared), Device(shared)]
    devices[0].other, devices[1].other = devices[1], devices[0]
    return devices, shared


def test_references_are_those_of_the_machine_it_is_put_back_into() -> None:
    (first, shared), (second, own) = machine(), machine()
    first[0].values.append("more")
    saved = copy_state(first, [shared])
    first[0].values.append("later")
    for devices, there in ((second, own), (first, shared)):
        put_back(devices, saved, [there])
        assert devices[0].values == [1, devices[0], "more"]
        assert devices[0].other is devices[1]
        assert devices[1].values == [1, devices[1]]
        assert devices[0].shared is devices[1].shared is there


def test_what_was_saved_stays_as_it_is() -> None:
    devices, shared = machine()
    saved = copy_state(devices, [shared])
    put_back(devices, saved, [shared])
    devices[0].values.append("later")
    put_back(devices, saved, [shared])
    assert devices[0].values == [1, devices[0]]
