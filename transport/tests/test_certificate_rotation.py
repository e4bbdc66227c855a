"""A certificate is replaced in time, whatever the clock does meanwhile."""

from __future__ import annotations

import datetime

import pytest

from transport.media_server.certificate_rotation import CertificateRotation

NOW = datetime.datetime(2026, 1, 31, 12, 0, tzinfo=datetime.UTC)
DAY = datetime.timedelta(days=1)
SECOND = datetime.timedelta(seconds=1)


def test_it_rotates_a_day_before_the_end_and_announces_both_until_then() -> None:
    rotation = CertificateRotation("127.0.0.1", now=NOW)
    first = rotation.current
    assert not rotation.update(now=NOW + 12 * DAY - SECOND)
    assert rotation.update(now=NOW + 12 * DAY)
    second = rotation.current
    assert list(rotation.announced) == [second, first]
    assert second.not_after == NOW + 25 * DAY
    assert not rotation.update(now=NOW + 13 * DAY - SECOND)
    assert rotation.update(now=NOW + 13 * DAY)
    assert list(rotation.announced) == [second]


def test_a_short_lifetime_rotates_at_two_thirds() -> None:
    rotation = CertificateRotation("127.0.0.1", now=NOW, lifetime=30 * SECOND)
    assert not rotation.update(now=NOW + 19 * SECOND)
    assert rotation.update(now=NOW + 20 * SECOND)
    assert rotation.check_interval <= SECOND


@pytest.mark.parametrize("slept", [20 * DAY, 400 * DAY])
def test_a_machine_that_slept_past_the_end_gets_a_new_one_at_once(slept: datetime.timedelta) -> None:
    rotation = CertificateRotation("127.0.0.1", now=NOW)
    assert rotation.update(now=NOW + slept)
    assert len(rotation.announced) == 1
    assert rotation.current.not_before <= NOW + slept < rotation.current.not_after


def test_a_clock_set_back_before_its_beginning_gets_a_new_one() -> None:
    rotation = CertificateRotation("127.0.0.1", now=NOW)
    assert rotation.update(now=NOW - 2 * DAY)
    assert len(rotation.announced) == 1
    assert rotation.current.not_before <= NOW - 2 * DAY


def test_it_keeps_rotating_for_a_year_and_is_always_valid() -> None:
    rotation = CertificateRotation("127.0.0.1", now=NOW)
    for day in range(366):
        now = NOW + day * DAY
        rotation.update(now=now)
        assert all(each.not_before <= now < each.not_after for each in rotation.announced)
        assert len(rotation.announced) <= 2
        assert rotation.current.not_after - rotation.current.not_before <= 14 * DAY


def test_a_rotation_on_demand_keeps_the_old_one_and_does_not_pile_up() -> None:
    rotation = CertificateRotation("127.0.0.1", now=NOW)
    first = rotation.current
    rotation.rotate(now=NOW)
    assert rotation.announced[1] == first
    for _ in range(20):
        rotation.rotate(now=NOW)
    assert len(rotation.announced) <= 4
