"""The most that BBR v3 lets be in flight in the long term, and what its probes for more have shown.

Source: draft-ietf-ccwg-bbr-06 sections 5.3.3.5 to 5.3.3.9 and 5.5.10.2.
"""

from __future__ import annotations

import math
from enum import Enum

from cc.core.base import AckEvent, LossEvent, SentPacket
from cc.sender.bbr.bbr3_model import BETA
from cc.sender.bbr.bbr3_probe import UpwardSlope

LOSS_THRESHOLD = 0.02  # BBR.LossThresh
HEADROOM = 0.15  # BBR.Headroom
MIN_PIPE_PACKETS = 4  # BBR.MinPipeCwnd


class AckPhase(Enum):
    """What ACKs tell of probing, section 2.14."""

    INIT = "init"
    REFILLING = "refilling"
    PROBE_STARTING = "probe-starting"
    PROBE_FEEDBACK = "probe-feedback"
    PROBE_STOPPING = "probe-stopping"


class LongTermBound:
    """BBR.inflight_longterm, and the state of bandwidth probing that decides when it moves."""

    def __init__(self, *, packet_bytes: int) -> None:
        self._packet_bytes = packet_bytes
        self._slope = UpwardSlope()
        self._is_probe_sample = False
        """BBR.is_bw_probe_sample: losses now tell of a probe that no one has answered yet."""
        self._is_precautionary = False
        """BBR.prev_probe_precautionary: the last probe stopped at a bound that had been too high."""
        self.ack_phase = AckPhase.INIT
        self.prev_probe_too_high = False
        self.inflight_bytes: float | None = None
        """None: nothing was too much yet."""

    @property
    def with_headroom_bytes(self) -> float:
        """InflightWithHeadroom, section 5.3.3.9; infinite while nothing was too much."""
        if self.inflight_bytes is None:
            return math.inf
        headroom_bytes = max(self._packet_bytes, HEADROOM * self.inflight_bytes)
        return max(self.inflight_bytes - headroom_bytes, MIN_PIPE_PACKETS * self._packet_bytes)

    @property
    def may_probe_again(self) -> bool:
        """A probe that stopped at a risky bound found it safe: the next may go beyond (section 5.3.3.6)."""
        return self._is_precautionary and not self.prev_probe_too_high

    def is_within(self, window_bytes: float) -> bool:
        """Whether such a window is as large as the bound."""
        return self.inflight_bytes is not None and window_bytes >= self.inflight_bytes

    def is_risky(self, event: AckEvent) -> bool:
        """Whether a probe has reached the bound that was too high the last time (section 5.3.3.6)."""
        if not self.prev_probe_too_high or self.inflight_bytes is None:
            return False
        if event.prior_bytes_in_flight + self._packet_bytes <= self.inflight_bytes:
            return False
        self._is_precautionary = True
        return True

    def is_too_high(self, event: AckEvent) -> bool:
        """IsInflightTooHigh, of what was lost since the newest acknowledged packet left."""
        newest = event.acked[-1]
        return event.total_lost_bytes - newest.lost_bytes > LOSS_THRESHOLD * newest.bytes_in_flight

    def refill(self) -> None:
        """StartProbeBW_REFILL."""
        self._slope.reset()
        self._is_precautionary = False
        self.ack_phase = AckPhase.REFILLING

    def start_probe(self, window_bytes: float) -> None:
        """StartProbeBW_UP."""
        self._is_probe_sample = True
        self.ack_phase = AckPhase.PROBE_STARTING
        self._slope.steepen(window_bytes=window_bytes, packet_bytes=self._packet_bytes)

    def stop_probe(self) -> None:
        """StartProbeBW_DOWN and ProbeRTT: ACKs tell of the probe for another round trip."""
        self.ack_phase = AckPhase.PROBE_STOPPING

    def on_round_start(self) -> bool:
        """Whether the last ACKs of a probe are in (AdaptLongTermModel)."""
        if self.ack_phase is AckPhase.PROBE_STARTING:
            self.ack_phase = AckPhase.PROBE_FEEDBACK
        if self.ack_phase is not AckPhase.PROBE_STOPPING:
            return False
        self._is_probe_sample = False
        self.ack_phase = AckPhase.INIT
        return True

    def on_ack(self, event: AckEvent, *, is_probing_up: bool, is_round_start: bool, window_bytes: float) -> None:
        """Raise the bound by what proved safe (AdaptLongTermModel, ProbeInflightLongtermUpward)."""
        if self.inflight_bytes is None or self.is_too_high(event):
            return
        self.inflight_bytes = max(self.inflight_bytes, event.acked[-1].bytes_in_flight)
        if is_probing_up and window_bytes >= self.inflight_bytes:
            self.inflight_bytes += self._packet_bytes * self._slope.packets_for(event.acked_bytes)
            if is_round_start:
                self._slope.steepen(window_bytes=window_bytes, packet_bytes=self._packet_bytes)

    def on_loss(self, event: LossEvent, *, target_bytes: float) -> bool:
        """HandleLostPacket, of each: whether a probe has gone too high."""
        total_lost_bytes = event.total_lost_bytes - event.lost_bytes
        for packet in event.lost:
            total_lost_bytes += packet.size_bytes
            lost_bytes = total_lost_bytes - packet.lost_bytes
            if self._is_probe_sample and lost_bytes > LOSS_THRESHOLD * packet.bytes_in_flight:
                self._reduce(packet, lost_bytes, target_bytes)
                return True
        return False

    def _reduce(self, packet: SentPacket, lost_bytes: int, target_bytes: float) -> None:
        """HandleInflightTooHigh."""
        self.prev_probe_too_high = True
        self._is_probe_sample = False  # one answer to a probe is enough
        if not packet.is_app_limited:
            self.inflight_bytes = max(inflight_at_loss_bytes(packet, lost_bytes), BETA * target_bytes)


def inflight_at_loss_bytes(packet: SentPacket, lost_bytes: float) -> float:
    """InflightAtLoss: how much was in flight when losses, `lost_bytes` with this packet, crossed the threshold."""
    before_bytes = packet.bytes_in_flight - packet.size_bytes
    lost_before_bytes = lost_bytes - packet.size_bytes
    return before_bytes + (LOSS_THRESHOLD * before_bytes - lost_before_bytes) / (1 - LOSS_THRESHOLD)
