"""What a scheme's file says of its scheme: command lines, menus, contract tests, experiments and tables read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from cc.core.base import SenderScheme
from cc.core.hooks import mistyped_hook
from cc.core.nuwa_parameters import NuwaParameters, ParameterName
from cc.core.path_record import PathRecord
from cc.core.random_source import RandomSource
from cc.core.receiver_base import ReceiverScheme

Family = Literal[
    "Receiver-driven", "Loss-based", "Delay-based", "Model-based", "Utility-based", "Marked by routers", "Learned"
]
"""What a scheme judges the network by; menus group by it."""

Control = Literal["sender", "receiver"]
"""Who works out the window in congestion avoidance."""


class MakeSender(Protocol):
    """Makes a connection's scheme."""

    def __call__(self, *, max_datagram_bytes: int, rng: RandomSource) -> SenderScheme:
        """`max_datagram_bytes`: the size of a full packet; `rng`: the connection's own generator."""


class MakeFromRecord(Protocol):
    """Makes a connection's scheme, to begin where an earlier one to the same peer ended."""

    def __call__(self, *, max_datagram_bytes: int, rng: RandomSource, record: PathRecord | None) -> SenderScheme:
        """`record`: None where nothing is known of the peer."""


@dataclass(frozen=True, slots=True)
class Scheme:
    """An entry of `cc.registry`, written in the scheme's own file."""

    name: str
    """Its name in session paths and on command lines: lower case, digits, hyphens."""
    title: str
    control: Control
    family: Family
    summary: str
    source: str
    make_sender: MakeSender
    """Usually the class itself."""
    make_receiver: Callable[[NuwaParameters], ReceiverScheme] | None = None
    """None where the receiver only measures."""
    reads: tuple[ParameterName, ...] = ()
    """The parameters that its receiver goes by: presets that differ in others alone are one to it."""
    make_from_record: MakeFromRecord | None = None
    """Makes one from a record, for a scheme that leaves them (`cc.core.path_record`); None for all others."""
    policy: str | None = None
    """The policy in models/policies that answers its requests; None for a scheme that asks nothing."""
    slow_module: str | None = None
    """What its sender loads when first made, too long for an event loop: servers begin with it; None for most."""

    def __post_init__(self) -> None:
        for field, value, known in (("control", self.control, Control), ("family", self.family, Family)):
            if value not in get_args(known):
                raise ValueError(
                    f"the scheme {self.name} has the {field} {value!r}: write one of {', '.join(get_args(known))}"
                )
        for make in (self.make_sender, self.make_receiver):
            mistyped = mistyped_hook(make) if isinstance(make, type) else None
            if mistyped is not None:
                raise ValueError(mistyped)

    @property
    def sender_policy(self) -> str | None:
        """The policy that the sender's half asks; None where nobody asks, or the receiver's half does."""
        return self.policy if self.control == "sender" else None
