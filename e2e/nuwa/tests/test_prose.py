"""Pages are plain, and the measure of it is what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.nuwa.prose import Prose, main, pages, prose_of

PAGE = """# Many words that are in a heading and do not count

One two three four. Five six seven!

- a list of very many words that nobody counts since readers scan it

    code is not prose either

| a | table |

```
nor is this
```

One two three four five six
seven eight [nine](https://example.org/a/b) ten.
"""


def test_sentences_of_paragraphs_alone_count() -> None:
    assert prose_of(PAGE) == Prose(median_words=4, p90_words=10, longest_paragraph_words=10)


def test_figures_between_markers_are_left_out() -> None:
    assert prose_of("<!-- figures: npm run bench -- lte -->\n\nOne two three.\n\n<!-- end -->\n") == Prose(0, 0, 0)


def test_the_marker_of_a_number_is_no_word() -> None:
    assert prose_of("One <!-- figure: npm run bench -- lte | p95 -->two<!-- end --> three four.\n") == Prose(4, 4, 4)


def test_a_page_without_a_sentence_is_plain() -> None:
    assert prose_of("# Title\n\n| a | b |\n").is_plain


def test_long_sentences_are_not_plain() -> None:
    assert not prose_of(" ".join(["word"] * 16) + ".").is_plain
    assert prose_of(" ".join(["word"] * 15) + ".").is_plain


def test_long_paragraphs_are_not_plain() -> None:
    assert not prose_of("One two three four five six seven eight nine. " * 9).is_plain


def test_a_page_that_is_not_there_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "no.md")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_every_page_is_plain(page: Path) -> None:
    prose = prose_of(page.read_text(encoding="utf-8"))
    assert prose.is_plain, f"{page}: {prose}; shorten its sentences (python -m e2e.nuwa.prose)"
