"""Whose resets are believed."""

from __future__ import annotations

from transport.media_server.reset_key import RESET_KEY_VARIABLE, environment_of_worker, reset_key

SHARED = {"HOME": "/root", RESET_KEY_VARIABLE: "0f" * 32}


def test_each_worker_has_a_key_of_its_own_and_its_successor_the_same() -> None:
    first, second = (environment_of_worker(SHARED, number) for number in (1, 2))
    assert len({reset_key(environment) for environment in (SHARED, first, second)}) == 3
    assert environment_of_worker(SHARED, 1) == first
    assert first["HOME"] == SHARED["HOME"]


def test_without_a_key_there_is_none() -> None:
    assert environment_of_worker({"HOME": "/root"}, 1) == {"HOME": "/root"}
