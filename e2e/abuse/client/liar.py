"""A receiver that lies: the headless client with forged acknowledgements or feedback."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ConnectionTerminated, HandshakeCompleted, QuicEvent

from cc.core.receiver_base import Feedback, Stamp
from cc.core.scheme import Scheme
from cc.receiver.observer import Observer
from cc.receiver.presets import preset
from e2e.abuse.client.connection import AckForger, LyingConnection
from e2e.laboratory.places.media_server import ORIGIN
from transport.headless.client import RECEIVE_WINDOW_BYTES, ClientProtocol, open_session_as

PRESET = "bulk"
FeedbackForger = Callable[[Feedback, random.Random], Sequence[Feedback | bytes]]
"""What is sent in place of one honest feedback; none is silence, and bytes are sent as they are."""


@dataclass(slots=True)
class Lies:
    """What a client lies about; nothing, unless told otherwise."""

    acks: AckForger | None = None
    ack_interval_s: float | None = None
    """An ACK at least so often, whether anything has arrived or not."""
    feedback: FeedbackForger | None = None
    rng: random.Random = field(default_factory=lambda: random.Random(1))


class Liar(ClientProtocol):
    """The client's end of a session."""

    def __init__(self, connection: LyingConnection, lies: Lies) -> None:
        super().__init__(connection)
        self.connection = connection
        self._lies = lies
        self._acking: asyncio.TimerHandle | None = None

    def quic_event_received(self, event: QuicEvent) -> None:
        super().quic_event_received(event)
        if isinstance(event, HandshakeCompleted) and self._lies.ack_interval_s is not None:
            self._acknowledge_again(self._lies.ack_interval_s)
        elif isinstance(event, ConnectionTerminated) and self._acking is not None:
            self._acking.cancel()

    def _acknowledge_again(self, interval_s: float) -> None:
        self.connection.acknowledge_now(now_s=self._loop.time())
        self.transmit()
        self._acking = self._loop.call_later(interval_s, self._acknowledge_again, interval_s)

    def give_feedback(self, feedback: Feedback) -> None:
        forge = self._lies.feedback
        for forged in [feedback] if forge is None else forge(feedback, self._lies.rng):
            if isinstance(forged, Feedback):
                super().give_feedback(forged)
            else:
                self.send_raw_datagram(forged)

    def _on_stamp(self, stamp: Stamp) -> None:
        if self._lies.acks is not None:
            self._lies.acks.on_stamp(stamp, self.connection.largest_received)
        super()._on_stamp(stamp)


def open_liar(
    port: int, scheme: Scheme, lies: Lies, *, receive_window_bytes: int = RECEIVE_WINDOW_BYTES
) -> AbstractAsyncContextManager[Liar]:
    """A session on loopback, closed at the end. Raises what `open_session_as` does."""
    receiver = Observer() if scheme.make_receiver is None else scheme.make_receiver(preset(PRESET).parameters)
    return open_session_as(
        _maker(lies),
        f"https://127.0.0.1:{port}/v1/{scheme.name}?preset={PRESET}",
        origin=ORIGIN,
        receiver=receiver,
        receive_window_bytes=receive_window_bytes,
    )


def _maker(lies: Lies) -> Callable[[QuicConfiguration], Liar]:
    return lambda configuration: Liar(LyingConnection(configuration=configuration, forger=lies.acks), lies)
