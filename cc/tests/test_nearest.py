"""The nearest name, or all."""

from __future__ import annotations

import pytest

from cc.command_line.nearest import choice, did_you_mean

KNOWN = ("nuwa", "cubic", "bbr")


@pytest.mark.parametrize(
    ("name", "advice"),
    [("cubik", "did you mean cubic?"), ("bbrx", "did you mean bbr?"), ("moon", "choose one of nuwa, cubic, bbr")],
)
def test_a_name_that_is_alike_is_told_or_all_are(name: str, advice: str) -> None:
    assert choice(name, iter(KNOWN)) == advice


def test_where_none_is_alike_nothing_is_asked() -> None:
    assert did_you_mean("moon", KNOWN) is None
