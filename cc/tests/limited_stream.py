"""An application that sends less than the window allows, with losses at regular intervals."""

from __future__ import annotations

from collections import deque

from cc.tests.flow import Flow


def limited_stream(flow: Flow, ticks: int, *, lost_every: int) -> None:
    """Two packets every 5 ms, which is all there is; every so manieth tick the first is lost."""
    sent: deque[range] = deque()
    for tick in range(ticks):
        flow.ledger.mark_app_limited()
        sent.append(flow.send(2))
        flow.wait(0.005)
        if len(sent) == 20:
            numbers = sent.popleft()
            is_lost = tick % lost_every == 0
            flow.ack(numbers[is_lost:])
            if is_lost:
                flow.lose(numbers[:1])
