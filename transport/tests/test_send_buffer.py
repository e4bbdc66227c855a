"""A send buffer answers as the bytearray does in whose place it is."""

from __future__ import annotations

from aioquic.quic.rangeset import RangeSet
from hypothesis import given
from hypothesis import strategies as st

from transport.aioquic_adapter.send_buffer import SendBuffer

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.binary(min_size=1, max_size=40)),
        st.tuples(st.just("forget"), st.integers(0, 60)),
        st.tuples(st.just("read"), st.integers(0, 60)),
        st.tuples(st.just("acked"), st.integers(0, 60)),
    ),
    max_size=30,
)


@given(steps=STEPS)
def test_it_is_a_bytearray_to_its_stream(steps: list[tuple[str, int | bytes]]) -> None:
    buffer, model = SendBuffer(), bytearray()
    begin, acked = 0, RangeSet()
    for step, value in steps:
        if isinstance(value, bytes):
            buffer += value
            model += value
        elif step == "forget":
            del buffer[:value]
            begin += min(value, len(model))
            del model[:value]
        elif step == "acked":
            acked.add(begin + value, begin + value + 25)
            buffer.forget(value, value + 25, within=range(value, value + 25))
        else:
            for stop in (value, value + 7, value + 33):
                if not any(each.start < begin + stop and begin + value < each.stop for each in acked):
                    assert buffer[value:stop] == bytes(model[value:stop])
        assert len(buffer) == len(model)
    buffer.clear()
    assert (len(buffer), buffer[0:9], buffer.kept_bytes) == (0, b"", 0)


def test_what_was_taken_is_let_go() -> None:
    buffer = SendBuffer()
    for _ in range(100):
        buffer += bytes(1000)
    del buffer[:99_500]
    assert (len(buffer), buffer.kept_bytes) == (500, 1000)
    del buffer[:500]
    assert (len(buffer), buffer.kept_bytes) == (0, 0)


def test_pieces_between_what_is_missing_are_let_go() -> None:
    buffer = SendBuffer()
    for number in range(10):
        buffer += bytes([number]) * 100
    buffer.forget(150, 420, within=range(150, 420))
    assert (len(buffer), buffer.kept_bytes) == (1000, 800)  # the second and the fifth have parts that are asked for
    assert buffer[100:150] == b"\1" * 50
    assert buffer[420:510] == b"\4" * 80 + b"\5" * 10
    buffer.forget(420, 430, within=range(150, 500))
    assert buffer.kept_bytes == 700  # of those that the part touches
    buffer.forget(0, 1000, within=range(1000))
    assert (buffer.kept_bytes, buffer.pieces) == (0, 10)
    del buffer[:1000]
    assert buffer.pieces == 0
