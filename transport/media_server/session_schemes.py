"""The schemes of one session: one for each path that its client takes."""

from __future__ import annotations

import random

from cc.core.base import SenderScheme
from cc.core.decision import Learned
from cc.core.scheme import Scheme
from transport.media_server.policies import PolicyShelf, SessionPolicy


class SessionSchemes:
    """Makes a scheme whenever a path begins; the session's policy answers the latest."""

    def __init__(
        self, entry: Scheme, *, max_datagram_bytes: int, rng: random.Random, policies: PolicyShelf, who: str
    ) -> None:
        """`who`: for the log, as in `session 4`."""
        self.policy: SessionPolicy | None = None
        """None before the first scheme, and where the sender asks none."""
        self._entry = entry
        self._max_datagram_bytes = max_datagram_bytes
        self._rng = rng
        self._policies = policies
        self._who = who

    def make(self) -> SenderScheme:
        """For a path that begins now."""
        scheme = self._entry.make_sender(max_datagram_bytes=self._max_datagram_bytes, rng=self._rng)
        if self._entry.sender_policy is not None and isinstance(scheme, Learned):
            if self.policy is None:
                self.policy = SessionPolicy(scheme, self._entry, self._policies, who=self._who)
            else:
                self.policy.begin_path(scheme)
        return scheme
