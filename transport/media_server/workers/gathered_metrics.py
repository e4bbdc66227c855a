"""The metrics of several processes as one text: each has its own label `worker`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.parser import text_string_to_metric_families


class _Families:
    """A collector of what was read elsewhere."""

    def __init__(self, families: Sequence[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        """For the registry."""
        return self._families


def gathered(texts: Iterable[str], own: Iterable[Metric]) -> str:
    """Samples of one family stand together, as the format asks; `own` is beside what the texts tell."""
    families: dict[str, Metric] = {}
    for text in texts:
        for family in text_string_to_metric_families(text):
            families.setdefault(family.name, Metric(family.name, family.documentation, family.type)).samples.extend(
                family.samples
            )
    registry = CollectorRegistry()
    registry.register(_Families([*families.values(), *own]))
    return generate_latest(registry).decode()


class _TakesSessions(Protocol):
    @property
    def lets_newcomers_in(self) -> bool: ...


def parent_families(workers: Iterable[_TakesSessions], *, starts: Mapping[int, int]) -> list[Metric]:
    """What the parent knows itself: of workers that are there and do not retire; `starts` by worker."""
    letting_in = sum(worker.lets_newcomers_in for worker in workers)
    open_workers = GaugeMetricFamily("nuwa_transport_workers", "Processes that let newcomers in", value=letting_in)
    started = CounterMetricFamily("nuwa_transport_worker_starts", "Starts of each process", labels=["worker"])
    for worker, count in starts.items():
        started.add_metric([str(worker)], count)
    return [open_workers, started]
