"""Counts that the wire has in 32 bits: of stamps, feedbacks and packets."""

from __future__ import annotations

COUNT_MODULUS = 2**32


def counted_since(count: int, before: int) -> int:
    """How far a count has gone on."""
    return (count - before) % COUNT_MODULUS


def is_later(sequence: int, than: int) -> bool:
    """Whether it was counted after the other: more than half of all numbers ahead means behind (RFC 1982)."""
    return 0 < counted_since(sequence, than) < COUNT_MODULUS // 2
