"""What a flow is to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from cc.core.base import SenderScheme
from cc.core.decision import Decide, Learned
from cc.core.receiver_base import ReceiverScheme
from cc.simulation.sender import NEVER_S
from cc.simulation.sources import Bulk, Source


@dataclass(slots=True)
class FlowPlan:
    """A flow to simulate; scheme, receiver and source are its own, fresh ones."""

    scheme: SenderScheme
    name: str = "scheme"
    """The scheme's name, for errors and results."""
    receiver: ReceiverScheme | None = None
    source: Source = field(default_factory=Bulk)
    start_s: float = 0.0
    stop_s: float = NEVER_S
    """When it leaves; packets under way go on."""
    extra_delay_s: float = 0.0
    """Delay behind the bottleneck, on the way there, besides the link's own."""
    known_opportunities_ms: Sequence[int] | None = None
    """The link's trace, for a sender that is omniscient."""
    decide: Decide | None = None
    """Answers a learned scheme's requests at once; None leaves them to `Network.run_until_request`."""

    @property
    def learned(self) -> Learned | None:
        """The half that asks a policy; None where nothing does."""
        if isinstance(self.receiver, Learned):
            return self.receiver
        return self.scheme if isinstance(self.scheme, Learned) else None
