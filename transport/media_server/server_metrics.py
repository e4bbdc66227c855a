"""What Prometheus reads of one process of the media server; a person's names and units are in transport/README.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from cc.core.guard import Verdict
from transport.aioquic_adapter import verdict as admission
from transport.aioquic_adapter.protocol import BatchedProtocol
from transport.media_server.certificate import Certificate
from transport.media_server.endpoint import UdpEndpoint
from transport.media_server.load import Load
from transport.media_server.service import Refusal, Service
from transport.policies import PolicyReport

DELAY_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28)
DECISIONS = ("answered", "late", "failed")


class ServerMetrics(Collector):
    """Read where they arise, when somebody asks; only what is over is added up as it happens."""

    def __init__(
        self,
        worker: str,
        service: Service,
        endpoint: UdpEndpoint,
        connections: Callable[[], Iterable[BatchedProtocol]],
        certificate: Callable[[], Certificate],
    ) -> None:
        """`certificate`: that of new connections."""
        self._worker = worker
        self._service = service
        self._endpoint = endpoint
        self._connections = connections
        self._certificate = certificate
        self._process = ProcessCollector(namespace="nuwa_transport", registry=None)
        self._implausible_delays = 0
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
                delay_s = session.plausible_queueing_delay_s()
                if delay_s is None:
                    self._implausible_delays += 1
                else:
                    self._delays.observe(delay_s)

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
        dropped = self._endpoint.dropped_datagrams
        yield self._counter("dropped_datagrams", "Datagrams to send that the socket had no room for", dropped)
        missed = self._endpoint.receive_drops()
        if missed is not None:
            yield self._counter("missed_datagrams", "Datagrams that came while the socket was full", missed)
        yield self._counter(
            "implausible_delays",
            "Queueing delays, as receivers tell them, beyond the round trip",
            self._implausible_delays,
        )
        not_after_s = self._certificate().not_after.timestamp()
        yield self._gauge("certificate_not_after_seconds", "End of the certificate, in Unix time", not_after_s)
        yield self._counters("feedback", "Receivers' requests for a window", "verdict", self._requests())
        yield self._counters("newcomers", "First packets of connections", "verdict", self._newcomers())
        refusals = {reason.value: self._service.refusals[reason] for reason in Refusal}
        yield self._counters("refused_sessions", "Sessions that were refused", "reason", refusals)
        decisions = {outcome: self._decisions[outcome] for outcome in DECISIONS}
        yield self._counters(
            "policy_decisions", "Decisions of policies, of sessions that are over", "outcome", decisions
        )
        for family in self._process.collect():
            yield self._labelled(family)

    def _requests(self) -> dict[str, int]:
        counts = self._service.requests()
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

    def _labelled(self, family: Metric) -> Metric:
        labelled = Metric(family.name, family.documentation, family.type)
        for sample in family.samples:
            labelled.add_sample(sample.name, {"worker": self._worker}, sample.value)
        return labelled
