"""The page has the ceilings that the code has."""

from __future__ import annotations

import pytest

from transport.media_server.ceilings import CEILINGS, PAGE, with_table


def test_the_page_has_them() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_table(page), "run python -m transport.media_server.ceilings --write"


def test_each_is_named_once_and_is_a_ceiling() -> None:
    assert len({each.what for each in CEILINGS}) == len(CEILINGS)
    assert all(each.most > 0 for each in CEILINGS)


def test_a_page_without_markers_is_not_written() -> None:
    with pytest.raises(ValueError, match="put both where the table belongs"):
        with_table("# transport\n")
