"""Response functions against closed forms."""

from __future__ import annotations

import math

import pytest

from e2e.laboratory.studies.responses import RESPONSES, mean_window_packets


@pytest.mark.parametrize("loss_ratio", [1e-2, 1e-3])
def test_newreno_has_the_square_root(loss_ratio: float) -> None:
    assert mean_window_packets("newreno", loss_ratio, 0.1) == pytest.approx(math.sqrt(1.5 / loss_ratio), rel=0.03)


def test_scalable_has_a_window_in_proportion_to_what_is_sent_between_losses() -> None:
    # From 7/8 of W to W by a hundredth each round trip: 12.5 W packets, in 13.4 round trips.
    assert mean_window_packets("scalable", 1e-4, 0.1) == pytest.approx(1e4 / 13.4, rel=0.05)


def test_hybla_has_more_packets_in_flight_by_as_much_as_the_round_trip_is_longer() -> None:
    windows = [mean_window_packets("hybla", 1e-3, rtt_s) for rtt_s in (0.025, 0.1)]
    assert windows[1] == pytest.approx(4 * windows[0], rel=0.03)


def test_illinois_and_veno_without_a_queue_are_sawtooths_of_their_own() -> None:
    # From 7/8 of W to W by ten: 15 W / 16 packets in each of W / 80 round trips. From 4/5 by one likewise.
    assert mean_window_packets("illinois", 1e-3, 0.1) == pytest.approx(math.sqrt(75 / 1e-3), rel=0.03)
    assert mean_window_packets("veno", 1e-3, 0.1) == pytest.approx(math.sqrt(4.5 / 1e-3), rel=0.03)


def test_htcps_formula_grows_by_the_round_trip_as_it_does_itself() -> None:
    (htcp,) = (each for each in RESPONSES if each.scheme == "htcp")
    for rtt_s in (0.1, 0.2):
        assert htcp.window_packets(1e-3, rtt_s) == pytest.approx(mean_window_packets("htcp", 1e-3, rtt_s), rel=0.05)


def test_htcps_formula_is_the_sawtooth_while_losses_are_less_than_a_second_apart() -> None:
    # It grows by 0.4 packets, and a tenth of the packets takes a fifth of it: (0.4 * 1.8 / 0.4 / p)^0.5.
    (htcp,) = (each for each in RESPONSES if each.scheme == "htcp")
    assert htcp.window_packets(0.1, 0.1) == pytest.approx(math.sqrt(0.4 * 1.8 / 0.4 / 0.1), rel=0.02)
