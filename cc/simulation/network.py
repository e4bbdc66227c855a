"""Several flows over one bottleneck in virtual time; no clock, no event heap.

A droptail queue knows when a packet leaves it as soon as it has entered, so that everything under way lies in queues
that are first in, first out. What happens next is the earliest of one time for each flow.
"""

from __future__ import annotations

from collections.abc import Sequence

from cc.link import Link
from cc.simulation.flow import Flow, FlowPlan
from cc.simulation.options import SimulationOptions


class Network:
    """Runs flows as far as asked, so that an environment can step through them."""

    def __init__(
        self,
        link: Link,
        plans: Sequence[FlowPlan],
        *,
        return_delay_s: float,
        options: SimulationOptions | None = None,
    ) -> None:
        """Raises SchemeError, as running does, and ValueError without a flow."""
        if not plans:
            raise ValueError("a simulation needs at least one flow")
        self.now_s = 0.0
        self.link = link
        options = SimulationOptions() if options is None else options
        self.flows = [
            Flow(plan, delay_s=link.delay_s, return_delay_s=return_delay_s, options=options) for plan in plans
        ]

    def run_until(self, end_s: float) -> None:
        """Let time pass until `end_s`."""
        while True:
            flow = min(self.flows, key=_due_s)
            now_s = flow.due_s
            if now_s > end_s:
                break
            train = flow.on_time(now_s)
            if train is not None:
                departures_s = self.link.send_train(train.sizes_bytes, now_s=now_s)
                flow.on_departures(
                    train.first_number,
                    train.sizes_bytes,
                    departures_s,
                    entered_s=now_s,
                    loses=self.link.loses if self.link.is_lossy else None,
                )
        self.now_s = end_s


def _due_s(flow: Flow) -> float:
    return flow.due_s
