"""What all connections of a server share."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from cc.core.base import SenderScheme
from cc.core.guard import Verdict
from cc.core.scheme import Scheme
from cc.sender.receiver_driven import ReceiverDriven
from transport.aioquic_adapter.size_search import BASE_BYTES
from transport.media_server.content import ServedFolder
from transport.media_server.door import Door
from transport.media_server.path_records import PathRecords
from transport.media_server.rate_limits import RateShares
from transport.media_server.self_check import SelfCheck
from transport.media_server.session_base import Session
from transport.media_server.session_key import SessionKey
from transport.media_server.watch_list import WatchList
from transport.policies import PolicyReport, PolicyShelf, SessionPolicy


class Refusal(StrEnum):
    """Why a session, or the place of plain requests, was refused."""

    LATE = "late"
    ORIGIN = "origin"
    PATH = "path"
    PLACES = "places"
    TOKEN = "token"
    WATCHED = "watched"


@dataclass
class Service:
    """One server's."""

    door: Door
    content: ServedFolder
    origins: frozenset[str]
    make_rng: Callable[[], random.Random]
    """Random numbers of a connection that no peer may foretell."""
    make_scheme_rng: Callable[[], random.Random]
    """Random numbers that a connection's schemes draw."""
    policies: PolicyShelf
    records: PathRecords
    watch_list: WatchList
    all_in_flight_bytes: int
    """What all connections together may have in flight, bytes of UDP payload."""
    most_datagram_bytes: int = BASE_BYTES
    schemes: tuple[str, ...] | None = None
    session_key: SessionKey | None = None
    """The key whose tokens open sessions; None where everybody may open them."""
    rates: RateShares | None = None
    """The rates that sessions share, bytes/s; None where nothing limits them."""
    plain_scheme: Scheme | None = None
    """The scheme under which plain GETs are answered; None answers none."""
    most_packets: Callable[[], int | None] = lambda: None
    """Asked how many packets a flight has at most; None for as many as may leave."""
    self_check: SelfCheck = field(default_factory=SelfCheck)
    sessions: set[Session] = field(default_factory=set)
    deciding: set[SessionPolicy] = field(default_factory=set)
    """Policies of sessions that are not over."""
    receiver_driven: set[ReceiverDriven] = field(default_factory=set)
    """On paths of sessions that are not over."""
    answered_requests: Counter[Verdict] = field(default_factory=Counter)
    """What the guard said to receivers' requests, on paths that are over."""
    refusals: Counter[Refusal] = field(default_factory=Counter)
    on_policy_report: Callable[[PolicyReport], None] = lambda report: None
    """Told what became of a session's decisions when it is over."""

    def on_path_begin(self, scheme: SenderScheme) -> None:
        """A session began, or its client is on another path."""
        if isinstance(scheme, ReceiverDriven):
            self.receiver_driven.add(scheme)

    def on_path_end(self, scheme: SenderScheme) -> None:
        """A path of one session is over, or the session."""
        if isinstance(scheme, ReceiverDriven):
            self.receiver_driven.discard(scheme)
            self.answered_requests.update(scheme.guard.counts)

    def requests(self) -> Counter[Verdict]:
        """What the guard said to receivers' requests; none of these counts ever falls."""
        counts = Counter(self.answered_requests)
        for scheme in self.receiver_driven:
            counts.update(scheme.guard.counts)
        return counts

    def end_policy(self, policy: SessionPolicy) -> None:
        """Its session is over; it is told of once."""
        if policy in self.deciding:
            self.deciding.discard(policy)
            self.on_policy_report(policy.say_last_words())
