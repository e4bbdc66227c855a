"""Whether a newcomer gets in: the server opens a session with itself, over its own socket."""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection

from cc.receiver.observer import Observer
from transport.aioquic_adapter.connection_ids import name_first_id
from transport.headless.client import ClientProtocol, open_session_as

INTERVAL_S = 10.0
INTERVAL_IN_TROUBLE_S = 2.0
TIME_LIMIT_S = 3.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class SelfCheckResult:
    """What became of a newcomer."""

    can_enter: bool
    opening_s: float | None
    """How long its session took to open; None where it did not."""


class SelfCheck:
    """Comes as any newcomer does, under a path that nobody else can know, so that its sessions are not counted."""

    def __init__(self, name_id: Callable[[bytes], bytes] = bytes) -> None:
        """`name_id` makes of a random connection ID one that leads to this server, not to another at its port."""
        self._name_id = name_id
        self._path = f"/v1/self-check/{secrets.token_urlsafe(24)}"

    def is_own(self, path: bytes) -> bool:
        """Whether a session is asked for by this check."""
        return hmac.compare_digest(path, self._path.encode())

    async def run(self, url: str, *, origin: str, on_result: Callable[[SelfCheckResult], None]) -> None:
        """Check again and again; sooner after a failure, so that its end is seen."""
        while True:
            result = await self.check(url, origin=origin)
            on_result(result)
            await asyncio.sleep(INTERVAL_S if result.can_enter else INTERVAL_IN_TROUBLE_S)

    async def check(self, url: str, *, origin: str) -> SelfCheckResult:
        """Once, at `https://HOST:PORT`."""
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        try:
            async with asyncio.timeout(TIME_LIMIT_S):
                async with open_session_as(self._client, url + self._path, origin=origin, receiver=Observer()):
                    return SelfCheckResult(can_enter=True, opening_s=loop.time() - began_s)
        except OSError as error:  # refused, or not answered in time
            logger.warning("no session could be opened with this server by itself: %s", error or "no answer in time")
            return SelfCheckResult(can_enter=False, opening_s=None)

    def _client(self, configuration: QuicConfiguration) -> ClientProtocol:
        quic = QuicConnection(configuration=configuration)
        name_first_id(quic, self._name_id)
        return ClientProtocol(quic)
