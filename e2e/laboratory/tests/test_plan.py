from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from e2e.laboratory.plan import FlowChoice, OnOff, RunPlan, describe_flow, plan_key
from e2e.laboratory.tests.samples import sample_plan

PLAN = sample_plan()
CUBIC = FlowChoice("cubic", "on-demand")


def test_a_key_depends_on_no_name_of_the_arm() -> None:
    renamed = replace(PLAN, arm=replace(PLAN.arm, name="other"))
    assert plan_key(renamed, "sources") == plan_key(PLAN, "sources")


def test_a_key_is_that_of_the_plan_read_back() -> None:
    read = msgspec.json.decode(msgspec.json.encode(PLAN), type=RunPlan)
    assert plan_key(read, "sources") == plan_key(PLAN, "sources")


@pytest.mark.parametrize(
    "other",
    [
        replace(PLAN, seed=2),
        replace(PLAN, place="relay"),
        replace(PLAN, link=replace(PLAN.link, downlink_sha256="b")),
        replace(PLAN, link=replace(PLAN.link, start_ms=1)),
        replace(PLAN, link=replace(PLAN.link, queue_packets=None)),
        replace(PLAN, arm=replace(PLAN.arm, flows=PLAN.arm.flows * 2)),
        replace(PLAN, duration_s=3.0),
        replace(PLAN, acks="every-packet"),
    ],
)
def test_whatever_else_changes_is_another_key(other: RunPlan) -> None:
    assert plan_key(other, "sources") != plan_key(PLAN, "sources")


def test_other_sources_are_another_key() -> None:
    assert plan_key(PLAN, "others") != plan_key(PLAN, "sources")


@pytest.mark.parametrize(
    ("flow", "name"),
    [
        (CUBIC, "cubic"),
        (
            replace(CUBIC, start_s=5.0, extra_rtt_ms=40.0, source=OnOff(9, 2.0)),
            "cubic, from 5 s, RTT 40 ms longer, 9 bytes, then 2 s of pause",
        ),
        (replace(CUBIC, stop_s=7.0), "cubic, from 0 to 7 s"),
    ],
)
def test_a_flow_is_called_by_what_is_special_about_it(flow: FlowChoice, name: str) -> None:
    assert describe_flow(flow) == name
