"""The page of studies: one file that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

from e2e.laboratory.figures.figure import Figure
from e2e.laboratory.figures.markdown import figure_value, goal, interval_text, sample_texts
from e2e.laboratory.learned.group_table import group_header, group_rows
from e2e.laboratory.learned.groups import Group
from e2e.laboratory.learned.pictures import Gallery, Picture
from e2e.laboratory.report.chart import svg
from e2e.laboratory.report.page import render
from e2e.laboratory.report.plain_table import Table
from e2e.laboratory.studies.findings import NOT_SHIPPED
from e2e.laboratory.studies.reports import Measurement, Studied
from models.scenarios.splits import missing_traces


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A figure as its table has it."""

    what: str
    verdict: str
    """`reached`, `missed`, or empty where nothing was to be."""
    measured: str
    spread: str
    """Its interval, or its repeats."""
    to_reach: str


@dataclass(frozen=True, slots=True)
class DrawnPicture:
    """A chart that the page can hold."""

    name: str
    svg: Markup


@dataclass(frozen=True, slots=True)
class DrawnGallery:
    """Several, and what is to be seen in them."""

    pictures: tuple[DrawnPicture, ...]
    caption: str
    legend: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A study."""

    title: str
    text: str
    missing: str
    """Policies that are not shipped."""
    tables: tuple[Table, ...]
    figures: tuple[FigureRow, ...]
    galleries: tuple[DrawnGallery, ...]
    groups: tuple[tuple[Table, str], ...]
    """Every arm, and notes."""


def page(measurement: Measurement) -> str:
    """HTML."""
    verdicts = [figure.is_reached for figure in measurement.figures if figure.reach is not None]
    sections = [_section(each) for each in measurement.studied]
    titles = [section.title for section in sections]
    return render(
        "studies.html.jinja",
        title="The learned schemes' figures" if measurement.name == "learned" else "; ".join(titles),
        measurement=measurement,
        reached=sum(verdict is True for verdict in verdicts),
        verdicts=len(verdicts),
        missing_traces=missing_traces(measurement.settings.split) if any(each.groups for each in sections) else (),
        sections=sections,
    )


def _section(studied: Studied) -> Section:
    study, findings = studied.study, studied.findings
    return Section(
        study.title,
        study.text,
        ", ".join(group.name for group in findings.groups if group.note == NOT_SHIPPED),
        findings.tables,
        tuple(map(_row, findings.figures)),
        tuple(_drawn(gallery) for gallery in study.draw(findings) if gallery.pictures),
        tuple(
            (_arms(group), " ".join(filter(None, (group.reward and f"Reward: {group.reward}.", group.note))))
            for group in findings.groups
            if group.rows
        ),
    )


def _arms(group: Group) -> Table:
    title = f"{group.name}: every arm, {group.rows[0].scenarios} episodes"
    return Table(title, group_header(group), group_rows(group))


def _drawn(gallery: Gallery) -> DrawnGallery:
    def drawn(pictures: Iterable[Picture]) -> tuple[DrawnPicture, ...]:
        return tuple(DrawnPicture(each.title, svg(each.chart, each.description)) for each in pictures)

    return DrawnGallery(drawn(gallery.pictures), gallery.caption, gallery.legend)


def _row(figure: Figure) -> FigureRow:
    reach = figure.reach
    whole = "each start" if figure.repeats == "starts" else "the whole interval"
    surely = f", {whole}" if figure.has_to_be_sure else ""
    return FigureRow(
        figure.what,
        "" if reach is None else "reached" if figure.is_reached else "missed",
        figure_value(figure),
        _spread(figure),
        "" if reach is None else f"{reach.comparison} {goal(reach.value)}{surely}",
    )


def _spread(figure: Figure) -> str:
    interval = figure.interval
    if interval is None:
        return ", ".join(sample_texts(figure))
    if not interval.has_enough_groups:
        return f"of {interval.samples}"
    return interval_text(interval, figure.repeats)
