"""What a congestion-control scheme is told, and what it must answer.

The ledger (`cc.core.ledger`) turns sent, acknowledged and lost packets into the events below; a scheme never keeps
packets of its own. Times are seconds on any monotonic clock, sizes are bytes of UDP payload, rates are bytes
per second. Nothing here reads a clock: time always arrives in an event.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar, Final

if TYPE_CHECKING:
    from cc.core.random_source import RandomSource
    from cc.core.receiver_base import Feedback

MINIMUM_WINDOW_PACKETS = 2  # RFC 9002 section 7.2
INITIAL_WINDOW_PACKETS = 10  # RFC 9002 section 7.2


class Phase(IntEnum):
    """Where a sender is; the numbers are those of the stamp's flags (transport/wire_format/PROTOCOL.md)."""

    SLOW_START = 0
    AVOIDANCE = 1
    RECOVERY = 2


class SentPacket:
    """A packet in flight, with the state of delivery when it was sent.

    The fields are those of draft-cheng-iccrg-delivery-rate-estimation-02 section 3.1.2, and the two that
    draft-ietf-ccwg-bbr adds to them.
    """

    # written out, as the events below that each ACK makes: compiled, a dataclass takes seven times as long to make
    __slots__ = (
        "bytes_in_flight",
        "delivered_bytes",
        "delivered_time_s",
        "first_sent_time_s",
        "is_app_limited",
        "lost_bytes",
        "packet_number",
        "sent_time_s",
        "size_bytes",
    )

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        packet_number: int,
        size_bytes: int,
        sent_time_s: float,
        delivered_bytes: int,
        delivered_time_s: float,
        first_sent_time_s: float,
        is_app_limited: bool,
        bytes_in_flight: int,
        lost_bytes: int,
    ) -> None:
        self.packet_number = packet_number
        self.size_bytes = size_bytes
        self.sent_time_s = sent_time_s
        self.delivered_bytes = delivered_bytes
        """Bytes delivered on the path when this packet was sent."""
        self.delivered_time_s = delivered_time_s
        """When `delivered_bytes` was reached."""
        self.first_sent_time_s = first_sent_time_s
        """Send time of the packet that began the sampling interval."""
        self.is_app_limited = is_app_limited
        self.bytes_in_flight = bytes_in_flight
        """When it was sent, itself included (P.tx_in_flight)."""
        self.lost_bytes = lost_bytes
        """Bytes declared lost on the path when it was sent (P.lost)."""


@dataclass(frozen=True, slots=True)
class EcnCounts:
    """How many of an ACK's packets arrived with which mark (RFC 9000 section 13.4); a marking router sets them."""

    ect0: int = 0
    ect1: int = 0
    ce: int = 0


class RttState:
    """The connection's RTT estimate (RFC 9002 section 5), already updated by the ACK it comes with."""

    __slots__ = ("latest_s", "min_s", "smoothed_s", "variance_s")

    def __init__(self, *, latest_s: float, smoothed_s: float, min_s: float, variance_s: float) -> None:
        self.latest_s: Final = latest_s
        self.smoothed_s: Final = smoothed_s
        self.min_s: Final = min_s
        self.variance_s: Final = variance_s


class DeliveryRate:
    """A delivery-rate sample (draft-cheng-iccrg-delivery-rate-estimation-02 section 3.3)."""

    __slots__ = ("bytes_per_s", "delivered_bytes", "interval_s", "is_app_limited")

    def __init__(self, bytes_per_s: float, interval_s: float, delivered_bytes: int, is_app_limited: bool) -> None:
        self.bytes_per_s: Final = bytes_per_s
        self.interval_s: Final = interval_s
        self.delivered_bytes: Final = delivered_bytes
        self.is_app_limited: Final = is_app_limited


class AckEvent:
    """One ACK frame's newly acknowledged packets; the RTT and the bytes in flight are those after it."""

    __slots__ = (
        "acked",
        "acked_bytes",
        "bytes_in_flight",
        "delivered_bytes",
        "delivery_rate",
        "ecn",
        "has_rtt_sample",
        "is_app_limited",
        "now_s",
        "prior_bytes_in_flight",
        "rtt",
        "total_lost_bytes",
    )

    def __init__(  # noqa: PLR0913
        self,
        *,
        now_s: float,
        acked: tuple[SentPacket, ...],
        acked_bytes: int,
        rtt: RttState | None,
        has_rtt_sample: bool,
        delivery_rate: DeliveryRate | None,
        delivered_bytes: int,
        total_lost_bytes: int,
        prior_bytes_in_flight: int,
        bytes_in_flight: int,
        is_app_limited: bool,
        ecn: EcnCounts | None = None,
    ) -> None:
        self.now_s: Final = now_s
        self.acked: Final = acked
        """In order of packet number; never empty."""
        self.acked_bytes: Final = acked_bytes
        self.rtt: Final = rtt
        """None until the first sample."""
        self.has_rtt_sample: Final = has_rtt_sample
        """Whether this ACK carried a new RTT sample."""
        self.delivery_rate: Final = delivery_rate
        """None where the interval was too short to mean anything."""
        self.delivered_bytes: Final = delivered_bytes
        """All bytes delivered on the path so far."""
        self.total_lost_bytes: Final = total_lost_bytes
        """All bytes declared lost on the path so far."""
        self.prior_bytes_in_flight: Final = prior_bytes_in_flight
        self.bytes_in_flight: Final = bytes_in_flight
        self.is_app_limited: Final = is_app_limited
        """The window was not in use when these packets were acknowledged: it must not grow."""
        self.ecn: Final = ecn
        """None where no router marks packets, or the transport does not see it."""


@dataclass(frozen=True, slots=True)
class LossEvent:
    """Packets declared lost together (RFC 9002 section 6.1)."""

    now_s: float
    lost: tuple[SentPacket, ...]
    """In order of packet number; never empty."""
    lost_bytes: int
    total_lost_bytes: int
    """All bytes declared lost on the path so far, these included."""
    bytes_in_flight: int
    is_persistent_congestion: bool
    """RFC 9002 section 7.6."""


class SenderScheme(ABC):
    """A congestion controller as the transport, the simulation and the environments see it.

    It lives as long as a path: for another one its host makes another scheme (RFC 9000 section 9.4), and what became of
    the old path's packets is told to nobody (`PacketLedger.begin_path`).

    Most schemes grow and shrink a window and derive from `cc.core.window.WindowScheme`; schemes that set their own
    rate implement this class directly.
    """

    may_change_on_send: ClassVar[bool] = True
    """Whether `on_packet_sent` may change window or rate; where it never does, simulations run faster."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        """`rng`: for schemes that draw random numbers; each connection has its own, seeded by whoever repeats a run."""
        self.max_datagram_bytes = max_datagram_bytes
        self.rng = rng
        self.window_resets = 0
        """How often it has cut or set its window by itself; its host tells the receiver (`cc.core.stamper`)."""

    @property
    @abstractmethod
    def cwnd_bytes(self) -> int:
        """Congestion window, never below two packets."""

    @property
    def pacing_rate_bytes_per_s(self) -> float | None:
        """The scheme's own pacing rate; None has one derived from the window (RFC 9002 section 7.7)."""
        return None

    @property
    @abstractmethod
    def phase(self) -> Phase:
        """The stage that the sender is in, for the stamp and the log."""

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        """A packet left; `bytes_in_flight` includes it."""

    def on_stamp_sent(self, *, now_s: float, is_first_after_idle: bool) -> None:
        """A stamp left with a flight: a receiver-driven scheme may expect feedback from now on."""

    def on_feedback(self, feedback: Feedback, *, is_current: bool, now_s: float) -> None:
        """A receiver asked for a window; a sender-side scheme has no use for it.

        `is_current`: whether the receiver knew of the last of `window_resets`.
        """

    @abstractmethod
    def on_ack(self, event: AckEvent) -> None:
        """Packets were acknowledged."""

    @abstractmethod
    def on_loss(self, event: LossEvent) -> None:
        """Packets were declared lost."""

    def log_fields(self) -> Mapping[str, float | None]:
        """What qlog and the bench record besides window and rate; None: unknown. Keys never change in a run."""
        return {}
