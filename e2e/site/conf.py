"""Sphinx's settings: the clone's own pages, where they lie, make the site."""

from __future__ import annotations

from pathlib import Path
from shutil import copyfile

from sphinx.application import Sphinx

CONTENTS = Path(__file__).with_name("contents.md")

project = "nuwa-stream"
author = "the nuwa-stream authors"
project_copyright = author
extensions = ["myst_parser"]
root_doc = "README"
include_patterns = ["*.md", "**/*.md"]
exclude_patterns = ["node_modules", "**/node_modules", ".*", "**/testdata", "e2e/site/contents.md"]
myst_heading_anchors = 6  # so that links to headings are those of a code host
suppress_warnings = ["toc.not_included"]  # cards and choices are reached from their folder's page

html_theme = "furo"
html_title = project
html_copy_source = False
html_show_sphinx = False


def setup(app: Sphinx) -> None:
    """The front page gets the table of contents, and is the index."""
    app.connect("source-read", _add_contents)
    app.connect("build-finished", _copy_index)


def _add_contents(_app: Sphinx, page: str, source: list[str]) -> None:
    if page == root_doc:
        source[0] += f"\n{CONTENTS.read_text(encoding='utf-8')}"


def _copy_index(app: Sphinx, problem: Exception | None) -> None:
    if problem is None:
        copyfile(app.outdir / f"{root_doc}.html", app.outdir / "index.html")
