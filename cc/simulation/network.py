"""Several flows over one bottleneck in virtual time; no clock, no event heap.

Flows meet in the bottleneck alone, and nothing that is sent comes back sooner than its queue and the delays allow. So
time goes on in strides of that length: each flow by itself, through all that happens to it, and then what all of them
sent enters the bottleneck in one go, in the order in which it was sent. The answers are those of one event after
another. Whose packet is first of those that leave at the same instant is kept by turns (`cc.simulation.flight`).

A flow whose requests somebody outside answers stops all others where it may ask.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from cc.links.clock import LinkClocks
from cc.links.link import Link
from cc.simulation.bottleneck import Bottleneck, ForeseeingBottleneck
from cc.simulation.flight import Turns
from cc.simulation.flow import Flow
from cc.simulation.flow_plan import FlowPlan
from cc.simulation.network_agent import NetworkAgent
from cc.simulation.options import SimulationOptions
from cc.simulation.way_back import WayBack

ROUNDING_S = 1e-9
"""Far above that of sums of times, far below what makes a stride shorter."""


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
        self.flows = [
            Flow(plan, delay_s=delay_s, way_back=way_back, options=options, clock=down, has_others=len(plans) > 1)
            for plan in plans
        ]
        self._turns = Turns(len(plans))
        self._askers = [index for index, flow in enumerate(self.flows) if flow.asks_others]
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
        after_s = math.nextafter(end_s, math.inf)
        while True:
            now_s = min([flow.due_s for flow in self.flows])
            served_s = self.bottleneck.due_s
            if now_s > end_s and served_s > end_s:
                break
            start_s = min(now_s, served_s)
            self.bottleneck.serve(start_s)
            until_s = min(self._stride_end_s(start_s), after_s)
            flow = self._ask(now_s, until_s) if self._askers and now_s < until_s else None
            if flow is not None:
                self.now_s = now_s
                return flow
            for index in self._askers:
                until_s = min(until_s, self.flows[index].due_s)
            for flow in self.flows:
                flow.advance(until_s)
            self._enter()
            self.bottleneck.serve(min(until_s, end_s))
        self.now_s = end_s
        return None

    def _stride_end_s(self, now_s: float) -> float:
        """Time until which all that will happen to flows is known once all that was sent before `now_s` has entered."""
        known_s = max(now_s, self.bottleneck.busy_until_s) + self._lookahead_s - ROUNDING_S
        return max(known_s, math.nextafter(now_s, math.inf))

    def _ask(self, now_s: float, until_s: float) -> Flow | None:
        """Go on with what may ask at this instant; the flow, if one does."""
        due = [index for index, flow in enumerate(self.flows) if flow.due_s == now_s]
        askers = [index for index in due if index in self._askers]
        if not askers:
            return None
        if len(due) == 1:
            others_s = [self.flows[index].due_s for index in self._askers if index != askers[0]]
            flow = self.flows[askers[0]]
            if not flow.step(min([until_s, *others_s])):
                return None
            self._enter()
            return flow
        while due:
            first = self._turns.first(due)
            if len(due) > 1:
                self._turns.end(first)
            flow = self.flows[first]
            has_asked = flow.step(now_s)
            self._enter()
            if has_asked:
                return flow
            due = [index for index, flow in enumerate(self.flows) if flow.due_s == now_s]
        return None

    def _enter(self) -> None:
        """What was sent reaches the bottleneck."""
        sending = [index for index, flow in enumerate(self.flows) if flow.flight.sent_s]
        if not sending:
            return
        entry = self._turns.merge(sending, [self.flows[index].flight for index in sending], self._clock)
        flows = [self.flows[index] for index in sending]
        flights = [flow.take_flight() for flow in flows]
        if entry.sizes_bytes:
            self.bottleneck.enter(flows, flights, entry)
