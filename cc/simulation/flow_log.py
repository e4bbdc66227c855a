"""The qlogs of a simulated flow's two ends, as records; whoever asks for them says where they go."""

from __future__ import annotations

from collections.abc import Callable

from cc.core import qlog
from cc.core.base import Phase
from cc.core.receiver_base import Feedback, ReceiverScheme, Stamp
from cc.sender.receiver_driven import ReceiverDriven
from cc.simulation.sender import SimulatedSender

Write = Callable[[qlog.Json], None]


class FlowLog:
    """Told what happens to a flow; it changes nothing."""

    def __init__(self, *, write_sender: Write, write_receiver: Write) -> None:
        """Each is given records in order of time, without a head."""
        self._write_sender = write_sender
        self._write_receiver = write_receiver
        self._phase: Phase | None = None

    def on_stamp(self, stamp: Stamp, receiver: ReceiverScheme, *, time_s: float) -> None:
        """The receiver has taken a stamp."""
        state = receiver.state(now_s=time_s)
        self._write_receiver(qlog.receiver_updated(stamp, state, late_s=0.0, time_s=time_s))
        self._write_receiver(qlog.sender_as_stamped(stamp, time_s=time_s))

    def on_request(self, feedback: Feedback, *, time_s: float) -> None:
        """A feedback left."""
        self._write_receiver(qlog.window_requested(feedback, time_s=time_s))

    def on_feedback(self, feedback: Feedback, sender: SimulatedSender, *, time_s: float) -> None:
        """The sender has taken it."""
        scheme = sender.scheme.scheme
        if isinstance(scheme, ReceiverDriven) and scheme.guard.latest is not None:
            verdict, granted_bytes = scheme.guard.latest
            self._write_sender(qlog.window_granted(feedback, verdict, granted_bytes, time_s=time_s))
        self._note_phase(scheme.phase, time_s)

    def on_ack(self, sender: SimulatedSender, *, time_s: float) -> None:
        """The sender has taken an ACK."""
        record = qlog.sender_updated(
            sender.rtt.state,
            cwnd_bytes=sender.cwnd_bytes,
            bytes_in_flight=sender.ledger.bytes_in_flight,
            pacing_bytes_per_s=sender.scheme.rate_bytes_per_s,
            time_s=time_s,
        )
        self._write_sender(record)
        self._note_phase(sender.scheme.scheme.phase, time_s)

    def _note_phase(self, phase: Phase, time_s: float) -> None:
        if phase is not self._phase:
            if self._phase is not None:
                self._write_sender(qlog.phase_updated(self._phase, phase, time_s=time_s))
            self._phase = phase
