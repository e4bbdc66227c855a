"""What is told of the port that several workers share."""

from __future__ import annotations

from transport.media_server.workers.open_ports import OpenPort, as_one


def test_a_client_that_comes_to_any_worker_knows_all_certificates() -> None:
    ports = [
        OpenPort(4433, ("new", "old"), "2026-12-12T00:00:00Z", 3, 0.0),
        OpenPort(4433, ("other", "new"), "2026-12-11T00:00:00Z", 1, 0.02),
    ]
    assert as_one(ports) == [OpenPort(4433, ("new", "old", "other"), "2026-12-11T00:00:00Z", 4, 0.02)]


def test_nothing_is_told_of_workers_that_are_not_there() -> None:
    assert as_one([]) == []
