"""Which bytes of memory a failed comparison was about, and what wrote them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from romproof.harness.checks.journal import NotedRead
from romproof.harness.errors import CallRecord
from romproof.harness.replay.excerpt import chain, source_of
from romproof.harness.replay.instructions import memory_name, statement
from romproof.harness.replay.run import Write, find_last_writes
from romproof.isa.abi import Abi
from romproof.program.image import Image

MAX_BYTES = 8
"""Bytes that are reported, each with what wrote it."""
MAX_READS = 4
"""Reads that are reported when none of them was compared as it is."""


@dataclass(frozen=True, slots=True)
class Byte:
    """A byte that a test read after a call; ``expected`` is None where that is not known."""

    address: int
    value: int
    expected: int | None


def find_differences(read: NotedRead, values: Sequence[object]) -> list[Byte] | None:
    """The bytes of ``read`` in which two compared values differ, if it is one of these; else None.

    Bytes may have been compared as such, as a list, as hexadecimal text, or as a number.
    """
    for one, other in (values, values[::-1]):
        if one is not read.value and _as_bytes(one, read) != read.data:
            continue
        expected = _as_bytes(other, read)
        if expected is None:
            return [Byte(read.address + at, byte, None) for at, byte in enumerate(read.data)]
        return [
            Byte(read.address + at, byte, expected[at] if at < len(expected) else None)
            for at, byte in enumerate(read.data)
            if at >= len(expected) or expected[at] != byte
        ]
    return None


def _as_bytes(value: object, read: NotedRead) -> bytes | None:
    """A value as bytes, in the sense in which it may be equal to ``read``; None if in none."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    if isinstance(value, int) and not isinstance(value, bool):
        # one byte is a number only where a number was read: the same one may come by chance
        size = len(read.data)
        if 0 <= value < 1 << 8 * size and (size > 1 or isinstance(read.value, int)):
            return value.to_bytes(size, "little")
        return None
    try:
        if isinstance(value, str):
            return bytes.fromhex(value)
        if isinstance(value, (list, tuple)) and all(type(item) is int for item in value):
            return bytes(value)
    except ValueError:
        pass
    return None


def explain_memory(reads: Sequence[NotedRead], values: Sequence[object] | None) -> str:
    """What wrote the bytes that a failed test has compared, as text; "" if it read none.

    ``reads`` are the test's, the last one at the end; ``values`` the two sides of the comparison
    that failed, None where that is not known. If it is of none of the reads, the last of these
    are reported.
    """
    if values is not None:
        for read in reversed(reads):
            different = find_differences(read, values)
            if different:
                head = (
                    f"memory compared after the call of '{read.record.name}', and the writes to it:"
                )
                return "\n".join([head, *_describe_writes(read.record, different)])
    if not reads:
        return ""
    record = reads[-1].record
    recent = [read for read in reads if read.record is record][-MAX_READS:]
    places = {
        read.address + at: Byte(read.address + at, byte, None)
        for read in recent
        for at, byte in enumerate(read.data)
    }
    head = f"memory read after the call of '{record.name}', and the writes to it:"
    return "\n".join([head, *_describe_writes(record, list(places.values()))])


def _chain(image: Image, write: Write, abi: Abi) -> Iterator[str]:
    """The call chain of a write, and what is not known of it."""
    if write.unwatched:
        yield f"  … calls of the first {write.unwatched:,} {abi.cycles} are not listed"
    yield from chain(image, write.frames)


def _describe_writes(record: CallRecord, listed: Sequence[Byte]) -> Iterator[str]:
    shown = listed[:MAX_BYTES]
    writes = find_last_writes(record.scenario, [byte.address for byte in shown])
    image, abi = record.image, record.scenario.abi
    before: Write | None = None
    for byte in shown:
        name = memory_name(image, byte.address)
        place = f"${byte.address:04X}" + ("" if name.startswith("$") else f" {name}")
        text = f"  {place} is ${byte.value:02X}"
        if byte.expected is not None:
            text += f", expected ${byte.expected:02X}"
        write = writes.get(byte.address)
        if write is None:
            yield f"{text}: this call did not write it"
            continue
        value = "" if write.value == byte.value else f" with ${write.value:02X}, changed since"
        same = before is not None and (write.site, write.frames, write.by) == (
            before.site,
            before.frames,
            before.by,
        )
        wrote = f"{text}: written in {abi.cycle} {write.cycle}{value} by"
        if same:
            yield f"{wrote} the same {'callback' if write.by else 'instruction'}"
        elif write.by:
            at = "" if write.by.is_stub else f", at {image.describe(write.site)}"
            yield f"{wrote} {write.by}{at}"
            yield from (f"    {text}" for text in _chain(image, write, abi))
        else:
            yield f"{wrote} {image.describe(write.site)}{source_of(image, write.site)}"
            line = image.line_at(write.site)
            if line is not None:
                yield f"      {statement(line.span.text)}"
            yield from (f"    {text}" for text in _chain(image, write, abi))
        before = write
    if len(listed) > len(shown):
        yield f"  … and {len(listed) - len(shown)} more bytes"
