from __future__ import annotations

import re

import pytest

from cc.registry import SCHEMES
from cc.simulation.omniscient import OMNISCIENT
from e2e.laboratory.matrix.flow_syntax import Context, parse_flows, parse_scheme
from e2e.laboratory.matrix.values import OptionError
from e2e.laboratory.plan import OnOff
from e2e.laboratory.request import SELF, FlowTemplate, SchemeChoice

CONTEXT = Context(duration_s=60.0)
TESTED = FlowTemplate(SELF, None)


def test_a_preset_may_be_chosen() -> None:
    assert parse_scheme("nuwa", CONTEXT) == SchemeChoice("nuwa", "on-demand")
    assert parse_scheme("nuwa:preset=live", CONTEXT) == SchemeChoice("nuwa", "live")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bbrx", 'scheme "bbrx" is unknown: did you mean bbr?'),
        ("nuwa:preset=fast", 'preset "fast" is unknown: choose one of '),
        ("cubic:preset=live", "preset=live: cubic has none, only receiver-driven schemes do: "),
        ("nuwa:k=3", '--schemes nuwa:k=3: "k" is no setting here; there is preset'),
    ],
)
def test_a_scheme_is_refused(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        parse_scheme(text, CONTEXT)


def test_a_number_is_so_many_of_the_scheme_under_test() -> None:
    assert parse_flows("2", CONTEXT) == (TESTED, TESTED)


def test_a_list_names_scheme_count_time_path_preset_and_source() -> None:
    flows = "self, cubic*2@10-40:rtt=80, nuwa@0.5:preset=live:source=on-off/500000/2"
    cubic = FlowTemplate("cubic", None, 10.0, 40.0, rtt_ms=80.0)
    nuwa = FlowTemplate("nuwa", "live", 0.5, source=OnOff(500_000, 2.0))
    assert parse_flows(flows, CONTEXT) == (TESTED, cubic, cubic, nuwa)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0", "--flows 0: give from 1 to 64 flows"),
        ("65", "give from 1 to 64 flows"),
        ("cubic*65", "--flows cubic*65: give from 1 to 64 flows"),
        ("slef@10", 'scheme "slef" is unknown: did you mean self?'),
        ("self@60", "--flows self@60: a flow begins, then stops, within the run's 60 s"),
        ("self@40-10", "a flow begins, then stops, within the run's 60 s"),
        ("self@0-61", "a flow begins, then stops, within the run's 60 s"),
        ("self@1.25", '"1.25" is no time: seconds, at most tenths of them'),
        ("self@", '"" is no time'),
        ("self@soon", '"soon" is no time'),
        ("self@inf", '"inf" is no time'),
        ("self:rtt=0", "--flows self:rtt=0: rtt 0: give a number of ms"),
        ("self:source=film", "source=film is neither bulk nor on-off/BYTES/SECONDS"),
        ("self:start=3", '"start" is no setting here; there is preset, rtt, source'),
    ],
)
def test_flows_are_refused(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        parse_flows(text, CONTEXT)


def test_no_scheme_has_a_name_that_means_something_else() -> None:
    assert {SELF, OMNISCIENT}.isdisjoint(scheme.name for scheme in SCHEMES)
