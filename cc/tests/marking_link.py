"""Flows over one link of constant rate whose queue marks packets."""

from __future__ import annotations

from collections.abc import Sequence

from cc.core.base import SenderScheme
from cc.links.link import ChanceLoss, constant_rate_opportunities_ms
from cc.links.queueing.discipline import DropTail
from cc.simulation import Bulk, FlowPlan, Network
from cc.simulation.bottleneck import Carried, ServedBottleneck
from cc.simulation.sources import Source
from cc.tests.sim_flows import DELAY_S, LINK_MBIT_PER_S

OPPORTUNITIES_MS = constant_rate_opportunities_ms(LINK_MBIT_PER_S)


def share_link(
    queue: DropTail[Carried],
    schemes: Sequence[SenderScheme],
    *,
    starts_s: tuple[float, ...],
    duration_s: float,
    source: Source | None = None,
) -> Network:
    """What came of it."""
    bottleneck = ServedBottleneck(OPPORTUNITIES_MS, queue, delay_s=DELAY_S, loss=ChanceLoss(0.0, None))
    source = source or Bulk()
    plans = [
        FlowPlan(scheme, source=source, start_s=start_s) for scheme, start_s in zip(schemes, starts_s, strict=True)
    ]
    network = Network(bottleneck, plans, return_delay_s=DELAY_S)
    network.run_until(duration_s)
    return network
