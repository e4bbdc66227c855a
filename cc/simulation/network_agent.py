"""Tells the schemes that listen what the switches of a simulated path counted, once a virtual second."""

from __future__ import annotations

from collections.abc import Sequence

from cc.core.network_report import REPORT_INTERVAL_S, PathView
from cc.simulation.bottleneck import Bottleneck
from cc.simulation.flow import Flow


class NetworkAgent:
    """Counts at the bottleneck, all flows together; `cc.core.network_report` has what that stands for."""

    def __init__(self, view: PathView) -> None:
        self.view = view
        self.due_s = REPORT_INTERVAL_S
        """When the next report is made."""
        self._entered_packets = 0
        self._left_packets = 0

    def report(self, flows: Sequence[Flow], bottleneck: Bottleneck) -> None:
        """`due_s` has come, and all that happens until then has happened. Raises SchemeError."""
        now_s = self.due_s
        known = sum(flow.record.packets for flow in flows)  # some of them have yet to leave
        entered = known + bottleneck.packets_waiting + bottleneck.packets_dropped
        left = sum(flow.record.packets_left(now_s) for flow in flows)
        report = self.view.report(
            entered_packets=entered - self._entered_packets, left_packets=left - self._left_packets
        )
        self._entered_packets, self._left_packets = entered, left
        self.due_s += REPORT_INTERVAL_S
        for flow in flows:
            flow.sender.scheme.on_network_report(report, now_s=now_s)
