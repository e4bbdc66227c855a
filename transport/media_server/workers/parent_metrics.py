"""The metrics of all workers together, over HTTP."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from transport.media_server.health import Health, LastSign
from transport.media_server.workers.place import Place
from transport.media_server.workers.worker import Worker

if TYPE_CHECKING:
    from transport.media_server.metrics_endpoint import MetricsEndpoint

WORKER_LIMIT_S = 1.0
ANSWER_LIMIT_S = 5.0


class ParentMetrics:
    """Nothing, unless it is asked for."""

    def __init__(
        self, options: argparse.Namespace, places: Sequence[Place], open_workers: Callable[[], Sequence[Worker]]
    ) -> None:
        """Raises OSError where the port cannot be had."""
        self._places = places
        self._open_workers = open_workers
        self._ticked = LastSign()
        self._ticked.give()
        self._endpoint: MetricsEndpoint | None = None
        if options.metrics_port is not None:
            from transport.media_server.metrics_endpoint import MetricsEndpoint  # noqa: PLC0415 - where it is asked for

            loop = asyncio.get_running_loop()
            self._endpoint = MetricsEndpoint(
                options.metrics_host,
                options.metrics_port,
                metrics=lambda: asyncio.run_coroutine_threadsafe(self._as_text(), loop).result(ANSWER_LIMIT_S),
                health=self._health,
            )

    def on_tick(self) -> None:
        """Four times a second."""
        self._ticked.give()

    def as_json(self) -> dict[str, Any]:
        """For the ready line."""
        return {} if self._endpoint is None else {"metrics_port": self._endpoint.port}

    def close(self) -> None:
        """Answer nobody any more."""
        if self._endpoint is not None:
            self._endpoint.close()

    async def _as_text(self) -> str:
        from transport.media_server.workers.gathered_metrics import gathered, parent_families  # noqa: PLC0415 - as above

        workers = [place.worker for place in self._places if place.worker is not None]
        texts = await asyncio.gather(*(worker.ask_metrics(WORKER_LIMIT_S) for worker in workers))
        own = parent_families(self._open_workers(), starts={place.name: place.starts for place in self._places})
        return gathered([text for text in texts if text is not None], own)

    def _health(self) -> Health:
        workers = self._open_workers()
        problem = self._ticked.problem()
        if problem is not None:
            return Health(status=problem, workers=0)
        if not workers:
            return Health(status="no worker is there", workers=0)
        is_open = any(worker.lets_newcomers_in for worker in workers)
        return Health(status="ok" if is_open else "newcomers are shut out", workers=len(workers))
