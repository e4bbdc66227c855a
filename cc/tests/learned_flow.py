"""A learned scheme on a flow that tests move by hand, and an answer to what it asks."""

from __future__ import annotations

import random

from cc.core.base import SenderScheme
from cc.core.decision import Learned
from cc.tests.flow import MSS, Flow


def make_flow(make: type[SenderScheme]) -> Flow:
    """With the scheme's first window."""
    return Flow(make(max_datagram_bytes=MSS, rng=random.Random(1)))


def answer(flow: Flow, action: float | None) -> tuple[float, ...]:
    """The state of the newest interval, which is answered."""
    scheme = flow.scheme
    assert isinstance(scheme, Learned)
    request = scheme.request
    assert request is not None
    scheme.on_decision(request.sequence, action)
    return request.observation[-len(scheme.policy_space.features) :]


def is_asking(flow: Flow) -> bool:
    """Whether something waits for an answer; False for a scheme that asks nobody."""
    return isinstance(flow.scheme, Learned) and flow.scheme.request is not None
