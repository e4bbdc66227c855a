"""What one process measures of itself, and to whom it tells that: its own port, or the process that started it."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

from transport.media_server.load import Load
from transport.media_server.self_check import SelfCheckResult
from transport.media_server.server import MediaServer
from transport.policies import PolicyReport

if TYPE_CHECKING:
    from transport.media_server.metrics_endpoint import Health, MetricsEndpoint
    from transport.media_server.server_metrics import ServerMetrics


ANSWER_S = 5.0
"""In which a busy event loop gets to it."""


class ProcessMetrics:
    """Nothing, unless it is asked for."""

    def __init__(self, server: MediaServer, options: argparse.Namespace) -> None:
        """Raises OSError where the port cannot be had."""
        self._metrics: ServerMetrics | None = None
        self._endpoint: MetricsEndpoint | None = None
        self._can_enter = True
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

    def close(self) -> None:
        """Answer nobody any more."""
        if self._endpoint is not None:
            self._endpoint.close()

    def _health(self) -> Health:
        from transport.media_server.metrics_endpoint import Health  # noqa: PLC0415 - as above

        return Health(status="ok" if self._can_enter else "newcomers are shut out", workers=int(self._can_enter))
