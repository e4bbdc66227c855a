"""The schemes of one session: one for each path that its client takes, and what they leave for the next."""

from __future__ import annotations

import random
from collections.abc import Callable

from cc.core.base import SenderScheme
from cc.core.decision import Learned
from cc.core.path_record import LeavesRecord
from cc.core.scheme import Scheme
from transport.aioquic_adapter.connection import ControlledConnection
from transport.media_server.path_records import PathRecords
from transport.policies import PolicyShelf, SessionPolicy


class SessionSchemes:
    """Makes a scheme whenever a path begins; the session's policy answers the latest."""

    def __init__(
        self,
        entry: Scheme,
        connection: ControlledConnection,
        *,
        rng: random.Random,
        policies: PolicyShelf,
        records: PathRecords,
        who: str,
    ) -> None:
        """`who`: for the log, as in `session 4`."""
        self.policy: SessionPolicy | None = None
        """None before the first scheme, and where the sender asks none."""
        self._entry = entry
        self._connection = connection
        self._rng = rng
        self._policies = policies
        self._records = records
        self.on_path_begin: Callable[[SenderScheme], None] = lambda scheme: None
        self.on_path_end: Callable[[SenderScheme], None] = lambda scheme: None
        """Both are told the path's scheme."""
        self._who = who
        self._scheme: SenderScheme | None = None
        self._host: str | None = None
        """Where the scheme's path leads to."""

    def make(self, max_datagram_bytes: int) -> SenderScheme:
        """For a path that begins now."""
        self.end_path()
        self._host = self._connection.path.peer_host
        self._scheme = scheme = self._make(max_datagram_bytes)
        self.on_path_begin(scheme)
        if self._entry.sender_policy is not None and isinstance(scheme, Learned):
            if self.policy is None:
                self.policy = SessionPolicy(scheme, self._entry, self._policies, who=self._who)
            else:
                self.policy.begin_path(scheme)
        return scheme

    def end(self) -> None:
        """The session is over. Its connection is not yet: on another path it has a scheme of which nobody is told."""
        self.end_path()
        self.on_path_begin = lambda scheme: None

    def end_path(self) -> None:
        """The path is over: keep what its scheme leaves.

        A record rests on acknowledgements: it is kept where withheld packets have shown them to be true.
        """
        scheme, self._scheme = self._scheme, None
        if scheme is not None:
            self.on_path_end(scheme)
        is_proven = self._connection.guard.withheld.survived > 0 and not self._connection.guard.has_forged
        if isinstance(scheme, LeavesRecord) and self._host is not None and is_proven:
            record = scheme.path_record()
            if record is not None:
                self._records.keep(self._host, record)

    def _make(self, max_datagram_bytes: int) -> SenderScheme:
        make_from_record = self._entry.make_from_record
        if make_from_record is None:
            return self._entry.make_sender(max_datagram_bytes=max_datagram_bytes, rng=self._rng)
        record = None if self._host is None else self._records.find(self._host)
        return make_from_record(max_datagram_bytes=max_datagram_bytes, rng=self._rng, record=record)
