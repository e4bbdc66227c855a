"""Tao's tree, its signals and its window, by numbers worked by hand."""

from __future__ import annotations

import json
import random

import pytest

from cc.sender.tao.tao import TREE, TREE_FILE, Tao, moved
from cc.sender.tao.whiskers import Signals, Split, Tree, Whisker, WhiskerError, read_tree, tree_json, whisker_for
from cc.tests.flow import MSS, Flow

STILL = Whisker(multiple=1.0, increment=0.0, intersend_ms=2.0)
GROWS = Whisker(multiple=1.0, increment=1.0, intersend_ms=0.5)
SHRINKS = Whisker(multiple=0.5, increment=1.0, intersend_ms=4.0)
BY_RTT = Split((0.0, 0.0, 1.5), (STILL, STILL, STILL, GROWS, STILL, STILL, STILL, SHRINKS))


def make_flow(tree: Tree, asked: list[Signals] | None = None) -> Flow:
    watch = None if asked is None else asked.append
    return Flow(Tao(max_datagram_bytes=MSS, rng=random.Random(1), tree=tree, watch=watch))


@pytest.mark.parametrize(
    ("signals", "index"),
    [((0.9, 1.9, 2.9), 0), ((1.0, 1.9, 2.9), 1), ((0.9, 2.0, 2.9), 2), ((0.9, 1.9, 3.0), 4), ((5.0, 5.0, 5.0), 7)],
)
def test_each_signal_is_a_bit_of_the_childs_index(signals: Signals, index: int) -> None:
    children = tuple(Whisker(1.0, float(number), 1.0) for number in range(8))
    assert whisker_for(Split((1.0, 2.0, 3.0), children), signals).increment == index


def test_a_tree_is_read_as_it_was_written() -> None:
    tree = Split((1.0, 2.0, 3.0), (BY_RTT, *[STILL] * 7))
    assert read_tree(json.loads(json.dumps(tree_json(tree)))) == tree


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ({"multiple": 1}, "needs the numbers"),
        ({"multiple": "x", "increment": 1, "intersend_ms": 1}, "needs the numbers"),
        ({"multiple": float("nan"), "increment": 1, "intersend_ms": 1}, "out of range"),
        ({"multiple": 1, "increment": 1, "intersend_ms": 0}, "out of range"),
        ({"at": [1, 2], "children": []}, "with 0 children"),
    ],
)
def test_what_is_no_tree_is_refused(text: dict[str, object], problem: str) -> None:
    with pytest.raises(WhiskerError, match=problem):
        read_tree(text)


def test_every_packet_that_is_acknowledged_moves_the_window() -> None:
    flow = make_flow(SHRINKS)
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers[:2])  # 10 -> 6 -> 4
    assert flow.scheme.cwnd_bytes == 4 * MSS
    assert flow.scheme.pacing_rate_bytes_per_s == pytest.approx(MSS / 0.004)


def test_the_tree_is_asked_by_gaps_and_round_trips() -> None:
    asked: list[Signals] = []
    flow = make_flow(STILL, asked)
    for _ in range(4):
        flow.send(1)
        flow.wait(0.010)
    flow.ack([0])
    flow.wait(0.016)
    flow.ack([1, 2])
    # 16 ms between ACKs for two packets, that had been sent 10 ms apart
    acks, sends, ratio = asked[-1]
    assert acks == pytest.approx(8 * (1 - 0.875**2))
    assert sends == pytest.approx(10 * (1 - 0.875**2))
    assert ratio == 1.0


def test_an_average_sees_a_value_once_for_each_packet() -> None:
    assert moved(8.0, 16.0, 1) == 9.0
    assert moved(8.0, 16.0, 2) == 9.875


def test_a_silence_of_the_sender_is_no_gap() -> None:
    asked: list[Signals] = []
    flow = make_flow(STILL, asked)
    flow.ack(flow.send(1))
    flow.wait(30.0)
    flow.ack(flow.send(1))
    assert asked[-1][:2] == (0.0, 0.0)


def test_no_whisker_lifts_the_window_above_three_times_what_a_round_trip_delivered() -> None:
    flow = make_flow(Whisker(multiple=2.0, increment=200.0, intersend_ms=1.0))
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers)
    assert flow.scheme.cwnd_bytes == 30 * MSS


def test_losses_change_nothing_but_persistent_congestion_does() -> None:
    flow = make_flow(STILL)
    flow.lose(flow.send(1))
    assert flow.scheme.cwnd_bytes == 10 * MSS
    flow.lose(flow.send(1), is_persistent_congestion=True)
    assert (flow.scheme.cwnd_bytes, flow.scheme.window_resets) == (2 * MSS, 1)


def test_the_tree_that_serves_says_how_it_was_made() -> None:
    made = json.loads(TREE_FILE.read_text(encoding="utf-8"))
    assert read_tree(made["tree"]) == TREE
    assert {"source", "command", "budget", "objective", "learned_on", "judged_on"} <= set(made)
    assert made["objective_judged_on"] > made["objective_judged_on_of_the_first_tree"]
