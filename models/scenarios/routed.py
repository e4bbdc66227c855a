"""Episodes whose bottleneck may be a router of ABC's.

ABC's router stands where Owl's switch is listened to: a share of the path's switches are routers of ABC's, and where
the bottleneck is none of them, ABC is CUBIC.
"""

from __future__ import annotations

import random

from cc.core.network_report import PathView
from cc.links.link import ChanceLoss, Link, QueueLimit
from cc.links.queueing.discipline import DropTail
from cc.links.queueing.registry import make_discipline
from cc.simulation.bottleneck import Bottleneck, Carried, ServedBottleneck
from models.scenarios.episode import Episode


class RoutedEpisode(Episode):
    """With ABC's router at the bottleneck, where that is one of the known switches."""

    def _link(self) -> Link | Bottleneck:
        scenario = self.scenario
        view = PathView(scenario.known_ratio, random.Random(f"{scenario.seed} switches"))
        if view.bottleneck not in view.known:
            return super()._link()
        limit = QueueLimit(packets=scenario.queue_packets)
        queue_rng = random.Random(f"{scenario.seed} queue")
        router: DropTail[Carried] = make_discipline("abc", limit, opportunities_ms=self._trace_ms, rng=queue_rng)
        loss = ChanceLoss(scenario.loss_ratio, random.Random(f"{scenario.seed} loss"))
        return ServedBottleneck(self._trace_ms, router, delay_s=scenario.base_rtt_s / 2, loss=loss)
