"""`python -m e2e.laboratory pages [FILE ...]`: keeps what benchmarks measured, and writes it into the pages."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from cc.arguments import OneSentenceParser
from e2e.laboratory.figures.measured import FOLDER, Measured, MeasuredError, all_measured
from e2e.laboratory.figures.pages import PageError, write_figures

ROOT = Path(__file__).parents[3]
LIST_PAGES = ("git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md")


def main(arguments: Sequence[str]) -> int:
    """0 if all pages have what was measured; 2 for a file or a marker that cannot be."""
    parser = OneSentenceParser(prog="python -m e2e.laboratory pages", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="what a benchmark wrote (.build/e2e/bench)")
    options = parser.parse_args(arguments)
    try:
        measured = [Measured.read(file) for file in options.files]
        for each in measured:
            sys.stdout.write(f"{each.keep(FOLDER).relative_to(ROOT)}\n")
        kept = all_measured()
        for page in pages(ROOT):
            if write_figures(page, kept):
                sys.stdout.write(f"{page.relative_to(ROOT)}\n")
    except (MeasuredError, PageError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def pages(root: Path) -> list[Path]:
    """Every Markdown page of the clone."""
    listed = subprocess.run(LIST_PAGES, cwd=root, check=True, capture_output=True, text=True).stdout.splitlines()
    return [root / name for name in listed if (root / name).is_file()]
