"""Duplicates are found as aioquic's own window finds them."""

from __future__ import annotations

import sys

import pytest
from aioquic.quic.packet import QuicProtocolVersion
from aioquic.quic.recovery import QuicPacketNumberWindow
from hypothesis import given
from hypothesis import strategies as st

from transport.aioquic_adapter.received_numbers import SIZE, ReceivedNumbers
from transport.tests.test_aioquic_adapter import controlled

STEPS = st.lists(st.one_of(st.integers(-SIZE - 3, SIZE + 3), st.integers(-(2**62), 2**62)), max_size=60)
"""From the newest number so far to the next one that comes."""


@given(steps=STEPS)
def test_it_answers_as_aioquics_window_does(steps: list[int]) -> None:
    numbers, model = ReceivedNumbers(), QuicPacketNumberWindow()
    newest = 0
    for step in steps:
        number = min(max(0, newest + step), 2**62 - 1)
        newest = max(newest, number)
        numbers.add(number)
        model.add(number)
        for asked in (number, *range(max(0, number - 2), number + 3), *range(max(0, newest - SIZE - 2), newest + 3)):
            assert (asked in numbers) == (asked in model), asked


def test_a_new_one_has_seen_nothing() -> None:
    numbers = ReceivedNumbers()
    assert not any(number in numbers for number in (0, 1, SIZE - 1, SIZE, 2**62 - 1))


@pytest.mark.parametrize("step", [1, 3, 2**40])
def test_it_never_grows(step: int) -> None:
    numbers = ReceivedNumbers()
    for number in range(0, 1000 * step, step):
        numbers.add(number)
    assert sys.getsizeof(numbers._bits) < 50


def test_every_space_of_a_connection_has_one() -> None:
    quic = controlled().quic
    quic._version = QuicProtocolVersion.VERSION_1
    quic._initialize(bytes(8))
    found: list[object] = [space.received_packets for space in quic._spaces.values()]
    assert len(found) == 3
    assert all(isinstance(numbers, ReceivedNumbers) for numbers in found)
