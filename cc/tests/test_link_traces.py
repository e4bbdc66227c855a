"""Traces: their text, the families that make them, and the list of those that have names."""

from __future__ import annotations

import hashlib
import random
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cc.links.catalogue import NO_LINK
from cc.links.link import OPPORTUNITY_BYTES, LinkQueue, constant_rate_opportunities_ms
from cc.links.traces.capacity import capacity_bits_per_s, mean_bits_per_s
from cc.links.traces.formats.base import TraceError
from cc.links.traces.formats.mahimahi import format_trace, parse_trace
from cc.links.traces.generated import Direction, GeneratedTrace
from cc.links.traces.lte_like import LteLike
from cc.links.traces.nr_like import NrLike
from cc.links.traces.opportunity_trace import OpportunityTrace
from cc.links.traces.rates import generate, opportunities_from_rates, standard_noise
from cc.links.traces.registry import TRACES
from cc.links.traces.steps import Steps
from cc.links.traces.summary import summary_of
from cc.links.traces.wifi_like import WifiLike

README = Path(__file__).parents[1] / "README.md"

by_name = pytest.mark.parametrize("trace", TRACES, ids=lambda trace: trace.name)


def text_of(trace: GeneratedTrace, direction: Direction) -> str:
    return format_trace(trace.opportunities_ms(direction, random.Random(trace.seed)))


@by_name
@pytest.mark.parametrize("direction", ["downlink", "uplink"])
def test_a_named_trace_is_the_same_on_every_machine(trace: GeneratedTrace, direction: Direction) -> None:
    sha256 = hashlib.sha256(text_of(trace, direction).encode("ascii")).hexdigest()
    module = type(trace.downlink).__module__
    assert trace.sha256(direction) == sha256, (
        f'of a trace that is meant to be new or changed, put {direction}_sha256="{sha256}" into {module}'
    )


@by_name
def test_a_named_trace_has_its_row_in_the_readme(trace: GeneratedTrace) -> None:
    module = type(trace.downlink).__module__.rpartition(".")[2]
    duration_s = f"{trace.duration_ms / 1000:g} s"
    row = re.search(rf"^\| `{re.escape(trace.name)}` \|.*$", README.read_text("utf-8"), re.MULTILINE)
    wanted = f"| `{trace.name}` | `{module}.py` | WHAT HAPPENS | {trace.seed}, {duration_s} |"
    assert row is not None, f"put the row {wanted} into the table of cc/README.md"
    _, family, _, seed_and_duration = (cell.strip() for cell in row[0].strip("|").split("|"))
    assert family == f"`{module}.py`", f"the row of cc/README.md should be {wanted}"
    assert seed_and_duration in {f"{trace.seed}, {duration_s}", f"none, {duration_s}"}, f"it should be {wanted}"


def test_the_readme_has_no_row_of_a_trace_that_there_is_not() -> None:
    section = README.read_text("utf-8").partition("## Generated traces")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)
    assert rows == [trace.name for trace in TRACES]


@by_name
def test_a_named_trace_lasts_and_carries_what_it_says(trace: GeneratedTrace) -> None:
    directions: tuple[Direction, Direction] = ("downlink", "uplink")
    for direction, family in zip(directions, (trace.downlink, trace.uplink), strict=True):
        opportunities_ms = parse_trace(text_of(trace, direction))
        assert opportunities_ms[-1] == trace.duration_ms
        assert mean_bits_per_s(opportunities_ms) == pytest.approx(family.mean_bits_per_s, rel=0.001)


@by_name
def test_a_named_trace_changes_within_half_a_minute_and_carries_a_film(trace: GeneratedTrace) -> None:
    seconds = capacity_bits_per_s(parse_trace(text_of(trace, "downlink")), bin_ms=1000)
    most, least = (f"{rate / 1e6:.2g}" for rate in (max(seconds[:30]), min(seconds[:30])))
    assert max(seconds[:30]) > 2.5 * min(seconds[:30]), (
        f"within its first 30 s its rate shall change by more than 2.5 times; it has {least} to {most} Mbit/s"
    )
    # a film of 0.3 to 8 Mbit/s: the lowest rung fits most of the time, the highest some of it
    carries_lowest, carries_highest = (
        sum(rate > rung_bits_per_s for rate in seconds) / len(seconds) for rung_bits_per_s in (0.4e6, 8e6)
    )
    assert carries_lowest > 0.9, f"over 0.4 Mbit/s shall be more than 90 % of its seconds; {carries_lowest:.0%} are"
    assert 0.1 < carries_highest < 0.7, f"over 8 Mbit/s shall be 10 to 70 % of its seconds; {carries_highest:.0%} are"


def test_names_are_for_command_lines_and_unique() -> None:
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", trace.name) for trace in TRACES)
    assert len({trace.name for trace in TRACES}) == len(TRACES)


def test_handovers_stop_everything_for_a_moment() -> None:
    opportunities_ms = generate(NrLike(mean_bits_per_s=10e6), random.Random(1), duration_ms=60_000)
    gaps_ms = [after - before for before, after in pairwise(opportunities_ms)]
    assert 6 <= sum(gap >= 50 for gap in gaps_ms) <= 30
    assert max(gaps_ms) <= 350


def test_wireless_networks_pause_for_short() -> None:
    opportunities_ms = generate(WifiLike(mean_bits_per_s=6e6), random.Random(1), duration_ms=60_000)
    gaps_ms = [after - before for before, after in pairwise(opportunities_ms)]
    assert 10 <= sum(gap >= 20 for gap in gaps_ms) <= 120
    assert max(gaps_ms) <= 160


def test_steps_are_where_they_are_said_to_be() -> None:
    opportunities_ms = generate(Steps((2e6, 8e6)), random.Random(0), duration_ms=2000)
    # 2 and 8 Mbit/s for 1 s are 166.2 and 664.9 opportunities
    assert sum(time_ms <= 1000 for time_ms in opportunities_ms) == 166
    assert len(opportunities_ms) in (831, 832)


families = st.one_of(
    st.builds(
        LteLike,
        mean_bits_per_s=st.floats(3e5, 40e6),
        fading_kick=st.floats(0, 0.2),
        scheduled_share=st.floats(0.1, 1.0),
    ),
    st.builds(NrLike, mean_bits_per_s=st.floats(3e5, 40e6), ripple=st.floats(0, 0.3)),
    st.builds(WifiLike, mean_bits_per_s=st.floats(3e5, 40e6), most_stations=st.integers(1, 10)),
    st.builds(Steps, st.lists(st.floats(3e5, 40e6), min_size=1, max_size=5).map(tuple)),
)


@given(family=families, seed=st.integers(0, 2**32), duration_ms=st.integers(1000, 8000))
@settings(derandomize=True, max_examples=60)
def test_every_family_makes_links_of_the_mean_it_says(
    family: LteLike | NrLike | WifiLike | Steps, seed: int, duration_ms: int
) -> None:
    opportunities_ms = generate(family, random.Random(seed), duration_ms=duration_ms)
    LinkQueue(opportunities_ms)  # takes what mahimahi would take
    assert opportunities_ms[-1] == duration_ms
    assert parse_trace(format_trace(opportunities_ms)) == tuple(opportunities_ms)
    # one opportunity for the end, and less than one that has not come together
    slack_bits_per_s = OPPORTUNITY_BYTES * 8 * 1000 / duration_ms
    steps_slack = 0.0 if not isinstance(family, Steps) else 40e6 * 5 / duration_ms  # steps end on whole milliseconds
    difference = abs(mean_bits_per_s(opportunities_ms) - family.mean_bits_per_s)
    assert difference <= slack_bits_per_s + steps_slack + 1
    assert generate(family, random.Random(seed), duration_ms=duration_ms) == opportunities_ms


def test_rates_become_opportunities_when_1504_bytes_have_come_together() -> None:
    # 12032 bits in 4 ms at 3.008 Mbit/s; the end sets the period
    assert opportunities_from_rates([3.008e6] * 10) == [4, 8, 10]
    assert opportunities_from_rates([24.064e6] * 2) == [1, 1, 2, 2]
    assert opportunities_from_rates([0.0] * 3) == [3]


def test_noise_has_mean_zero_and_variance_one() -> None:
    rng = random.Random(3)
    values = [standard_noise(rng) for _ in range(20_000)]
    assert sum(values) / len(values) == pytest.approx(0, abs=0.03)
    assert sum(value * value for value in values) / len(values) == pytest.approx(1, abs=0.03)


def test_capacity_in_bins_of_which_the_last_is_shorter() -> None:
    # 12032 bits each: two in 10 ms, one on the border and one in 10 ms, the last in 5 ms
    assert capacity_bits_per_s([0, 9, 10, 19, 25], bin_ms=10) == [2_406_400, 2_406_400, 2_406_400]
    assert capacity_bits_per_s([4], bin_ms=10) == [3_008_000]


@pytest.mark.parametrize("mbit_per_s", [0.1, 0.3, 1.5, 24])
def test_a_constant_rate_has_no_peak_where_its_period_ends(mbit_per_s: float) -> None:
    """0.3 Mbit/s repeats after 1003 ms: the packet in the last 3 would be 4 Mbit/s."""
    opportunities_ms = constant_rate_opportunities_ms(mbit_per_s)
    rates = capacity_bits_per_s(opportunities_ms, bin_ms=500)
    assert max(rates) <= mbit_per_s * 1e6 + 2 * 1504 * 8 / 0.5
    summary = summary_of(OpportunityTrace(tuple(opportunities_ms)), bin_s=0.1)
    assert summary.highest_bits_per_s <= mbit_per_s * 1e6 + 2 * 1504 * 8 / 0.1


@pytest.mark.parametrize("text", ["1\n", "0\n5", "5\r\n7\r\n", "3 \n3\n", "604800000"])
def test_reads_what_mahimahi_reads(text: str) -> None:
    assert parse_trace(text) == tuple(int(line) for line in text.split())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is empty; give one delivery opportunity a line"),
        ("\n", "line 1 is '', not a number of whole milliseconds"),
        ("5\n\n7\n", "line 2 is ''"),
        ("5\n7\n6\n", "line 3 goes back in time, from 7 to 6 ms"),
        ("0\n0\n", "line 2 is the last and 0: nothing is delivered after the first millisecond"),
        ("5\nsix\n", "line 2 is 'six', not a number of whole milliseconds"),
        ("1.5\n", "line 1 is '1.5'"),
        ("-1\n", "line 1 is '-1'"),
        ("604800000\n604800001\n", "line 2 is 604800001 ms, more than a week: do the times count from the trace's"),
        ("1700000000000\n1700000000001\n", "line 1 is 1700000000000 ms, more than a week"),  # of the epoch
        ("1\n٣\n", "line 2 is '٣'"),  # a digit, but none of mahimahi's
        ("1\n" + "9" * 400 + "\n", "line 2 is '" + "9" * 40 + "...'"),
    ],
)
def test_says_which_line_is_no_trace(text: str, message: str) -> None:
    with pytest.raises(TraceError, match=re.escape(message)):
        parse_trace(text)


@given(text=st.text(alphabet="0123456789 \n\r\t-.x", max_size=60))
@settings(derandomize=True)
def test_any_text_is_a_trace_or_refused(text: str) -> None:
    try:
        opportunities_ms = parse_trace(text)
    except TraceError:
        return
    assert list(opportunities_ms) == sorted(opportunities_ms)
    LinkQueue(opportunities_ms)


def test_no_trace_has_the_name_that_means_none() -> None:
    assert NO_LINK not in {trace.name for trace in TRACES}
