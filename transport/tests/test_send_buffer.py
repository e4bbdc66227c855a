"""A send buffer answers as the bytearray does in whose place it is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from transport.aioquic_adapter.send_buffer import SendBuffer

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.binary(min_size=1, max_size=40)),
        st.tuples(st.just("forget"), st.integers(0, 60)),
        st.tuples(st.just("read"), st.integers(0, 60)),
    ),
    max_size=30,
)


@given(steps=STEPS)
def test_it_is_a_bytearray_to_its_stream(steps: list[tuple[str, int | bytes]]) -> None:
    buffer, model = SendBuffer(), bytearray()
    for step, value in steps:
        if isinstance(value, bytes):
            buffer += value
            model += value
        elif step == "forget":
            del buffer[:value]
            del model[:value]
        else:
            for stop in (value, value + 7, value + 33):
                assert buffer[value:stop] == bytes(model[value:stop])
        assert len(buffer) == len(model)
    buffer.clear()
    assert (len(buffer), buffer[0:9]) == (0, b"")


def test_what_was_taken_is_let_go() -> None:
    buffer = SendBuffer()
    for _ in range(100):
        buffer += bytes(1000)
    del buffer[:99_500]
    assert (len(buffer), buffer.kept_bytes) == (500, 1000)
    del buffer[:500]
    assert (len(buffer), buffer.kept_bytes) == (0, 0)
