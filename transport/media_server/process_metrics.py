"""What one process measures of itself, and to whom it tells that: its own port, or the process that started it."""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from transport.media_server.health import Health, LastSign
from transport.media_server.load import Load
from transport.media_server.self_check import SelfCheckResult
from transport.media_server.server import MediaServer
from transport.policies import PolicyReport

if TYPE_CHECKING:
    from transport.media_server.metrics_endpoint import MetricsEndpoint
    from transport.media_server.server_metrics import ServerMetrics


ANSWER_S = 5.0
"""In which a busy event loop gets to it."""


class ProcessMetrics:
    """Nothing, unless it is asked for."""

    def __init__(
        self, server: MediaServer, options: argparse.Namespace, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`clock`: in seconds. Raises OSError where the port cannot be had."""
        self._metrics: ServerMetrics | None = None
        self._endpoint: MetricsEndpoint | None = None
        self._checked = LastSign(clock)
        self._can_enter = False
        if options.measure or options.metrics_port is not None:
            self._metrics = server.measure("1" if options.worker is None else str(options.worker))
        if options.metrics_port is not None:
            from transport.media_server.metrics_endpoint import MetricsEndpoint  # noqa: PLC0415 - where it is asked for

            loop = asyncio.get_running_loop()

            async def text() -> str:
                return self.as_text()

            self._endpoint = MetricsEndpoint(
                options.metrics_host,
                options.metrics_port,
                metrics=lambda: asyncio.run_coroutine_threadsafe(text(), loop).result(ANSWER_S),
                health=self._health,
            )

    @property
    def port(self) -> int | None:
        """Where they can be read; None where nowhere."""
        return None if self._endpoint is None else self._endpoint.port

    def as_text(self) -> str:
        """In Prometheus' format; empty where nothing is measured."""
        return "" if self._metrics is None else self._metrics.as_text()

    def on_beat(self, load: Load) -> None:
        """Twice a second."""
        if self._metrics is not None:
            self._metrics.on_beat(load)

    def on_policy_report(self, report: PolicyReport) -> None:
        """A learned scheme's session is over."""
        if self._metrics is not None:
            self._metrics.on_policy_report(report)

    def on_self_check(self, result: SelfCheckResult) -> None:
        """Whether a newcomer gets in."""
        self._can_enter = result.can_enter
        self._checked.give()

    def close(self) -> None:
        """Answer nobody any more."""
        if self._endpoint is not None:
            self._endpoint.close()

    def _health(self) -> Health:
        problem = self._checked.problem()
        if problem is None and not self._can_enter:
            problem = "newcomers are shut out"
        return Health(status=problem or "ok", workers=int(problem is None))
