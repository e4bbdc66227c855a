"""The session's close, in pieces and whole."""

from __future__ import annotations

import pytest
from aioquic.buffer import encode_uint_var

from transport.wire_format.capsules import CLOSE_SESSION, MAX_REASON_BYTES, CapsuleError, CapsuleReader, encode_close


def test_a_close_comes_back_whole_also_byte_by_byte() -> None:
    data = encode_uint_var(0x1234) + encode_uint_var(3) + b"abc" + encode_close(2, "known schemes: nuwa")
    assert CapsuleReader().feed(data) == (2, "known schemes: nuwa")
    reader = CapsuleReader()
    answers = [reader.feed(data[index : index + 1]) for index in range(len(data))]
    assert answers[:-1] == [None] * (len(data) - 1)
    assert answers[-1] == (2, "known schemes: nuwa")


def test_a_long_reason_is_cut_to_what_may_be_sent() -> None:
    answer = CapsuleReader().feed(encode_close(1, "x" * 5000))
    assert answer == (1, "x" * MAX_REASON_BYTES)


def test_a_reason_is_cut_between_two_characters() -> None:
    answer = CapsuleReader().feed(encode_close(1, "x" + "\u00e9" * 1000))
    assert answer == (1, "x" + "\u00e9" * 511)


def test_capsules_of_any_size_that_are_not_known_are_skipped_and_not_kept() -> None:
    reader = CapsuleReader()
    assert reader.feed(encode_uint_var(0x1234) + encode_uint_var(2**40)) is None
    for _ in range(100):
        assert reader.feed(bytes(10_000)) is None
    assert len(reader._buffer) == 0
    reader = CapsuleReader()
    unknown = encode_uint_var(0x190B4D3D) + encode_uint_var(50_000) + bytes(50_000)
    assert reader.feed(unknown[:30_000]) is None
    assert reader.feed(unknown[30_000:] + encode_close(7, "over")) == (7, "over")


def test_a_million_empty_capsules_are_skipped_one_after_the_other() -> None:
    capsules = (encode_uint_var(0x17) + encode_uint_var(0)) * 1_000_000  # copied for each, they would take minutes
    assert CapsuleReader().feed(capsules + encode_close(7, "over")) == (7, "over")


@pytest.mark.parametrize(
    "data",
    [
        encode_uint_var(CLOSE_SESSION) + encode_uint_var(3) + b"abc",
        encode_uint_var(CLOSE_SESSION) + encode_uint_var(2000) + bytes(2000),
        encode_uint_var(CLOSE_SESSION) + encode_uint_var(2**40),
    ],
)
def test_what_is_no_capsule_of_ours_is_an_error(data: bytes) -> None:
    with pytest.raises(CapsuleError):
        CapsuleReader().feed(data)
