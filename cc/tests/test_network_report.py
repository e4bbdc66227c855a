"""What a path of switches tells, by eq. 2 of Owl's paper, and who hears it in the simulation."""

from __future__ import annotations

import random

import pytest

from cc.core.network_report import SWITCHES_ON_PATH, NetworkAware, NetworkReport, PathView, SwitchCounts
from cc.links.link import Link, QueueLimit, constant_rate_opportunities_ms
from cc.sender.cubic import Cubic
from cc.simulation import FlowPlan, Network
from cc.simulation.checked_scheme import SchemeError
from cc.simulation.network_agent import NetworkAgent

MSS = 1200
SEED = 5


class ListeningCubic(Cubic):
    """CUBIC that remembers what it was told."""

    def __init__(self) -> None:
        super().__init__(max_datagram_bytes=MSS, rng=random.Random(SEED))
        self.heard: list[tuple[float, NetworkReport]] = []

    def on_network_report(self, report: NetworkReport, *, now_s: float) -> None:
        self.heard.append((now_s, report))


def test_eq_2_takes_the_largest_difference() -> None:
    report = NetworkReport(4, (SwitchCounts(100, 90), SwitchCounts(80, 95), SwitchCounts(7, 7)))
    assert report.congestion_packets == 15
    assert report.known_ratio == 0.75


def test_an_unknown_network_has_no_congestion() -> None:
    report = NetworkReport(4, ())
    assert (report.congestion_packets, report.known_ratio) == (0, 0.0)


@pytest.mark.parametrize(("switches", "known"), [(0, ()), (1, (SwitchCounts(1, 1),) * 2), (2, (SwitchCounts(-1, 0),))])
def test_a_report_that_cannot_be_is_refused(switches: int, known: tuple[SwitchCounts, ...]) -> None:
    with pytest.raises(ValueError, match="switches"):
        NetworkReport(switches, known)


def test_only_the_bottleneck_holds_packets_back() -> None:
    report = PathView(1.0, random.Random(SEED)).report(entered_packets=50, left_packets=40)
    held_back = [counts for counts in report.known if counts.received_packets != counts.sent_packets]
    assert held_back == [SwitchCounts(50, 40)]
    assert len(report.known) == SWITCHES_ON_PATH
    before = report.known.index(held_back[0])
    assert report.known[:before] == (SwitchCounts(50, 50),) * before
    assert report.known[before + 1 :] == (SwitchCounts(40, 40),) * (SWITCHES_ON_PATH - before - 1)


@pytest.mark.parametrize("known_ratio", [0.0, 0.5, 0.8, 1.0])
def test_a_share_of_the_switches_is_known_and_the_bottleneck_as_often(known_ratio: float) -> None:
    views = [PathView(known_ratio, random.Random(seed)) for seed in range(400)]
    assert {len(view.known) for view in views} == {round(10 * known_ratio)}
    knowing = sum(view.bottleneck in view.known for view in views)
    assert knowing == pytest.approx(400 * known_ratio, abs=30)
    assert {view.bottleneck for view in views} == set(range(SWITCHES_ON_PATH))


def test_a_ratio_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match=r"ratio of known switches 1\.2 must lie in"):
        PathView(1.2, random.Random(SEED))


def test_the_simulation_reports_each_second_what_its_queue_did() -> None:
    link = Link(constant_rate_opportunities_ms(6), queue=QueueLimit(packets=30), delay_s=0.02)
    schemes = [ListeningCubic(), ListeningCubic()]
    agent = NetworkAgent(PathView(1.0, random.Random(SEED)))
    network = Network(link, [FlowPlan(scheme) for scheme in schemes], return_delay_s=0.02)
    network.agent = agent
    network.run_until(4.5)
    assert all(isinstance(scheme, NetworkAware) for scheme in schemes)
    assert schemes[0].heard == schemes[1].heard
    assert [now_s for now_s, _ in schemes[0].heard] == [1.0, 2.0, 3.0, 4.0]
    counts = [report.known[agent.view.bottleneck] for _, report in schemes[0].heard]
    left = sum(flow.record.packets_left(4.0) for flow in network.flows)
    assert sum(each.sent_packets for each in counts) == left
    # 6 Mbit/s are 6e6 / 8 / 1232 = 609 packets a second of 1200 bytes and 32 of headers
    assert all(each.sent_packets == pytest.approx(609, rel=0.02) for each in counts[1:])
    # what came and did not leave was dropped, or waits
    network.run_until(5.0)
    received = sum(report.known[agent.view.bottleneck].received_packets for _, report in schemes[0].heard)
    sent = sum(report.known[agent.view.bottleneck].sent_packets for _, report in schemes[0].heard)
    waiting = link.queued_packets(now_s=5.0)
    assert received - sent - link.packets_dropped in (waiting, waiting + 1)  # the one in transit
    assert link.packets_dropped > 0


class Deaf(ListeningCubic):
    """Fails at each report."""

    def on_network_report(self, report: NetworkReport, *, now_s: float) -> None:
        raise ZeroDivisionError("no switches")


def test_a_scheme_that_fails_over_a_report_is_named() -> None:
    link = Link(constant_rate_opportunities_ms(6), queue=QueueLimit(packets=30), delay_s=0.02)
    network = Network(link, [FlowPlan(Deaf(), name="deaf")], return_delay_s=0.02)
    network.agent = NetworkAgent(PathView(1.0, random.Random(SEED)))
    with pytest.raises(SchemeError, match="scheme deaf: ZeroDivisionError: no switches"):
        network.run_until(1.5)
