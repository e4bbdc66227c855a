from __future__ import annotations

from dataclasses import replace

import pytest

from e2e.laboratory.places.emulated_result import EmulatedRun, emulated_result
from e2e.laboratory.places.link_log import LinkLog, parse_link_log
from e2e.laboratory.places.media_server import Farewell
from e2e.laboratory.plan import FlowChoice, RunPlan
from e2e.laboratory.result import DelaySummary, RunResult, SchemeDecisions
from e2e.laboratory.tests.samples import sample_plan
from transport.headless.receive import ReceiveReport
from transport.headless.receive_intervals import IntervalRecord
from transport.policies import PolicyReport

INIT_MS = 1_795_255_475_000
ZERO_S = (INIT_MS + 1000) / 1000
PLAN = replace(sample_plan(duration_s=0.5), place="relay")
OWL = SchemeDecisions("owl", is_loaded=True, decisions=20, answered=18, late=1, failed=1)


def log() -> LinkLog:
    """Half a second: an opportunity every 10 ms, a packet in every other, delayed by 4 ms, or 14 in the second half."""
    lines = [f"# init timestamp: {INIT_MS}", "# base timestamp: 0", "900 d 1 1232"]
    for at_ms in range(1000, 1500, 10):
        lines.append(f"{at_ms} # 1504")
        if at_ms % 20 == 0:
            lines.append(f"{at_ms} - 1232 {4 if at_ms < 1250 else 14}")
    return parse_link_log("\n".join([*lines, "1490 d 1 1232", "1495 d 1 1232", ""]))


def report(count: int, policy: PolicyReport | None = None) -> ReceiveReport:
    """Of a receiver that was there for `count` intervals."""
    intervals = IntervalRecord(
        interval_s=0.1,
        received_bytes=[1000] * count,
        payload_bytes=[1200] * count,
        datagrams=[2] * count,
        queueing_delay_mean_s=[0.01] * count,
        queueing_delay_p95_s=[0.02] * count,
        cwnd_bytes=[12_000] * count,
    )
    return ReceiveReport(
        scheme="cubic",
        preset="on-demand",
        seconds=count / 10,
        received_bytes=1000 * count,
        throughput_bits_per_s=80_000.0,
        began_at_s=ZERO_S,
        queueing_delay_mean_s=0.01,
        queueing_delay_p50_s=0.009,
        queueing_delay_p95_s=0.02,
        queueing_delay_max_s=0.03,
        estimated_bandwidth_bits_per_s=None,
        loss_ratio=0.05,
        stamps_received=count,
        packets_sent=200,
        rtt_mean_s=0.05,
        lateness_p99_s=0.002,
        lateness_max_s=0.03,
        intervals=intervals,
        policy=policy,
    )


def result_of(plan: RunPlan, *reports: ReceiveReport) -> RunResult:
    return emulated_result(EmulatedRun(plan, reports, log(), ZERO_S, 0.2, Farewell([OWL], 0.04)))


def test_a_single_flows_delays_are_those_of_the_links_log() -> None:
    result = result_of(PLAN, report(5))
    # 50 opportunities of 1504 bytes and 25 packets of 1232 in half a second; drops before the run do not count
    assert (result.link.capacity_bits_per_s, result.link.throughput_bits_per_s) == (1_203_200, 492_800)
    assert (result.link.dropped, result.link.lost) == (2, None)
    # 13 packets of 4 ms, 12 of 14
    assert result.link.queueing_delay == DelaySummary(8.8, 4.0, 14.0, 14.0)
    (flow,) = result.flows
    assert flow.queueing_delay == result.link.queueing_delay
    # 1200 bytes of payload and 2 * 32 of headers in each tenth of a second
    assert flow.throughput_bits_per_s == pytest.approx(8 * 12_640)
    assert (flow.goodput_bits_per_s, flow.packets_sent, flow.rtt_mean_ms) == (80_000, 200, 50)
    assert flow.packets_lost == 2  # as the log has it
    assert result.intervals.begin_s == (0.0, 0.1, 0.2, 0.3, 0.4)
    assert result.intervals.capacity_bits_per_s == pytest.approx([1_203_200] * 5)
    # the third interval has 3 packets of 4 ms and 2 of 14
    assert result.intervals.flows[0].queueing_delay_mean_ms == (4, 4, 8, 14, 14)
    assert result.server_cpu_share == 0.2
    assert (result.server_lateness_p99_ms, result.receiver_lateness_p99_ms) == (40, 2)


def test_where_the_link_loses_packets_at_random_it_is_not_known_which_were_a_flows() -> None:
    lossy = replace(PLAN, link=replace(PLAN.link, loss_ratio=0.01))
    assert result_of(lossy, report(5)).flows[0].packets_lost is None


def test_of_several_flows_each_has_what_its_receiver_measured_from_when_it_began() -> None:
    flows = (FlowChoice("cubic", "on-demand"), FlowChoice("nuwa", "on-demand", start_s=0.2, stop_s=0.4))
    plan = replace(PLAN, arm=replace(PLAN.arm, flows=flows))
    policy = PolicyReport("nuwa-rl", "nuwa-rl", is_loaded=True, decisions=20, answered=18, late=1, failed=1)
    result = result_of(plan, report(5), report(2, policy))
    assert result.decisions == (replace(OWL, scheme="nuwa-rl"), OWL)
    nuwa = result.flows[1]
    assert (nuwa.scheme, nuwa.packets_lost, nuwa.queueing_delay) == ("nuwa", None, DelaySummary(10, 9, 20, 30))
    # while the link's log has the packets of both
    assert result.link.queueing_delay == DelaySummary(8.8, 4.0, 14.0, 14.0)
    intervals = result.intervals.flows[1]
    assert intervals.delivered_bits_per_s == (0, 0, 101_120, 101_120, 0)
    assert intervals.queueing_delay_mean_ms == (None, None, 10, 10, None)
    assert intervals.cwnd_bytes == (None, None, 12_000, 12_000, None)
