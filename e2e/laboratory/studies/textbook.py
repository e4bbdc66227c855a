"""Whether schemes do what their sources say of them: windows under losses, rates over round trips, Sprout's delay."""

from __future__ import annotations

from collections.abc import Iterator

from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.report.plain_table import Table
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings, joined
from e2e.laboratory.studies.link_runs import alone, link_run, named_link
from e2e.laboratory.studies.responses import RESPONSES, Response, mean_window_packets
from e2e.laboratory.studies.samples import mean_figure, values_of
from e2e.laboratory.studies.study import Study

LOSS_RATIOS = (1e-2, 1e-3, 1e-4, 1e-5)
RTT_S = 0.1
AS_THE_SOURCE = 0.1
"""By how much a mean window may differ from the formula, which leaves out the steps of packets and round trips."""
RTTS_S = (0.025, 0.05, 0.1, 0.2)
CELLULAR = ("lte-like", "5g-like")
CAUTIOUS = ("sprout", "sprout-ewma", "cubic")
DURATION_S = 60


def measure(bench: Bench) -> Findings:
    """Without a link, but for Sprout."""
    return joined(_responses(), _rates_over_round_trips(), _delays(bench))


def _responses() -> Findings:
    windows = {each.scheme: [mean_window_packets(each.scheme, p, RTT_S) for p in LOSS_RATIOS] for each in RESPONSES}
    rows = tuple((each.scheme, each.formula, each.source, *_cells(each, windows[each.scheme])) for each in RESPONSES)
    header = ("scheme", "formula", "source", *(f"p = {p:g}" for p in LOSS_RATIOS))
    table = Table("Mean window in packets, every 1/p-th packet lost, 100 ms; in brackets by the formula", header, rows)
    return Findings(tuple(_ratios(windows)), tables=(table,))


def _cells(of: Response, windows: list[float]) -> Iterator[str]:
    for loss_ratio, window in zip(LOSS_RATIOS, windows, strict=True):
        by_formula = f" ({of.window_packets(loss_ratio, RTT_S):.0f})" if loss_ratio <= of.holds_below else ""
        yield f"{window:.0f}{by_formula}"


def _ratios(windows: dict[str, list[float]]) -> Iterator[Figure]:
    """The one that is furthest from the formula, where the formula holds."""
    for each in RESPONSES:
        ratios = [
            window / each.window_packets(loss_ratio, RTT_S)
            for loss_ratio, window in zip(LOSS_RATIOS, windows[each.scheme], strict=True)
            if loss_ratio <= each.holds_below
        ]
        furthest = max(ratios, key=lambda ratio: abs(ratio - 1))
        reach = Reach("at most", AS_THE_SOURCE)
        yield Figure(f"{each.scheme}: window beside {each.formula}, furthest", abs(furthest - 1), reach=reach)


def _rates_over_round_trips() -> Findings:
    """Hybla's own claim: as much for any round trip."""
    rates = {
        name: [mean_window_packets(name, 1e-4, rtt_s) / rtt_s for rtt_s in RTTS_S]
        for name in ("newreno", "hybla", "htcp")
    }
    header = ("scheme", *(f"{1000 * rtt_s:.0f} ms" for rtt_s in RTTS_S))
    rows = tuple((name, *(f"{rate:.0f}" for rate in of)) for name, of in rates.items())
    spread = max(rates["hybla"]) / min(rates["hybla"])
    return Findings(
        (Figure("hybla: largest rate over round trips / smallest", spread, reach=Reach("at most", 1.1)),),
        tables=(Table("Packets each second by the round trip, one in 10,000 lost", header, rows),),
    )


def _delays(bench: Bench) -> Findings:
    """Sprout is to keep 95 % of packets below 100 ms of queue."""
    figures, rows = [], []
    for link_name in CELLULAR:
        link = named_link(link_name, queue_packets=1000)
        for name in CAUTIOUS:
            arm = alone(name, "on-demand")
            runs = [link_run(link, arm, seed, duration_s=DURATION_S, has_own_start=True) for seed in _seeds(bench)]
            flows = values_of(bench.run(runs), lambda result: result.flows[0])
            rates = values_of(flows, lambda flow: flow.throughput_bits_per_s / 1e6)
            delays = values_of(flows, lambda flow: None if flow.queueing_delay is None else flow.queueing_delay.p95_ms)
            rate = mean_figure("", rates).value
            reach = Reach("at most", 100.0) if name == "sprout" else None
            figure = mean_figure(f"{name}, {link_name}: queueing delay, p95", delays, "ms", reach=reach)
            figures.append(figure)
            rows.append((link_name, name, _text(rate, 2, "Mbit/s"), _text(figure.value, 0, "ms")))
    header = ("link", "scheme", "throughput", "queueing delay, p95")
    return Findings(tuple(figures), tables=(Table("Sprout's caution", header, tuple(rows)),))


def _seeds(bench: Bench) -> range:
    return range(1, bench.repeats + 1)


def _text(value: float | None, digits: int, unit: str) -> str:
    return "failed" if value is None else f"{value:.{digits}f} {unit}"


STUDY = Study(
    "What schemes' sources say of them",
    "Mean windows of schemes without a link, where every 1/p-th packet is lost, beside their sources' formulas; rates "
    "by the round trip; and Sprout's delay over generated cellular links (simulated, 20 ms each way, 1000 packets).",
    measure,
    places=("simulation",),
)
