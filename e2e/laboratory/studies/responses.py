"""How large a scheme's window is, on average, where every n-th packet is lost: its response function."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

from cc.core.base import RttState, SenderScheme
from cc.core.ledger import PacketLedger
from cc.registry import scheme
from cc.sender.htcp import REFERENCE_RTT_S, SCALING_RANGE, alpha_after

PACKET_BYTES = 1200
SETTLING_LOSSES = 80
"""What Scalable's window was at first is a hundred-thousandth by then: each loss leaves 7/8 of it."""
MEASURED_LOSSES = 20


@dataclass(frozen=True, slots=True)
class Response:
    """A window that a source gives in closed form."""

    scheme: str
    formula: str
    """As the source writes it."""
    source: str
    window_packets: Callable[[float, float], float]
    """For a share of lost packets, and a round trip in seconds."""
    holds_below: float
    """The largest share of losses for which the source means it."""


def _bic_window(loss_ratio: float) -> float:
    """Packets between losses, by round trips: Smax in each until the search begins, and then its own."""
    largest, smallest, beta = 32, 0.01, 0.125
    searching = math.log2(largest / smallest)
    a, b, c = beta * (2 - beta) / (2 * largest), searching + (2 - beta) / 2, largest - smallest
    lost_at = (math.sqrt(b**2 + 4 * a * (c + 1 / loss_ratio)) - b) / (2 * a)
    return 1 / loss_ratio / (beta * lost_at / largest + searching + 1)


def _additive_window(increase: float, decrease: float, loss_ratio: float) -> float:
    """A sawtooth that grows by so many packets each round trip, and loses this share of itself."""
    return math.sqrt(increase * (2 - decrease) / (2 * decrease) / loss_ratio)


def _htcp_window(loss_ratio: float, rtt_s: float) -> float:
    """The time between losses in which as many packets leave, where beta is 0.8: nothing queues, rates are steady."""
    kept, step_s = 0.8, rtt_s / 100
    least, most = SCALING_RANGE
    scaling = max(least, min(rtt_s / REFERENCE_RTT_S, most))
    growth = 2 * (1 - kept) / rtt_s
    elapsed_s, packets, grown, sum_of_growth = 0.0, 0.0, 0.0, 0.0
    while packets < 1 / loss_ratio:
        elapsed_s += step_s
        grown += growth * max(1.0, scaling * alpha_after(elapsed_s)) * step_s
        sum_of_growth += grown * step_s
        smallest = kept * grown / (1 - kept)
        packets = (smallest * elapsed_s + sum_of_growth) / rtt_s
    return packets * rtt_s / elapsed_s


RESPONSES = (
    Response("newreno", "1.22 / p^0.5", "RFC 3649, section 4", lambda p, rtt_s: math.sqrt(1.5 / p), 1e-2),
    Response(
        "cubic", "1.05 (RTT / p)^0.75", "RFC 9438, section 5.1", lambda p, rtt_s: 1.054 * (rtt_s / p) ** 0.75, 1e-4
    ),
    Response("highspeed", "0.12 / p^0.835", "RFC 3649, section 5", lambda p, rtt_s: 0.12 / p**0.835, 1e-3),
    Response("scalable", "0.08 / p", "Kelly, section 3", lambda p, rtt_s: 0.08 / p, 1e-3),
    Response("bic", "(1/p) / N, N as in its analysis", "Xu et al., section III", lambda p, rtt_s: _bic_window(p), 1e-4),
    Response(
        "hybla",
        "rho 1.22 / p^0.5",
        "Caini, Firrincieli, section 3",
        lambda p, rtt_s: rtt_s / 0.025 * math.sqrt(1.5 / p),
        1e-3,
    ),
    Response("htcp", "its alpha(t), beta 0.8", "Leith, Shorten, section 2", _htcp_window, 1e-2),
    Response(
        "illinois",
        "8.66 / p^0.5, alpha 10, beta 1/8",
        "Liu et al., sections 3 and 4",
        lambda p, rtt_s: _additive_window(10, 1 / 8, p),
        1e-3,
    ),
    Response(
        "veno", "2.12 / p^0.5, keeps 4/5", "Fu, Liew, section II", lambda p, rtt_s: _additive_window(1, 1 / 5, p), 1e-2
    ),
    Response("yeah", "0.08 / p, as Scalable", "Baiocchi et al., section 2", lambda p, rtt_s: 0.08 / p, 1e-4),
)


def mean_window_packets(name: str, loss_ratio: float, rtt_s: float) -> float:
    """Over round trips without a queue, in each of which the whole window is acknowledged at once."""
    sender = scheme(name).make_sender(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    ledger = PacketLedger(PACKET_BYTES)
    rtt = RttState(latest_s=rtt_s, smoothed_s=rtt_s, min_s=rtt_s, variance_s=0.0)
    now_s, number, losses, packets, rounds, until_loss = 1.0, 0, 0, 0.0, 0, 1 / loss_ratio
    while losses < SETTLING_LOSSES + MEASURED_LOSSES:
        window_bytes = sender.cwnd_bytes
        for size_bytes in (window_bytes - PACKET_BYTES, PACKET_BYTES):
            _send(sender, ledger, number, size_bytes, now_s)
            number += 1
        now_s += rtt_s
        window_packets = window_bytes / PACKET_BYTES
        until_loss -= window_packets
        if losses >= SETTLING_LOSSES:
            packets += window_packets
            rounds += 1
        acked = [number - 2] if until_loss <= 0 else [number - 2, number - 1]
        event = ledger.on_packets_acked(acked, now_s=now_s, rtt=rtt, has_rtt_sample=True, cwnd_bytes=window_bytes)
        assert event is not None
        sender.on_ack(event)
        if until_loss <= 0:
            lost = ledger.on_packets_lost([number - 1], now_s=now_s, is_persistent_congestion=False)
            assert lost is not None
            sender.on_loss(lost)
            losses += 1
            until_loss += 1 / loss_ratio
            now_s += 1e-6  # what leaves now leaves after the cut
    return packets / rounds


def _send(sender: SenderScheme, ledger: PacketLedger, number: int, size_bytes: int, now_s: float) -> None:
    packet = ledger.on_packet_sent(packet_number=number, size_bytes=size_bytes, now_s=now_s)
    sender.on_packet_sent(now_s=now_s, packet=packet, bytes_in_flight=ledger.bytes_in_flight)
