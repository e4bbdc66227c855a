"""Owl: a learned policy adds packets to the window or takes them away, and heeds what the network tells of itself.

Source: Sacco, Flocco, Esposito, Marchetto: Owl, Congestion Control with Partially Invisible Networks via Reinforcement
Learning (its sections, equations and tables are cited below).

Choices where the paper is silent, or says several things:

- Decisions. Section III collects statistics "any jiffy" and changes the window on every ACK, section V "over a fixed
  period". Here: on the first ACK at least a jiffy after the last decision, a jiffy being the 10 ms that Linux counts in
  for programs. That is about every ACK of Chromium's at 10 Mbit/s.
- The policy has the window from its first decision on: algorithm 1 knows no slow start, and neither do losses cut the
  window. What RFC 9002 demands of any sender remains: two packets at least, no growth while the application leaves the
  window unused (section 7.8), and two packets after persistent congestion (section 7.6).
- The window ends at what its feature can show, so that the policy always sees it.
- Some actions are bounded (`decided_window.py`).
- Table I. The time-stamp counts jiffies since the path began. Delivered packets are those of the interval, lost ones
  those of the session. QUIC sends again what it declares lost: retransmissions are what was declared lost in the
  interval. The RTT is the last sample, and its variation the difference to the one before.
- A report of the network (`cc.core.network_report`) counts for three seconds, after which nothing is known.
- Without a policy's answer it is CUBIC, the paper's reference, from the window as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from cc.core.base import AckEvent, LossEvent, SentPacket
from cc.core.decision import Choices, Feature, PolicySpace
from cc.core.interval import IntervalMeasurement, IntervalMeter
from cc.core.network_report import NetworkReport
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.sender.decided_window import DecidedWindow

JIFFY_S = 0.010  # USER_HZ of Linux is 100
INTERVAL_S = JIFFY_S
ACTIONS = (-10.0, -3.0, -1.0, 0.0, 1.0, 3.0, 10.0)  # eq. 3, packets
DELTA = 0.7  # section VI
HISTORY = 5  # k, section VI.D
MOST_PACKETS = 4000
REPORT_LIFETIME_S = 3.0

FEATURES = (
    Feature("time_stamp", "jiffies", 1.0, 2000.0, "since the path began", is_logarithmic=True),
    Feature("cwnd", "packets", 2.0, MOST_PACKETS, "congestion window", is_logarithmic=True),
    Feature("rtt", "ms", 1.0, 2000.0, "last round-trip time", is_logarithmic=True),
    Feature("rtt_variation", "ms", -50.0, 50.0, "last round-trip time less the one before"),
    Feature("mss", "bytes", 500.0, 1500.0, "a full packet"),
    Feature("delivered", "packets", 1.0, 1000.0, "acknowledged in the interval", is_logarithmic=True),
    Feature("lost", "packets", 1.0, 10_000.0, "declared lost in the session", is_logarithmic=True),
    Feature("in_flight", "packets", 1.0, MOST_PACKETS, "sent and not acknowledged", is_logarithmic=True),
    Feature("retransmissions", "packets", 0.5, 500.0, "declared lost in the interval", is_logarithmic=True),
    Feature("pnk", "packets", 1.0, 5000.0, "partial network knowledge, eq. 2", is_logarithmic=True),
    Feature("known", "%", 0.0, 100.0, "switches of the path that are known"),
)


class Owl(DecidedWindow):
    """CUBIC whose window a policy moves instead."""

    policy_space: ClassVar[PolicySpace] = PolicySpace(
        features=FEATURES,
        history=HISTORY,
        actions=Choices(ACTIONS, "packets added to the window, eq. 3"),
        interval="the first ACK at least 10 ms after the last decision",
    )

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._most_bytes = MOST_PACKETS * max_datagram_bytes
        self._meter = IntervalMeter()
        self._began_s: float | None = None
        self._rtts_s = (0.0, 0.0)
        """The last sample and the one before."""
        self._report: NetworkReport | None = None
        self._reported_s = 0.0

    def wanted_window_bytes(self, action: float) -> float:
        """Eq. 3."""
        return min(self._window_bytes + ACTIONS[int(action)] * self.max_datagram_bytes, self._most_bytes)

    def on_network_report(self, report: NetworkReport, *, now_s: float) -> None:
        """Features 10 and 11, from now on."""
        self._report = report
        self._reported_s = now_s

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        if self._began_s is None:
            self._began_s = now_s
            self._meter.begin(now_s)
        self._meter.on_packet_sent(packet)
        super().on_packet_sent(now_s=now_s, packet=packet, bytes_in_flight=bytes_in_flight)

    def on_ack(self, event: AckEvent) -> None:
        self._meter.on_ack(event)
        if event.has_rtt_sample and event.rtt is not None:
            self._rtts_s = (event.rtt.latest_s, self._rtts_s[0] or event.rtt.latest_s)
        super().on_ack(event)

    def ask(self, event: AckEvent) -> None:
        """Ask after a jiffy."""
        began_s = self._meter.start_s
        if began_s is not None and event.now_s - began_s >= INTERVAL_S:
            measured = self._meter.end(event.now_s)
            self.decisions.end_interval(self._features(event, measured), measured, now_s=event.now_s)

    def on_loss(self, event: LossEvent) -> None:
        self._meter.on_loss(event)
        super().on_loss(event)

    def log_fields(self) -> Mapping[str, float | None]:
        report = self._report
        return {
            **super().log_fields(),
            "pnk_packets": None if report is None else float(report.congestion_packets),
            "known_ratio": None if report is None else report.known_ratio,
        }

    def _features(self, event: AckEvent, measured: IntervalMeasurement) -> tuple[float, ...]:
        """Table I."""
        packet_bytes = self.max_datagram_bytes
        latest_s, before_s = self._rtts_s
        report = self._report if event.now_s - self._reported_s <= REPORT_LIFETIME_S else None
        began_s = event.now_s if self._began_s is None else self._began_s
        return (
            (event.now_s - began_s) / JIFFY_S,
            self._window_bytes / packet_bytes,
            latest_s * 1000,
            (latest_s - before_s) * 1000,
            float(packet_bytes),
            measured.acked_bytes / packet_bytes,
            event.total_lost_bytes / packet_bytes,
            event.bytes_in_flight / packet_bytes,
            measured.lost_bytes / packet_bytes,
            0.0 if report is None else float(report.congestion_packets),
            0.0 if report is None else 100 * report.known_ratio,
        )


def utility(delivered: float, lost: float, *, delta: float = DELTA) -> float:
    """Eq. 4, of the rate that is delivered and of the rate that is lost, in any one unit.

    The loss rate p is lost / (delivered + lost), so that 1 / (1 - p) is (delivered + lost) / delivered, and eq. 4 comes
    to delivered - delta (delivered + lost): it is finite where everything is lost, and adds up over time.
    """
    return delivered - delta * (delivered + lost)


SCHEME = Scheme(
    name="owl",
    title="Owl",
    control="sender",
    family="Learned",
    summary="A learned policy moves the window by up to ten packets, knowing also what some switches count.",
    source="Sacco, Flocco, Esposito, Marchetto: Owl",
    make_sender=Owl,
    policy="owl",
)

PPO = Scheme(
    name="owl-ppo",
    title="Owl, PPO",
    control="sender",
    family="Learned",
    summary="Owl with a policy that PPO trained, and that is shown what changed; not the paper's.",
    source="Sacco, Flocco, Esposito, Marchetto: Owl, Partially Invisible Networks; trained otherwise",
    make_sender=Owl,
    policy="owl-ppo",
)
