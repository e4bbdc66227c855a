"""What of protobuf's encoding models need (protobuf.dev/programming-guides/encoding)."""

from __future__ import annotations

LENGTH_DELIMITED = 2


def delimited(number: int, content: bytes) -> bytes:
    """A field of this number that holds bytes, a text or a message."""
    return varint((number << 3) | LENGTH_DELIMITED) + varint(len(content)) + content


def varint(value: int) -> bytes:
    """A number that is not negative."""
    encoded = bytearray()
    while value >= 0x80:
        encoded.append((value & 0x7F) | 0x80)
        value >>= 7
    return bytes((*encoded, value))
