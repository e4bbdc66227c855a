"""What Prometheus reads of one process of the media server; a person's names and units are in transport/README.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from cc.core.guard import Verdict
from cc.sender.receiver_driven import ReceiverDriven
from transport.aioquic_adapter import verdict as admission
from transport.aioquic_adapter.protocol import BatchedProtocol
from transport.media_server.endpoint import UdpEndpoint
from transport.media_server.load import Load
from transport.media_server.service import Service
from transport.policies import PolicyReport

DELAY_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28)
DECISIONS = ("answered", "late", "failed")


class ServerMetrics(Collector):
    """Read where they arise, when somebody asks; only what is over is added up as it happens."""

    def __init__(
        self, worker: str, service: Service, endpoint: UdpEndpoint, connections: Callable[[], Iterable[BatchedProtocol]]
    ) -> None:
        self._worker = worker
        self._service = service
        self._endpoint = endpoint
        self._connections = connections
        self._load = Load()
        self._decisions: Counter[str] = Counter()
        self._registry = CollectorRegistry()
        self._delays = Histogram(
            "nuwa_transport_queueing_delay_seconds",
            "Queueing delay as receivers of busy sessions tell it, twice a second",
            labelnames=["worker"],
            buckets=DELAY_BUCKETS_S,
            registry=self._registry,
        ).labels(worker)
        self._registry.register(self)

    def on_beat(self, load: Load) -> None:
        """Twice a second."""
        self._load = load
        for session in self._service.sessions:
            if session.is_busy and session.queueing_delay_s is not None:
                self._delays.observe(session.queueing_delay_s)

    def on_policy_report(self, report: PolicyReport) -> None:
        """A learned scheme's session is over."""
        self._decisions.update(answered=report.answered, late=report.late, failed=report.failed)

    def as_text(self) -> str:
        """In Prometheus' text format."""
        return generate_latest(self._registry).decode()

    def collect(self) -> Iterable[Metric]:
        """For the registry."""
        yield self._gauge("sessions", "Open sessions", len(self._service.sessions))
        yield self._gauge("connections", "Open connections", len(set(self._connections())))
        yield self._gauge(
            "lateness_seconds", "How late the event loop woke, the 99th percentile of a second", self._load.lateness_s
        )
        yield self._counter("sent_bytes", "UDP payload sent", self._endpoint.sent_bytes)
        yield self._counter("dropped_datagrams", "Datagrams that the socket had no room for", self._dropped())
        yield self._counters("feedback", "Receivers' requests for a window", "verdict", self._requests())
        yield self._counters("newcomers", "First packets of connections", "verdict", self._newcomers())
        decisions = {outcome: self._decisions[outcome] for outcome in DECISIONS}
        yield self._counters(
            "policy_decisions", "Decisions of policies, of sessions that are over", "outcome", decisions
        )

    def _dropped(self) -> int:
        return self._endpoint.dropped_datagrams

    def _requests(self) -> dict[str, int]:
        counts = Counter(self._service.requests)
        for connection in self._connections():
            scheme = connection.connection.scheme
            if isinstance(scheme, ReceiverDriven):
                counts.update(scheme.guard.counts)
        return {verdict.value: counts[verdict] for verdict in Verdict}

    def _newcomers(self) -> dict[str, int]:
        return {verdict.value: self._service.door.verdicts[verdict] for verdict in admission.Verdict}

    def _gauge(self, name: str, text: str, value: float) -> Metric:
        family = GaugeMetricFamily(f"nuwa_transport_{name}", text, labels=["worker"])
        family.add_metric([self._worker], value)
        return family

    def _counter(self, name: str, text: str, value: float) -> Metric:
        family = CounterMetricFamily(f"nuwa_transport_{name}", text, labels=["worker"])
        family.add_metric([self._worker], value)
        return family

    def _counters(self, name: str, text: str, label: str, values: dict[str, int]) -> Metric:
        family = CounterMetricFamily(f"nuwa_transport_{name}", text, labels=["worker", label])
        for key, value in values.items():
            family.add_metric([self._worker, key], value)
        return family
