"""A late server takes no more sessions; hysteresis keeps it from wavering."""

from __future__ import annotations

from pathlib import Path

import pytest

from cc.receiver.observer import Observer
from transport.headless.client import SessionClosedError, open_session
from transport.media_server.admission.lateness_gate import LatenessGate
from transport.media_server.admission.limits import AdmissionLimits
from transport.media_server.server import start_server
from transport.tests.serving import ORIGIN, options_for, run

LIMITS = AdmissionLimits(refused_late_s=0.05, admitted_late_s=0.025, lateness_settles_s=3.0)


def told(gate: LatenessGate, late_s: float, *, from_s: float, until_s: float) -> bool:
    """Whether it is open after a time of such lateness."""
    for tenths in range(round(10 * from_s), round(10 * until_s) + 1):
        gate.watch(late_s, now_s=tenths / 10)
    return gate.is_open


def test_shuts_when_the_loop_has_been_late_for_a_while() -> None:
    gate = LatenessGate(LIMITS)
    assert told(gate, 0.06, from_s=0.0, until_s=2.9)
    assert not told(gate, 0.06, from_s=3.0, until_s=3.0)


def test_a_pause_does_not_shut_it() -> None:
    gate = LatenessGate(LIMITS)
    assert told(gate, 0.5, from_s=0.0, until_s=2.0)
    assert told(gate, 0.01, from_s=2.1, until_s=2.1)
    assert told(gate, 0.5, from_s=2.2, until_s=5.1)


def test_opens_only_well_below_what_shut_it() -> None:
    gate = LatenessGate(LIMITS)
    told(gate, 0.06, from_s=0.0, until_s=3.0)
    assert not told(gate, 0.04, from_s=3.1, until_s=100.0)
    assert not told(gate, 0.02, from_s=100.1, until_s=103.0)
    assert told(gate, 0.02, from_s=103.1, until_s=103.1)


def test_remembers_how_late_the_loop_was_until_it_opens_again() -> None:
    gate = LatenessGate(LIMITS)
    told(gate, 0.08, from_s=0.0, until_s=3.0)
    told(gate, 0.0, from_s=3.1, until_s=6.0)
    assert (gate.is_open, gate.late_s) == (False, 0.08)
    told(gate, 0.0, from_s=6.1, until_s=6.3)
    assert (gate.is_open, gate.late_s) == (True, 0.0)


def test_a_late_server_says_so_to_a_newcomer_and_keeps_whom_it_has(film: Path) -> None:
    async def whole() -> None:
        server = await start_server(options_for(film))
        gate = server.lateness_gate
        url = f"https://127.0.0.1:{server.port}/v1/cubic"
        try:
            told(gate, 1.0, from_s=0.0, until_s=100.0)
            assert not gate.is_open
            async with open_session(url, origin=ORIGIN, receiver=Observer()) as first:  # nobody suffers by it
                with pytest.raises(SessionClosedError, match=r"busy.*late by up to 1000 ms.*code 6"):
                    async with open_session(url, origin=ORIGIN, receiver=Observer()) as second:
                        raise SessionClosedError(await second.wait_session_closed())
                await first.download("generated/1000", on_data=lambda data: None)
        finally:
            await server.stop()

    run(whole())
