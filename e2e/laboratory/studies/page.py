"""The page of studies: one file that needs nothing else."""

from __future__ import annotations

from e2e.laboratory.figures.figure import Figure
from e2e.laboratory.figures.markdown import figure_value, goal, interval_text, sample_texts
from e2e.laboratory.learned.groups import group_table
from e2e.laboratory.report.page import render
from e2e.laboratory.studies.findings import NOT_SHIPPED
from e2e.laboratory.studies.reports import Measurement
from models.scenarios.splits import missing_traces


def page(measurement: Measurement) -> str:
    """HTML."""
    verdicts = [figure.is_reached for figure in measurement.figures if figure.reach is not None]
    has_episodes = any(group.rows for each in measurement.studied for group in each.findings.groups)
    titles = [each.study.title for each in measurement.studied]
    return render(
        "studies.html.jinja",
        title="The learned schemes' figures" if measurement.name == "learned" else "; ".join(titles),
        measurement=measurement,
        reached=sum(verdict is True for verdict in verdicts),
        verdicts=len(verdicts),
        missing_traces=missing_traces(measurement.settings.split) if has_episodes else (),
        not_shipped=NOT_SHIPPED,
        group_table=group_table,
        figure_value=figure_value,
        spread=_spread,
        to_reach=_to_reach,
    )


def _to_reach(figure: Figure) -> str:
    reach = figure.reach
    if reach is None:
        return ""
    whole = "each start" if figure.repeats == "starts" else "the whole interval"
    surely = f", {whole}" if figure.has_to_be_sure else ""
    return f"{reach.comparison} {goal(reach.value)}{surely}"


def _spread(figure: Figure) -> str:
    """Its interval, or its repeats."""
    interval = figure.interval
    if interval is None:
        return ", ".join(sample_texts(figure))
    if not interval.has_enough_groups:
        return f"of {interval.samples}"
    return interval_text(interval, figure.repeats)
