"""Several flows over one bottleneck in virtual time; no clock, no event heap.

Everything under way lies in queues that are first in, first out, so that what happens next is the earliest of one time
for each flow, one for the bottleneck and one for the agent, where one reports. A droptail queue knows when a packet
leaves it as soon as it has entered, and needs no time of its own. Nothing that is sent comes back sooner than the
delays allow: what a flow paces out until then, and before anything else happens, enters the bottleneck in one go.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from cc.links.clock import LinkClocks
from cc.links.link import Link
from cc.simulation.bottleneck import Bottleneck, ForeseeingBottleneck
from cc.simulation.flow import Flow, FlowPlan
from cc.simulation.network_agent import NetworkAgent
from cc.simulation.options import SimulationOptions
from cc.simulation.way_back import WayBack


class Network:
    """Runs flows as far as asked, so that an environment can step through them."""

    def __init__(
        self,
        link: Link | Bottleneck,
        plans: Sequence[FlowPlan],
        *,
        return_delay_s: float,
        return_opportunities_ms: Sequence[int] | None = None,
        options: SimulationOptions | None = None,
        clocks: LinkClocks | None = None,
    ) -> None:
        """`return_opportunities_ms`: the uplink's trace; None only delays. `clocks`: None are exact.

        Raises SchemeError, as running does, and ValueError without a flow or for a trace that mahimahi would refuse.
        """
        if not plans:
            raise ValueError("a simulation needs at least one flow")
        self.now_s = 0.0
        self.bottleneck = ForeseeingBottleneck(link) if isinstance(link, Link) else link
        delay_s = self.bottleneck.delay_s
        options = SimulationOptions() if options is None else options
        down, up = (None, None) if clocks is None else (clocks.down, clocks.up)
        way_back = WayBack(return_delay_s, opportunities_ms=return_opportunities_ms, clock=up)
        self.flows = [Flow(plan, delay_s=delay_s, way_back=way_back, options=options, clock=down) for plan in plans]
        self._by_turn = list(self.flows)
        """Of flows that are due at once the first here is next."""
        self._clock = down
        self.agent: NetworkAgent | None = None
        """Reports what the network counts to the schemes that listen; to be set before anything runs."""
        self._lookahead_s = min(flow.lookahead_s for flow in self.flows)

    def run_until(self, end_s: float) -> None:
        """Let time pass until `end_s`, that instant included; requests that no plan's `decide` answers stay open."""
        while self.run_until_request(end_s) is not None:
            pass

    def run_until_request(self, end_s: float) -> Flow | None:
        """Let time pass until a flow asks its policy, which nobody has answered; None if `end_s` comes before.

        `Flow.answer` is for the answer; `now_s` is the time of the request.
        """
        agent = self.agent
        while agent is not None and agent.due_s <= end_s:
            flow = self._run_until_request(agent.due_s)
            if flow is not None:
                return flow
            agent.report(self.flows, self.bottleneck)
        return self._run_until_request(end_s)

    def _run_until_request(self, end_s: float) -> Flow | None:
        bottleneck = self.bottleneck
        after_s = math.nextafter(end_s, math.inf)
        while True:
            flow, others_s = self._next_flow()
            now_s = flow.due_s
            served_s = bottleneck.due_s
            if served_s <= now_s and served_s <= end_s:
                bottleneck.serve(min(now_s, end_s, served_s + self._lookahead_s))
                continue
            if now_s > end_s:
                break
            if others_s == now_s:
                self._end_turn(flow)
            flight = flow.on_time(now_s, until_s=min(others_s, now_s + self._lookahead_s, after_s))
            if flight is not None:
                if self._clock is not None:
                    flight.sent_s = [self._clock.entered_s(sent_s) for sent_s in flight.sent_s]
                bottleneck.enter(flow, flight)
            flow.set_due()
            if flow.learned is not None and flow.decide(now_s):
                self.now_s = now_s
                return flow
        self.now_s = end_s
        return None

    def _next_flow(self) -> tuple[Flow, float]:
        """The flow to which something happens next, and when something happens to another."""
        first = self._by_turn[0]
        first_s, others_s = first.due_s, math.inf
        for flow in self._by_turn[1:]:
            due_s = flow.due_s
            if due_s < first_s:
                first, first_s, others_s = flow, due_s, first_s
            elif due_s < others_s:
                others_s = due_s
        return first, others_s

    def _end_turn(self, flow: Flow) -> None:
        """Of flows that are due at once another is next.

        Acknowledgements come in lumps, a millisecond each, and who is always first to answer them finds room in a full
        queue where the others do not (Floyd, Jacobson: On Traffic Phase Effects in Packet-Switched Gateways, 1992).
        """
        self._by_turn.remove(flow)
        self._by_turn.append(flow)
