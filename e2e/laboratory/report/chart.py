"""Charts as SVG whose colours are the page's, so that they follow it from light to dark."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import altair as alt
import vl_convert
from markupsafe import Markup, escape

FONT = "system-ui, sans-serif"
FONT_SIZE = 12
THEME = {
    "background": "transparent",
    "aria": False,  # the figure is described as a whole
    "font": FONT,
    "padding": 4,
    "view": {"stroke": None},
    "axis": {
        "labelColor": "var(--muted)",
        "labelFontSize": FONT_SIZE - 1,
        "titleColor": "var(--ink)",
        "titleFontSize": FONT_SIZE,
        "titleFontWeight": 500,
        "titlePadding": 6,
        "gridColor": "var(--grid)",
        "domainColor": "var(--line)",
        "tickColor": "var(--line)",
        "tickSize": 4,
    },
    "text": {"color": "var(--ink)", "font": FONT, "fontSize": FONT_SIZE},
    "line": {"strokeWidth": 1.75, "strokeJoin": "round"},
}
SERIES = 10
"""Of style.css. Series are told apart by colour and, where they are points, by shape."""
DASHES = ((1, 0), (6, 3), (2, 2), (8, 2, 2, 2))
"""Of lines that have a colour for the first time, the second, and so on; style.css has them for chips."""
SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross")

HEAD = re.compile(r'<svg[^>]*? width="([\d.]+)"[^>]*? viewBox="([^"]+)"[^>]*>')
NAMED_MARK = re.compile(r'<path aria-label="([^"]*)" role="graphics-symbol" aria-roledescription="[^"]*"([^>]*)/>')

STYLE = Path(__file__).with_name("templates") / "style.css"
COLOURS = re.compile(r":root \{(.*?)\}", re.DOTALL)
"""Of style.css: those of light pages, then those of dark ones."""

ROLE = re.compile(r' (?:role|aria-[a-z]+)="[^"]*"')
"""Of a part: to whoever does not see it, a chart is one picture."""


def series_colour(index: int) -> str:
    """Of a line or a mark."""
    return f"var(--series-{index % SERIES + 1})"


def series_dash(index: int) -> Sequence[int]:
    """Of a line."""
    return DASHES[index // SERIES % len(DASHES)]


def series_shape(index: int) -> str:
    """Of a mark."""
    return SHAPES[index % len(SHAPES)]


def chart_of(rows: Sequence[Mapping[str, object]], mark: alt.MarkDef) -> alt.Chart:
    """A chart of these, without an encoding yet."""
    return alt.Chart(alt.InlineData(values=list(rows)), mark=mark)


def svg(chart: alt.TopLevelMixin, description: str) -> Markup:
    """The chart, which fills its container up to its own width.

    `description` is for whoever does not see it. A point with a `description` of its own shows it under the mouse.
    """
    drawn = vl_convert.vegalite_to_svg(chart.to_dict(), config=THEME)
    head = HEAD.match(drawn)
    if head is None:
        raise ValueError(f"a chart began with {drawn[:200]}")
    width, view_box = head.groups()
    body = ROLE.sub("", NAMED_MARK.sub(r"<path\2><title>\1</title></path>", drawn[head.end() :]))
    style, label = f"max-width:{width}px", escape(description)
    return Markup(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="{view_box}" style="{style}" role="img" '
        f'aria-label="{label}">{body}'
    )


def standalone(chart: Markup) -> str:
    """The same as a file of its own, with the report's colours and its own ground, light or dark as the reader's."""
    light, dark = COLOURS.findall(STYLE.read_text(encoding="utf-8"))
    style = f"<style>svg{{{light}background:var(--paper)}}@media (prefers-color-scheme: dark){{svg{{{dark}}}}}</style>"
    head, rest = str(chart).split(">", maxsplit=1)
    return f"{head}>{style}{rest}\n"
