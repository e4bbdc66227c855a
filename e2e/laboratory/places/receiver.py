"""The headless receiver of one flow, as a process of its own."""

from __future__ import annotations

import sys
import time

import msgspec

from e2e.laboratory.places.child import Child, ChildError
from e2e.laboratory.places.emulated_link import EmulatedLink
from e2e.laboratory.places.media_server import ORIGIN
from e2e.laboratory.plan import INTERVAL_S, FlowChoice
from transport.headless.receive import ReceiveReport

REPORT_LIMIT_S = 20.0
"""After its time a receiver has this long to say what it measured."""


async def receive(
    flow: FlowChoice, link: EmulatedLink, address: tuple[str, int], *, begin_at_s: float, duration_s: float
) -> ReceiveReport:
    """What it measured; it opens its session at once. Raises ChildError where it ends without a report."""
    host, port = address
    command = [sys.executable, "-m", "transport", "receive", f"https://{host}:{port}", "--origin", ORIGIN, "--json"]
    command += ["--scheme", flow.scheme, "--preset", flow.preset, "--seconds", str(duration_s)]
    command += ["--begin-at", str(begin_at_s), "--interval", str(INTERVAL_S), "--log-level", "error"]
    if flow.source is not None:
        command += ["--on-off", f"{flow.source.on_bytes}/{flow.source.off_s:g}"]
    async with await Child.start(f"receiver of {flow.scheme}", link.inside(command)) as child:
        line = await child.next_line(begin_at_s + duration_s + REPORT_LIMIT_S - time.time())
    try:
        return msgspec.json.decode(line, type=ReceiveReport)
    except msgspec.DecodeError as error:
        raise ChildError(f'the receiver of {flow.scheme} said "{line[:200]}", which is no report') from error
