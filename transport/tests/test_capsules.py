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


@pytest.mark.parametrize(
    "data",
    [
        encode_uint_var(CLOSE_SESSION) + encode_uint_var(3) + b"abc",
        encode_uint_var(CLOSE_SESSION) + encode_uint_var(2000) + bytes(2000),
        encode_uint_var(0x1234) + encode_uint_var(10_000) + bytes(5000),
    ],
)
def test_what_is_no_capsule_of_ours_is_an_error(data: bytes) -> None:
    with pytest.raises(CapsuleError):
        CapsuleReader().feed(data)
