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
from typing import TYPE_CHECKING, ClassVar, TypeVar, dataclass_transform

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


@dataclass(slots=True)
class SentPacket:
    """A packet in flight, with the state of delivery when it was sent.

    The fields are those of draft-cheng-iccrg-delivery-rate-estimation-02 section 3.1.2, and the two that
    draft-ietf-ccwg-bbr adds to them.
    """

    packet_number: int
    size_bytes: int
    sent_time_s: float
    delivered_bytes: int
    """Bytes delivered on the path when this packet was sent."""
    delivered_time_s: float
    """When `delivered_bytes` was reached."""
    first_sent_time_s: float
    """Send time of the packet that began the sampling interval."""
    is_app_limited: bool
    bytes_in_flight: int
    """When it was sent, itself included (P.tx_in_flight)."""
    lost_bytes: int
    """Bytes declared lost on the path when it was sent (P.lost)."""


EventT = TypeVar("EventT")


@dataclass_transform(frozen_default=True)
def event(cls: type[EventT]) -> type[EventT]:
    """A dataclass that type checkers hold to be frozen; at run time that would cost 5 us for each ACK."""
    return dataclass(slots=True)(cls)


@event
class EcnCounts:
    """How many of an ACK's packets arrived with which mark (RFC 9000 section 13.4); a marking router sets them."""

    ect0: int = 0
    ect1: int = 0
    ce: int = 0


@event
class RttState:
    """The connection's RTT estimate (RFC 9002 section 5), already updated by the ACK it comes with."""

    latest_s: float
    smoothed_s: float
    min_s: float
    variance_s: float


@event
class DeliveryRate:
    """A delivery-rate sample (draft-cheng-iccrg-delivery-rate-estimation-02 section 3.3)."""

    bytes_per_s: float
    interval_s: float
    delivered_bytes: int
    is_app_limited: bool


@event
class AckEvent:
    """One ACK frame's newly acknowledged packets; the RTT and the bytes in flight are those after it."""

    now_s: float
    acked: tuple[SentPacket, ...]
    """In order of packet number; never empty."""
    acked_bytes: int
    rtt: RttState | None
    """None until the first sample."""
    has_rtt_sample: bool
    """Whether this ACK carried a new RTT sample."""
    delivery_rate: DeliveryRate | None
    """None where the interval was too short to mean anything."""
    delivered_bytes: int
    """All bytes delivered on the path so far."""
    total_lost_bytes: int
    """All bytes declared lost on the path so far."""
    prior_bytes_in_flight: int
    bytes_in_flight: int
    is_app_limited: bool
    """The window was not in use when these packets were acknowledged: it must not grow."""
    ecn: EcnCounts | None = None
    """None where no router marks packets, or the transport does not see it."""


@event
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
        """Where the sender is, for the stamp and the log."""

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
