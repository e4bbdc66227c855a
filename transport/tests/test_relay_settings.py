"""What a link is prepared to be from its settings, and which settings are refused."""

from __future__ import annotations

import re

import pytest

from cc.links.catalogue import LinkCatalogue
from transport.relay.settings import LinkSettings, LinkSettingsError, prepare_link, settings_from_json


def test_capacity_comes_in_bins_of_half_a_second_until_the_trace_repeats() -> None:
    link = prepare_link(LinkSettings("steps", delay_ms=20), LinkCatalogue([]))
    assert link.capacity is not None
    bits_per_s = link.capacity["bits_per_s"]
    assert isinstance(bits_per_s, list)
    assert (link.capacity["bin_ms"], link.capacity["period_ms"], len(bits_per_s)) == (500, 60_000, 120)
    assert bits_per_s[0] == pytest.approx(24e6, rel=0.01)
    assert bits_per_s[30] == pytest.approx(6e6, rel=0.01)


def test_without_a_trace_a_link_only_delays_and_loses() -> None:
    link = prepare_link(LinkSettings("none", delay_ms=20, loss_ratio=0.5), LinkCatalogue([]))
    assert (link.settings.delay_ms, link.settings.loss_ratio, link.capacity) == (20, 0.5, None)
    assert not link.settings.is_nothing
    assert LinkSettings("none", delay_ms=0).is_nothing


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "link [] is not an object"),
        ({}, "link's name None is not a text"),
        (
            {"name": "x", "delay": 3},
            "link has an unknown field 'delay'; known fields: delay_ms, discipline, loss_ratio",
        ),
        ({"name": "x", "delay_ms": -1}, "delay_ms -1 is not a number from 0 to 1000"),
        ({"name": "x", "delay_ms": True}, "delay_ms True is not a number"),
        ({"name": "x", "delay_ms": float("nan")}, "delay_ms nan is not a number"),
        ({"name": "x", "loss_ratio": "much"}, "loss_ratio 'much' is not a number from 0 to 0.5"),
        (
            {"name": "x", "queue_packets": 0},
            "queue_packets 0 is not a whole number from 1 to 20000, nor null for no limit",
        ),
        ({"name": "none", "queue_packets": 3}, "queue_packets 3: link none has no queue; name a link, or leave it out"),
        ({"name": "none", "queue_bytes": 3000}, "queue_bytes 3000: link none has no queue"),
        ({"name": "none", "discipline": "codel"}, "discipline 'codel': link none has no queue"),
        ({"name": "x", "queue_bytes": 1.5}, "queue_bytes 1.5 is not a whole number"),
    ],
)
def test_a_link_that_makes_no_sense_is_refused_by_its_field(value: object, message: str) -> None:
    with pytest.raises(LinkSettingsError, match=re.escape(message)):
        settings_from_json(value)
