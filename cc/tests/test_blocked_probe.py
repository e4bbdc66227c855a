"""A packet beyond a window without room, by a hand-moved clock."""

from __future__ import annotations

import pytest

from cc.core.blocked_probe import BlockedProbe
from cc.tests.flow import rtt_state


@pytest.mark.parametrize(("rtt_s", "due_s"), [(None, 7.25), (0.1, 7.25), (0.3, 7.6)])
def test_it_is_due_two_round_trips_after_the_last_packet(rtt_s: float | None, due_s: float) -> None:
    probe = BlockedProbe()
    rtt = None if rtt_s is None else rtt_state(rtt_s)
    early, late = due_s - 0.001, due_s + 0.001
    assert not probe.is_due(has_room=False, last_sent_s=7.0, rtt=rtt, now_s=early)
    assert probe.is_due(has_room=False, last_sent_s=7.0, rtt=rtt, now_s=late)
    assert not probe.is_due(has_room=True, last_sent_s=7.0, rtt=rtt, now_s=late)


def test_the_round_trip_is_that_of_when_the_last_packet_left() -> None:
    probe = BlockedProbe()
    assert not probe.is_due(has_room=False, last_sent_s=7.0, rtt=rtt_state(0.1), now_s=7.1)
    assert probe.is_due(
        has_room=False, last_sent_s=7.0, rtt=rtt_state(2.0), now_s=7.3
    )  # the queue is drained meanwhile
    assert not probe.is_due(has_room=False, last_sent_s=7.3, rtt=rtt_state(2.0), now_s=8.0)
