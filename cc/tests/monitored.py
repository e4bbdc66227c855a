"""Monitor intervals made to measure, and PCC senders that have begun."""

from __future__ import annotations

from collections.abc import Iterable

from cc.core.monitor_interval import MonitorInterval
from cc.sender.pcc.base import BYTES_PER_MEGABIT, PccScheme
from cc.tests.flow import MSS, Flow


def interval(rate_mbit_per_s: float, *, gradient: float = 0.0, loss_ratio: float = 0.0) -> MonitorInterval:
    """100 packets at just this rate, a tenth of them sampled on a straight line from 50 ms."""
    rate = rate_mbit_per_s * BYTES_PER_MEGABIT
    gap_s = MSS / rate
    lost_bytes = round(100 * MSS * loss_ratio)
    return MonitorInterval(
        rate_bytes_per_s=rate,
        minimum_duration_s=0.0,
        timeout_s=1.0,
        is_trial=True,
        first_number=0,
        last_number=99,
        first_sent_s=0.0,
        last_sent_s=99 * gap_s,
        last_size_bytes=MSS,
        sent_bytes=100 * MSS,
        acked_bytes=100 * MSS - lost_bytes,
        lost_bytes=lost_bytes,
        rtt_samples=[(index * gap_s, 0.05 + gradient * index * gap_s) for index in range(0, 100, 10)],
    )


def begin(scheme: PccScheme, *, rate_mbit_per_s: float | None = None) -> Flow:
    """A flow after its first round trip of 100 ms, from where it starts with 10 packets an RTT, 0.8 Mbit/s."""
    flow = Flow(scheme)
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers)
    if rate_mbit_per_s is not None:
        scheme.set_rate(rate_mbit_per_s * BYTES_PER_MEGABIT)
    return flow


def rate_mbit_per_s(scheme: PccScheme) -> float:
    """The rate that trials are made around."""
    return scheme.rate_bytes_per_s / BYTES_PER_MEGABIT


def measure_rates(flow: Flow, *, intervals: int, rtt_s: float = 0.1, lost: Iterable[int] = ()) -> list[float]:
    """Send and acknowledge a packet each 10 ms; the pacing rates of so many intervals, in the order of sending."""
    rates: list[float] = []
    lost_numbers = set(lost)
    under_way: list[tuple[float, int]] = []
    while len(rates) < intervals:
        rate = flow.scheme.pacing_rate_bytes_per_s
        assert rate is not None
        if not rates or rate != rates[-1]:
            rates.append(rate)
        under_way.append((flow.now_s + rtt_s, flow.send(1)[0]))
        flow.wait(0.01)
        while under_way and under_way[0][0] <= flow.now_s:
            number = under_way.pop(0)[1]
            if number in lost_numbers:
                flow.lose([number])
            else:
                flow.ack([number], rtt_s=rtt_s)
    return rates
