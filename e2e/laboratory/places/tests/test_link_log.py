"""The link's log, by vectors that the TypeScript reader in e2e/browser/link is held to as well."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from cc.command_line.clone import ROOT
from e2e.laboratory.places.link_log import LinkLogError, parse_link_log, read_start_s
from e2e.laboratory.places.log_span import LogSpan

VECTORS: dict[str, Any] = json.loads((ROOT / "e2e/browser/link/testdata/link-logs.json").read_text("utf-8"))
LOG = "".join(f"{line}\n" for line in VECTORS["log"])
INIT_MS = VECTORS["init_ms"]


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["name"])
def test_a_log_is_read(case: dict[str, Any]) -> None:
    added = "".join(f"{line}\n" for line in case["lines"])
    log = parse_link_log(f"{LOG}{added}{case.get('cut_off', '')}")
    assert [at_ms - INIT_MS for at_ms in log.opportunities.at_ms] == case["opportunities_ms"]
    left, drops = log.departures, log.drops
    assert [
        [at_ms - INIT_MS, wire_bytes, delay_ms]
        for at_ms, wire_bytes, delay_ms in zip(left.at_ms, left.wire_bytes, log.delays_ms, strict=True)
    ] == case["departures"]
    assert [
        [at_ms - INIT_MS, wire_bytes] for at_ms, wire_bytes in zip(drops.at_ms, drops.wire_bytes, strict=True)
    ] == case["drops"]


@pytest.mark.parametrize("line", VECTORS["odd_lines"])
def test_an_odd_line_is_a_failure(line: str) -> None:
    with pytest.raises(LinkLogError, match=re.escape(f'line {len(VECTORS["log"]) + 1}: "{line}" is no event')):
        parse_link_log(f"{LOG}{line}\n")


def test_a_log_that_does_not_say_when_it_began_is_a_failure() -> None:
    with pytest.raises(LinkLogError, match="has no `# init timestamp` line"):
        parse_link_log("38 # 1504\n")


def test_the_trace_begins_at_the_base_timestamp() -> None:
    assert read_start_s(LOG) == (INIT_MS + VECTORS["trace_begins_ms"]) / 1000


def test_a_windows_capacity_throughput_and_delays() -> None:
    window = VECTORS["window"]
    span = LogSpan((INIT_MS + window["from_ms"]) / 1000, (window["to_ms"] - window["from_ms"]) / 1000, 1)
    result, delay_ms = span.link_result(parse_link_log(LOG)), window["delay_ms"]
    assert result.capacity_bits_per_s == pytest.approx(window["capacity_bits_per_s"])
    assert result.throughput_bits_per_s == pytest.approx(window["throughput_bits_per_s"])
    assert result.dropped == window["dropped"]
    assert result.queueing_delay is not None
    assert result.queueing_delay.mean_ms == pytest.approx(delay_ms["mean"])
    assert (result.queueing_delay.p50_ms, result.queueing_delay.max_ms) == (delay_ms["p50"], delay_ms["max"])
