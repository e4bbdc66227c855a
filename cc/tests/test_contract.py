"""What holds for every scheme in the registry."""

from __future__ import annotations

import math

import pytest

from cc.base import MINIMUM_WINDOW_PACKETS, Phase, SenderScheme
from cc.registry import DEFAULT_SCHEME, SCHEMES, Scheme, UnknownSchemeError, scheme
from cc.tests.flow import MSS, Flow

pytestmark = pytest.mark.parametrize("entry", SCHEMES, ids=lambda entry: entry.name)

MINIMUM_BYTES = MINIMUM_WINDOW_PACKETS * MSS


def make_flow(entry: Scheme) -> Flow:
    return Flow(entry.make_sender(MSS))


def test_starts_in_slow_start_with_ten_packets(entry: Scheme) -> None:
    sender = entry.make_sender(MSS)
    assert isinstance(sender, SenderScheme)
    assert sender.cwnd_bytes == 10 * MSS
    assert sender.phase is Phase.SLOW_START


def test_window_is_a_whole_number_of_bytes(entry: Scheme) -> None:
    flow = make_flow(entry)
    for _ in range(5):
        numbers = flow.send(3, size_bytes=333)
        flow.wait()
        flow.ack(numbers)
        assert type(flow.scheme.cwnd_bytes) is int


def test_window_grows_by_what_is_acknowledged_in_slow_start(entry: Scheme) -> None:
    flow = make_flow(entry)
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers)
    assert flow.scheme.cwnd_bytes == 20 * MSS


def test_window_never_falls_below_two_packets(entry: Scheme) -> None:
    flow = make_flow(entry)
    for _ in range(20):
        numbers = flow.send(1)
        flow.wait()
        flow.lose(numbers, is_persistent_congestion=True)
        assert flow.scheme.cwnd_bytes >= MINIMUM_BYTES
    assert flow.scheme.cwnd_bytes == MINIMUM_BYTES


def test_losses_one_after_another_end_at_two_packets(entry: Scheme) -> None:
    flow = make_flow(entry)
    for _ in range(20):
        numbers = flow.send(2)
        flow.wait()
        flow.lose(numbers[:1])
        flow.ack(numbers[1:])
        flow.wait()
        assert flow.scheme.cwnd_bytes >= MINIMUM_BYTES
    assert flow.scheme.cwnd_bytes == MINIMUM_BYTES


def test_one_reduction_for_losses_of_one_flight(entry: Scheme) -> None:
    flow = make_flow(entry)
    numbers = flow.fill_window()
    flow.wait()
    flow.lose(numbers[:2])
    after_first = flow.scheme.cwnd_bytes
    assert MINIMUM_BYTES <= after_first < 10 * MSS
    assert flow.scheme.phase is Phase.RECOVERY
    flow.wait()
    flow.lose(numbers[2:5])
    assert flow.scheme.cwnd_bytes == after_first


def test_loss_of_a_packet_sent_after_the_reduction_reduces_again(entry: Scheme) -> None:
    flow = make_flow(entry)
    numbers = flow.fill_window()
    flow.wait()
    flow.lose(numbers)
    after_first = flow.scheme.cwnd_bytes
    flow.wait()
    later = flow.send(3)
    flow.wait()
    flow.lose(later[:1])
    assert flow.scheme.cwnd_bytes < after_first


def test_recovery_ends_when_a_packet_sent_in_it_is_acknowledged(entry: Scheme) -> None:
    flow = make_flow(entry)
    numbers = flow.fill_window()
    flow.wait()
    flow.lose(numbers[:1])
    after_loss = flow.scheme.cwnd_bytes
    flow.ack(numbers[1:])
    assert (flow.scheme.phase, flow.scheme.cwnd_bytes) == (Phase.RECOVERY, after_loss)
    flow.wait()
    later = flow.send(1)
    flow.wait()
    flow.ack(later)
    assert flow.scheme.phase is Phase.AVOIDANCE


@pytest.mark.parametrize("in_avoidance", [False, True], ids=["slow start", "avoidance"])
def test_no_growth_while_application_limited(entry: Scheme, in_avoidance: bool) -> None:
    flow = make_flow(entry)
    if in_avoidance:
        flow.lose_one_window()
    before = flow.scheme.cwnd_bytes
    for _ in range(20):
        flow.ledger.mark_app_limited()
        numbers = flow.send(1)
        flow.wait()
        event = flow.ack(numbers)
        assert event is not None
        assert event.is_app_limited
        assert flow.scheme.cwnd_bytes == before


def test_acknowledgement_of_unknown_packets_changes_nothing(entry: Scheme) -> None:
    flow = make_flow(entry)
    numbers = flow.send(5)
    flow.wait()
    flow.ack(numbers)
    before = (flow.scheme.cwnd_bytes, flow.scheme.phase, flow.ledger.bytes_in_flight)
    assert flow.ack(numbers) is None
    assert flow.ack([10**9]) is None
    assert flow.lose([10**9]) is None
    assert (flow.scheme.cwnd_bytes, flow.scheme.phase, flow.ledger.bytes_in_flight) == before


def test_pacing_rate_is_positive_and_finite(entry: Scheme) -> None:
    flow = make_flow(entry)
    for _ in range(5):
        rate = flow.scheme.pacing_rate_bytes_per_s
        assert rate is None or (math.isfinite(rate) and rate > 0)
        flow.lose_one_window()


def test_log_fields_keep_their_names(entry: Scheme) -> None:
    flow = make_flow(entry)
    names = list(flow.scheme.log_fields())
    flow.lose_one_window()
    assert list(flow.scheme.log_fields()) == names
    flow.change_path()
    assert list(flow.scheme.log_fields()) == names


def test_path_change_starts_anew_and_ignores_what_was_sent_before(entry: Scheme) -> None:
    flow = make_flow(entry)
    flow.lose_one_window()
    old_path = flow.send(6)
    flow.wait()
    flow.change_path()
    assert (flow.scheme.cwnd_bytes, flow.scheme.phase) == (10 * MSS, Phase.SLOW_START)
    flow.wait()
    flow.ack(old_path[3:])
    flow.lose(old_path[:3], is_persistent_congestion=True)
    assert (flow.scheme.cwnd_bytes, flow.scheme.phase) == (10 * MSS, Phase.SLOW_START)
    new_path = flow.fill_window()
    flow.wait()
    flow.ack(new_path)
    assert flow.scheme.cwnd_bytes == 20 * MSS


def test_epoch_changes_with_every_reset_and_with_nothing_else(entry: Scheme) -> None:
    flow = make_flow(entry)
    epochs = [flow.scheme.epoch]
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers)
    assert flow.scheme.epoch == epochs[0]
    numbers = flow.fill_window()
    flow.wait()
    flow.lose(numbers[:1])
    epochs.append(flow.scheme.epoch)
    flow.ack(numbers[1:])
    assert flow.scheme.epoch == epochs[-1]
    flow.wait()
    flow.lose(flow.send(1), is_persistent_congestion=True)
    epochs.append(flow.scheme.epoch)
    flow.change_path()
    epochs.append(flow.scheme.epoch)
    assert len(set(epochs)) == 4


def test_registry_finds_it_by_name(entry: Scheme) -> None:
    assert scheme(entry.name) is entry
    assert [known.name for known in SCHEMES].count(entry.name) == 1
    assert entry.name == entry.name.lower()
    assert "/" not in entry.name
    assert (entry.make_receiver is not None) == (entry.control == "receiver")
    for other in ("", entry.name.upper(), entry.name + "x"):
        with pytest.raises(UnknownSchemeError, match=f"known schemes: .*{entry.name}"):
            scheme(other)
    assert DEFAULT_SCHEME
