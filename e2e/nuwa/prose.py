"""How hard a page is to read: `python -m e2e.nuwa.prose [FILE ...]` prints it of each page of the clone.

Lists, tables, headings and code are left out: readers scan them. A sentence ends at `.`, `!` or `?`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cc.command_line.arguments import OneSentenceParser
from cc.command_line.clone import ROOT
from cc.core.quantile import quantile

MOST_WORDS_MEDIAN = 15
MOST_WORDS_P90 = 28
MOST_WORDS_PARAGRAPH = 60
LEAST_WORDS_SENTENCE = 3  # what is shorter is a label

FENCED = re.compile(r"```.*?```", re.DOTALL)
MARKED = re.compile(r"<!-- (?:figures|tables): .*?<!-- end -->", re.DOTALL)
COMMENT = re.compile(r"<!-- .*? -->", re.DOTALL)
LINK_TARGET = re.compile(r"\]\([^)]*\)")
NO_PROSE = re.compile(r"[#|>!<]|[-*] |\d+\. | {4}")
LIST_ITEM = re.compile(r"[-*] |\d+\. ")


@dataclass(frozen=True, slots=True)
class Prose:
    """A page's figures; all are 0 where it has no sentence."""

    median_words: float
    """A sentence."""
    p90_words: float
    longest_paragraph_words: int

    @property
    def is_plain(self) -> bool:
        """Whether it keeps to CONTRIBUTING.md."""
        return (
            self.median_words <= MOST_WORDS_MEDIAN
            and self.p90_words <= MOST_WORDS_P90
            and self.longest_paragraph_words <= MOST_WORDS_PARAGRAPH
        )


def prose_of(text: str) -> Prose:
    """Measured over a page's paragraphs."""
    paragraphs = _paragraphs(text)
    lengths = [len(sentence.split()) for paragraph in paragraphs for sentence in re.split(r"(?<=[.!?])\s+", paragraph)]
    words = sorted(length for length in lengths if length >= LEAST_WORDS_SENTENCE)
    longest = max((len(paragraph.split()) for paragraph in paragraphs), default=0)
    if not words:
        return Prose(0, 0, longest)
    return Prose(quantile(words, 0.5), quantile(words, 0.9), longest)


def pages(root: Path = ROOT) -> list[Path]:
    """Every Markdown page that git knows."""
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=root, check=True, capture_output=True, text=True)
    return [root / name for name in listed.stdout.splitlines() if (root / name).is_file()]


def main(arguments: Sequence[str]) -> int:
    """1 if a page is hard to read, 2 for one that cannot be read."""
    parser = OneSentenceParser(prog="python -m e2e.nuwa.prose", description="How hard pages are to read.")
    parser.add_argument("files", type=Path, nargs="*", metavar="FILE", help="all pages of the clone unless named")
    status = 0
    for page in parser.parse_args(arguments).files or pages():
        try:
            prose = prose_of(page.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            sys.stderr.write(f"{page}: cannot be read: {error}\n")
            return 2
        status |= not prose.is_plain
        sys.stdout.write(
            f"{'  ' if prose.is_plain else '! '}{page}: words a sentence {prose.median_words:.0f} (median), "
            f"{prose.p90_words:.0f} (p90); longest paragraph {prose.longest_paragraph_words}\n"
        )
    return status


def _paragraphs(text: str) -> list[str]:
    blocks = re.split(r"\n\s*\n", COMMENT.sub("", MARKED.sub("", FENCED.sub("", text))))
    found, is_in_list = [], False
    for block in blocks:
        is_indented = block.startswith(" ")
        is_in_list = bool(LIST_ITEM.match(block.lstrip())) or (is_in_list and is_indented)
        if block.strip() and not is_in_list and not NO_PROSE.match(block):
            found.append(" ".join(LINK_TARGET.sub("]", block).split()))
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
