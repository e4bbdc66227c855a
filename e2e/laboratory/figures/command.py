"""`nuwa bench pages [FILE ...]`: keeps what benchmarks measured, and writes it into the pages.

With `--ages` says instead which figures are older than the sources that they rest on.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from cc.command_line.arguments import EXIT_USAGE, OneSentenceParser
from cc.command_line.clone import ROOT
from e2e.laboratory.figures.age import ages
from e2e.laboratory.figures.measured import FOLDER, Measured, MeasuredError, all_measured
from e2e.laboratory.figures.pages import END, PageError, cited_in, filled

LIST_PAGES = ("git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md")


def main(arguments: Sequence[str], *, prog: str = "nuwa bench pages") -> int:
    """0 if all pages have what was measured; 2 for a file or a marker that cannot be."""
    parser = OneSentenceParser(prog=prog, description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="what a benchmark wrote (.build/e2e/bench)")
    parser.add_argument("--ages", action="store_true", help="only say which figures are older than their sources")
    options = parser.parse_args(arguments)
    try:
        if options.ages:
            sys.stdout.writelines(f"{line}\n" for line in ages(all_measured(), ROOT))
            return 0
        measured = [Measured.read(file) for file in options.files]
        kept = {**all_measured(), **{each.command: each for each in measured}}
        texts = {page: filled(page, kept) for page in pages(ROOT)}
        _require_cited(measured, texts.values())
    except (MeasuredError, PageError) as error:
        sys.stderr.write(f"{error}\n")
        return EXIT_USAGE
    for each in measured:
        sys.stdout.write(f"{each.keep(FOLDER).relative_to(ROOT)}\n")
    for page, text in texts.items():
        if page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{page.relative_to(ROOT)}\n")
    return 0


def _require_cited(measured: Sequence[Measured], texts: Iterable[str]) -> None:
    """Raises PageError for what no page would show: kept, it would only lie there."""
    cited = {command for text in texts for command in cited_in(text)}
    for each in measured:
        if each.command not in cited:
            marker = f"<!-- figures: {each.command} -->"
            raise PageError(
                f"no page has figures of {each.command!r}: write {marker} and {END} where they are to stand"
            )


def pages(root: Path) -> list[Path]:
    """Every Markdown page of the clone. Raises PageError where there is none."""
    try:
        listed = subprocess.run(LIST_PAGES, cwd=root, check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise PageError(f"{root} is no clone of nuwa-stream, and has no pages to write") from error
    return [root / name for name in listed.splitlines() if (root / name).is_file()]
