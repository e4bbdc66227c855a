"""One flow over one link: the front of `Network` for tests and environments that need no more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from cc.core.base import SenderScheme
from cc.core.receiver_base import ReceiverScheme
from cc.links.link import Link
from cc.simulation.flow_plan import FlowPlan
from cc.simulation.network import Network
from cc.simulation.options import SimulationOptions
from cc.simulation.record import DelaySummary
from cc.simulation.sender import SimulatedSender
from cc.simulation.sources import Backlog, Bulk


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """What a flow achieved."""

    duration_s: float
    goodput_bits_per_s: float
    """UDP payload that arrived and was not sent a second time."""
    queueing_delay: DelaySummary | None
    """None if nothing left the queue."""
    packets_sent: int
    packets_lost: int
    """Declared lost by the sender."""
    spurious_losses: int
    """Declared lost, but acknowledged later."""
    persistent_congestions: int
    probes_sent: int
    window: tuple[tuple[float, int], ...] = field(repr=False)
    """(time, congestion window in bytes) after each ACK and feedback."""


class Simulation:
    """Runs a flow as far as asked, so that an environment can step through it."""

    def __init__(
        self,
        scheme: SenderScheme,
        link: Link,
        *,
        return_delay_s: float,
        receiver: ReceiverScheme | None = None,
        backlog: Iterable[tuple[float, int]] | None = None,
        options: SimulationOptions | None = None,
    ) -> None:
        """`backlog`: when the application hands over how many bytes, in order of time; None sends without end.

        Raises SchemeError, as running does.
        """
        source = Bulk() if backlog is None else Backlog(backlog)
        plan = FlowPlan(scheme, name=type(scheme).__name__, receiver=receiver, source=source)
        self._network = Network(link, [plan], return_delay_s=return_delay_s, options=options)
        self._flow = self._network.flows[0]

    @property
    def now_s(self) -> float:
        """How far it has run."""
        return self._network.now_s

    @property
    def sender(self) -> SimulatedSender:
        """The flow's sender."""
        return self._flow.sender

    def run_until(self, end_s: float) -> None:
        """Let time pass until `end_s`."""
        self._network.run_until(end_s)

    def result(self) -> SimulationResult:
        """What was achieved so far."""
        flow = self._flow
        sender = flow.sender
        now_s = self.now_s
        return SimulationResult(
            duration_s=now_s,
            goodput_bits_per_s=8 * flow.goodput_bytes(now_s) / now_s if now_s > 0 else 0.0,
            queueing_delay=flow.record.delays(0.0, now_s),
            packets_sent=sender.ledger.packets_sent_total,
            packets_lost=sender.packets_lost,
            spurious_losses=sender.spurious_losses,
            persistent_congestions=sender.persistent_congestions,
            probes_sent=sender.probes_sent,
            window=tuple(flow.window),
        )
