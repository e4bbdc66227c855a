"""Calls into a scheme, and nothing else, with every fault of the scheme turned into one error that names it."""

from __future__ import annotations

import math
import traceback
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Protocol

from cc.core.base import MINIMUM_WINDOW_PACKETS, AckEvent, LossEvent, RttState, SenderScheme, SentPacket
from cc.core.decision import Learned
from cc.core.hooks import mistyped_hook
from cc.core.ledger import PacketLedger
from cc.core.network_report import NetworkAware, NetworkReport
from cc.core.pacer import window_rate_bytes_per_s
from cc.core.random_source import RandomSource
from cc.core.receiver_base import Feedback, Need, ReceiverScheme, ReceiverState, Stamp
from cc.core.stamper import Stamper

SLOWEST_BYTES_PER_S = 1e-3
FASTEST_BYTES_PER_S = 1e15


class SchemeError(Exception):
    """A scheme raised, or asked for a window or a rate that no sender can use."""

    def __init__(self, scheme_name: str, problem: str, state: Mapping[str, float | str | None]) -> None:
        super().__init__(f"scheme {scheme_name}: {problem}")
        self.scheme_name = scheme_name
        self.problem = problem
        self.state = dict(state)
        """Its `log_fields`, window and rate, as far as they could be had."""


class MakeScheme(Protocol):
    """Makes a scheme, as a registry's line does."""

    def __call__(self, *, max_datagram_bytes: int, rng: RandomSource) -> SenderScheme:
        """Make what decides for one flow."""


def make_scheme(make_sender: MakeScheme, *, name: str, max_datagram_bytes: int, rng: RandomSource) -> SenderScheme:
    """A flow's scheme. Raises SchemeError."""
    try:
        scheme = make_sender(max_datagram_bytes=max_datagram_bytes, rng=rng)
    except Exception as error:
        raise SchemeError(name, _told(error, make_sender), {}) from error
    mistyped = mistyped_hook(type(scheme))
    if mistyped is not None:
        raise SchemeError(name, mistyped, {})
    return scheme


class CheckedScheme:
    """A scheme's window and rate as they were after its last event."""

    __slots__ = (
        "_hears_sends",
        "_minimum_bytes",
        "_name",
        "_rtt",
        "cwnd_bytes",
        "may_change_on_send",
        "rate_bytes_per_s",
        "scheme",
    )

    def __init__(self, scheme: SenderScheme, *, name: str) -> None:
        """Raises SchemeError."""
        self.scheme = scheme
        self._name = name
        self._minimum_bytes = MINIMUM_WINDOW_PACKETS * scheme.max_datagram_bytes
        self._hears_sends = type(scheme).on_packet_sent is not SenderScheme.on_packet_sent
        self.may_change_on_send = self._hears_sends and scheme.may_change_on_send
        """Whether its window and rate must be read anew after each train."""
        self._rtt: RttState | None = None
        self.cwnd_bytes = 0
        self.rate_bytes_per_s: float | None = None
        """Its own rate, or its window's (RFC 9002 section 7.7); None while there is neither."""
        self._read()

    @property
    def needs_stamps(self) -> bool:
        """Whether it wants to know when stamps leave."""
        return type(self.scheme).on_stamp_sent is not SenderScheme.on_stamp_sent

    def on_packets_sent(self, packets: Iterable[SentPacket]) -> None:
        """Packets left, one after the other. Raises SchemeError."""
        if not self._hears_sends:
            return
        on_packet_sent = self.scheme.on_packet_sent
        try:
            for packet in packets:
                on_packet_sent(now_s=packet.sent_time_s, packet=packet, bytes_in_flight=packet.bytes_in_flight)
        except Exception as error:
            raise self._failure(error) from error
        if self.may_change_on_send:
            self._read()

    def on_ack(self, event: AckEvent) -> None:
        """Raises SchemeError."""
        self._rtt = event.rtt
        try:
            self.scheme.on_ack(event)
        except Exception as error:
            raise self._failure(error) from error
        self._read()

    def on_loss(self, event: LossEvent) -> None:
        """Raises SchemeError."""
        try:
            self.scheme.on_loss(event)
        except Exception as error:
            raise self._failure(error) from error
        self._read()

    def on_feedback(self, stamper: Stamper, feedback: Feedback, *, now_s: float) -> None:
        """What the stamper hands over. Raises SchemeError."""
        try:
            stamper.hand_over(feedback, scheme=self.scheme, now_s=now_s)
        except Exception as error:
            raise self._failure(error) from error
        self._read()

    def on_network_report(self, report: NetworkReport, *, now_s: float) -> None:
        """Passed on to a scheme that listens. Raises SchemeError."""
        if not isinstance(self.scheme, NetworkAware):
            return
        try:
            self.scheme.on_network_report(report, now_s=now_s)
        except Exception as error:
            raise self._failure(error) from error
        self._read()

    def on_decision(self, learned: Learned, sequence: int, action: float | None) -> None:
        """A policy answered the scheme, or the receiver's half of it. Raises SchemeError."""
        try:
            learned.on_decision(sequence, action)
        except Exception as error:
            raise self._failure(error) from error
        self._read()

    def make_stamp(self, stamper: Stamper, *, ledger: PacketLedger, rtt: RttState | None, now_s: float) -> Stamp:
        """The stamp of the train that is about to leave. Raises SchemeError."""
        try:
            return stamper.make(now_s=now_s, ledger=ledger, scheme=self.scheme, rtt=rtt)
        except Exception as error:
            raise self._failure(error) from error

    def _read(self) -> None:
        """Take the window and the rate over, if they can be used."""
        scheme = self.scheme
        try:
            cwnd_bytes = scheme.cwnd_bytes
            rate = scheme.pacing_rate_bytes_per_s
            if rate is None and self._rtt is not None:
                rate = window_rate_bytes_per_s(cwnd_bytes=cwnd_bytes, rtt=self._rtt, phase=scheme.phase)
        except Exception as error:
            raise self._failure(error) from error
        if not self._minimum_bytes <= cwnd_bytes < math.inf:  # so that NaN fails, too
            raise self._error(f"window of {cwnd_bytes} bytes is below two packets or no number")
        if rate is not None and not SLOWEST_BYTES_PER_S <= rate <= FASTEST_BYTES_PER_S:
            raise self._error(f"pacing rate of {rate} bytes/s is none that a sender can use")
        self.cwnd_bytes = cwnd_bytes
        self.rate_bytes_per_s = rate

    def _failure(self, error: Exception) -> SchemeError:
        return self._error(_told(error, type(self.scheme)))

    def _error(self, problem: str) -> SchemeError:
        scheme = self.scheme
        state: dict[str, float | str | None] = {}
        with suppress(Exception):  # what broke the scheme may have broken these, too
            state.update(scheme.log_fields())
        with suppress(Exception):
            state["cwnd_bytes"] = scheme.cwnd_bytes
        with suppress(Exception):
            state["pacing_rate_bytes_per_s"] = scheme.pacing_rate_bytes_per_s
        return SchemeError(self._name, problem, state)


class CheckedReceiver:
    """The receiver's half of a scheme; its window is a request, which the sender's half need not follow."""

    def __init__(self, receiver: ReceiverScheme, *, name: str) -> None:
        self._receiver = receiver
        self._name = name

    def expect_data(self, is_expecting: bool) -> None:
        """Raises SchemeError."""
        try:
            self._receiver.expect_data(is_expecting)
        except Exception as error:
            raise self._failure(error) from error

    def on_need(self, need: Need, *, now_s: float) -> None:
        """Raises SchemeError."""
        try:
            self._receiver.on_need(need, now_s=now_s)
        except Exception as error:
            raise self._failure(error) from error

    def on_stamp(self, stamp: Stamp, *, received_time_s: float, late_s: float = 0.0) -> None:
        """Raises SchemeError."""
        try:
            self._receiver.on_stamp(stamp, received_time_s=received_time_s, late_s=late_s)
        except Exception as error:
            raise self._failure(error) from error

    def feedback(self, *, now_s: float) -> Feedback | None:
        """Raises SchemeError."""
        try:
            return self._receiver.feedback(now_s=now_s)
        except Exception as error:
            raise self._failure(error) from error

    def state(self, *, now_s: float) -> ReceiverState:
        """Raises SchemeError."""
        try:
            return self._receiver.state(now_s=now_s)
        except Exception as error:
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> SchemeError:
        return SchemeError(self._name, f"its receiver: {_told(error, type(self._receiver))}", {})


def _told(error: Exception, culprit: object) -> str:
    """What was raised, and in which line: the last one of the file that `culprit`, class or function, stands in.

    Where none of its lines was under way, it is named beside the line.
    """
    frames = list(traceback.walk_tb(error.__traceback__))
    module = getattr(culprit, "__module__", None)
    own = [frame for frame in frames if frame[0].f_globals.get("__name__") == module]
    if not frames:
        return f"{type(error).__name__}: {error}"
    frame, line = (own or frames)[-1]
    place = f"{frame.f_code.co_filename.replace(chr(92), '/').rsplit('/', 1)[-1]}:{line}"
    of = "" if own else f", of {getattr(culprit, '__qualname__', culprit)} in {module}"
    return f"{type(error).__name__}: {error} ({place}{of})"
