"""Whether a server whose event loop is late takes more sessions: those it has come first."""

from __future__ import annotations

from transport.media_server.admission.limits import AdmissionLimits


class LatenessGate:
    """Shuts when the loop has been late for a while, and opens when it has been in time for as long."""

    def __init__(self, limits: AdmissionLimits) -> None:
        self._limits = limits
        self.is_open = True
        self.late_s = 0.0
        """The most that it was told since the loop began to be late; 0 until then."""
        self._contrary_since_s: float | None = None
        """Since when the lateness has spoken for the other position."""

    def watch(self, late_s: float, *, now_s: float) -> None:
        """By how much the loop typically woke late in the last second."""
        limits = self._limits
        if not self.is_open or late_s > limits.refused_late_s:
            self.late_s = max(self.late_s, late_s)
        else:
            self.late_s = 0.0
        is_contrary = late_s > limits.refused_late_s if self.is_open else late_s < limits.admitted_late_s
        if not is_contrary:
            self._contrary_since_s = None
        elif self._contrary_since_s is None:
            self._contrary_since_s = now_s
        elif now_s - self._contrary_since_s >= limits.lateness_settles_s:
            self.is_open = not self.is_open
            self._contrary_since_s = None
