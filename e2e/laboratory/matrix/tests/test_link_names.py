from __future__ import annotations

from dataclasses import replace

import pytest

from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.matrix.link_names import links_by_name, trace_of
from e2e.laboratory.matrix.options import parse_options
from e2e.laboratory.matrix.values import OptionError
from e2e.laboratory.tests.samples import sample_link


def links(text: str) -> list[LoadedLink]:
    return [sample_link(choice) for choice in parse_options(["--schemes", "nuwa", "--links", text]).links]


def test_a_link_that_is_there_once_is_called_as_its_trace() -> None:
    assert list(links_by_name(links("24mbit:queue=100,12mbit"))) == ["24mbit", "12mbit"]


@pytest.mark.parametrize("setting", ["delay=40", "queue=none", "discipline=codel", "loss=0.01"])
def test_links_of_one_trace_are_told_apart_by_what_differs(setting: str) -> None:
    first, second = links_by_name(links(f"24mbit,24mbit:{setting}"))
    assert second == f"24mbit:{setting}"
    assert first.split("=")[0] == second.split("=")[0]
    assert first != second


def test_names_are_read_as_links_again() -> None:
    several = links("24mbit:queue=none,24mbit:loss=0.015,24mbit:loss=0.015:queue=20,12mbit")
    named = links_by_name(several)
    assert list(named.values()) == several
    assert list(links_by_name(links(",".join(named)))) == list(named)


def test_a_trace_is_found_behind_settings_alone() -> None:
    assert trace_of("24mbit:loss=0.015:queue=20") == trace_of("24mbit")
    assert trace_of("home:1") != trace_of("home:2:queue=20")  # colons of files' names


def test_what_cannot_be_told_apart_is_refused() -> None:
    with pytest.raises(OptionError, match="24mbit is there twice"):
        links_by_name(links("24mbit,24mbit:queue=300"))
    one, other = links("/a/home.trace,/b/home.trace")
    files = [replace(one, name="home"), replace(other, name="home", downlink_sha256="beef")]
    with pytest.raises(OptionError, match=r"/a/home\.trace and /b/home\.trace would both be called home"):
        links_by_name(files)
