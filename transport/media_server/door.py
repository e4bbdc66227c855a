"""Admission with a clock: who is asked in, and who is sent away when their time is over."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from typing import Protocol

from transport.aioquic_adapter.verdict import Verdict
from transport.media_server.admission.admission import Admission, Departure
from transport.media_server.admission.lateness_gate import LatenessGate
from transport.media_server.admission.limits import DEFAULT_LIMITS, AdmissionLimits
from transport.media_server.admission.prefixes import prefix_of
from transport.media_server.admission.wave_log import WaveLog

logger = logging.getLogger(__name__)


class Visitor(Protocol):
    """A connection."""

    def dismiss(self, reason: str) -> None:
        """Ends at once."""

    @property
    def idle_since_s(self) -> float | None:
        """When its session last got on with a request; None before it is open."""

    def end_idle_session(self) -> None:
        """Gives up its session's place at once."""

    def __hash__(self) -> int:
        """Its identity."""


class Door:
    """The admission of one server's connections."""

    def __init__(self, limits: AdmissionLimits = DEFAULT_LIMITS) -> None:
        self._loop = asyncio.get_running_loop()
        self.admission: Admission[Visitor] = Admission(limits)
        self.lateness_gate = LatenessGate(limits)
        self._wave = WaveLog(self._say, self._loop.call_later)
        self._timer: asyncio.TimerHandle | None = None
        self.verdicts: Counter[Verdict] = Counter()
        """How many newcomers got which, so far."""

    def judge(self, host: str, *, is_proven: bool) -> Verdict:
        """What to do with a newcomer from there."""
        verdict = self.admission.judge(prefix_of(host), is_proven=is_proven, now_s=self._loop.time())
        self.verdicts[verdict] += 1
        if verdict is not Verdict.ACCEPT:
            self._wave.count(verdict.value)
        return verdict

    def admit(self, visitor: Visitor, host: str) -> None:
        """A newcomer that was accepted has a connection."""
        self._send_away(self.admission.admit(visitor, prefix_of(host), now_s=self._loop.time()))
        self._arm()

    def on_handshake_done(self, visitor: Visitor) -> None:
        """A session has to follow."""
        self._send_away(self.admission.on_handshake_done(visitor, now_s=self._loop.time()))
        self._arm()

    @property
    def is_too_late(self) -> bool:
        """Whether another session would only hurt those that there are."""
        return self.admission.sessions > 0 and not self.lateness_gate.is_open

    def count_refused_late(self) -> None:
        """A session was refused for that."""
        self._wave.count("sessions refused: the event loop is late")

    def open_session(self, visitor: Visitor, *, is_plain: bool = False) -> bool:
        """Take a session's place; False where there is none, for plain GETs where theirs are taken.

        A session that idles ends for a newcomer that would find none.
        """
        idler = self.admission.idle_one_for(
            visitor, is_plain=is_plain, idle_since_s=_idle_since_s, now_s=self._loop.time()
        )
        if idler is not None:
            self._wave.count("idle sessions ended for newcomers")
            idler.end_idle_session()
        is_granted = self.admission.open_session(visitor, is_plain=is_plain, now_s=self._loop.time())
        if not is_granted:
            self._wave.count("sessions refused: all places, or those of one address, are taken")
        return is_granted

    def end_session(self, visitor: Visitor) -> None:
        """Give a session's place back; without effect where there was none."""
        self._send_away(self.admission.end_session(visitor, now_s=self._loop.time()))
        self._arm()

    def on_ended(self, visitor: Visitor) -> None:
        """The connection is gone."""
        self.admission.leave(visitor)

    def close(self) -> None:
        """Send nobody away any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _send_away(self, departure: Departure[Visitor] | None) -> None:
        if departure is not None:
            self._wave.count(f"sent away ({departure.reason.value})")
            departure.connection.dismiss(departure.reason.value)

    def _arm(self) -> None:
        """One timer, never later than the next deadline."""
        deadline_s = self.admission.next_deadline_s()
        if deadline_s is None or (self._timer is not None and self._timer.when() <= deadline_s):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(deadline_s, self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        now_s = self._loop.time()
        for departure in self.admission.overdue(now_s=now_s):
            self.admission.leave(departure.connection)
            self._send_away(departure)
        self._arm()

    def _say(self, text: str) -> None:
        admission = self.admission
        logger.info(
            "newcomers: %s; half-open %d, without a session %d, sessions %d",
            text,
            admission.half_open,
            admission.without_session,
            admission.sessions,
        )


def _idle_since_s(visitor: Visitor) -> float | None:
    return visitor.idle_since_s
