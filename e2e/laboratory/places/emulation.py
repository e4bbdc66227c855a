"""One run over an emulated link, in real time: a media server, a link, and a headless receiver for each flow."""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import msgspec

from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.decisions import require_decisions
from e2e.laboratory.places.child import Child, ChildError
from e2e.laboratory.places.emulated_link import LEAD_S, EmulatedLink, OpenLink, write_traces
from e2e.laboratory.places.emulated_result import EmulatedRun, emulated_result
from e2e.laboratory.places.link_log import parse_link_log
from e2e.laboratory.places.media_server import ORIGIN, MediaServer, start_media_server
from e2e.laboratory.places.relay import open_detour
from e2e.laboratory.plan import INTERVAL_S, FlowChoice, RunPlan
from e2e.laboratory.record import RunError, RunFailure
from e2e.laboratory.result import RunResult
from transport.headless.receive import ReceiveReport

RECEIVER_LEAD_S = 2.5
"""A receiver's time before its flow begins: Python starts, the session opens."""
LATEST_S = 0.3
"""A flow may begin so much later than planned."""
REPORT_LIMIT_S = 20.0
"""After its time a receiver has this long to say what it measured."""


def emulate(plan: RunPlan, link: LoadedLink, *, open_link: OpenLink, qlog_folder: Path | None = None) -> RunResult:
    """Takes as long as the run. Raises RunError; what is started is stopped in reverse order, however this ends."""
    if qlog_folder is not None:
        shutil.rmtree(qlog_folder, ignore_errors=True)  # of an earlier attempt
    return asyncio.run(_emulate(plan, link, open_link, qlog_folder))


@dataclass(frozen=True, slots=True)
class _Path:
    """Where flows' data comes from, and how receivers get there."""

    server: MediaServer
    link: EmulatedLink
    port: int
    zero_s: float
    """The run's beginning, since the Unix epoch."""


async def _emulate(plan: RunPlan, loaded: LoadedLink, open_link: OpenLink, qlog_folder: Path | None) -> RunResult:
    with tempfile.TemporaryDirectory(prefix="nuwa-laboratory-") as name:
        folder, empty = Path(name), Path(name) / "empty"
        empty.mkdir()
        write_traces(plan, loaded, folder)
        async with AsyncExitStack() as stack:
            link = await stack.enter_async_context(open_link(plan, folder))
            server = await stack.enter_async_context(
                start_media_server(empty, host=link.listen_host, seed=plan.seed, qlog_folder=qlog_folder)
            )
            path = _Path(server, link, await link.connect(server.port), link.started_at_s + LEAD_S)
            if time.time() > path.zero_s:
                raise RunError(RunFailure(f"the server took longer than {LEAD_S:g} s to start; is the machine busy?"))
            reports, server_cpu_share = await _run_flows(plan, path)
            farewell = await server.finish()
            log = parse_link_log(await link.close())
    result = emulated_result(EmulatedRun(plan, reports, log, path.zero_s, server_cpu_share, farewell))
    require_decisions(result.decisions, plan)
    return result


async def _run_flows(plan: RunPlan, path: _Path) -> tuple[list[ReceiveReport], float | None]:
    """The first flow that fails stops the others; nothing of them is left when this is over."""
    try:
        async with asyncio.TaskGroup() as group:
            cpu_share = group.create_task(_cpu_share(path, plan.duration_s))
            flows = [group.create_task(_run_flow(flow, plan, path)) for flow in plan.arm.flows]
    except* RunError as errors:
        raise errors.exceptions[0] from errors
    return [flow.result() for flow in flows], cpu_share.result()


async def _cpu_share(path: _Path, duration_s: float) -> float | None:
    await _sleep_until(path.zero_s)
    before_s = path.server.cpu_s()
    await _sleep_until(path.zero_s + duration_s)
    after_s = path.server.cpu_s()
    return None if before_s is None or after_s is None else (after_s - before_s) / duration_s


async def _run_flow(flow: FlowChoice, plan: RunPlan, path: _Path) -> ReceiveReport:
    begin_at_s = path.zero_s + flow.start_s
    duration_s = (plan.duration_s if flow.stop_s is None else flow.stop_s) - flow.start_s
    await _sleep_until(begin_at_s - RECEIVER_LEAD_S)
    try:
        async with AsyncExitStack() as stack:
            address = (path.link.host, path.port)
            if flow.extra_rtt_ms > 0:
                detour = open_detour(path.link, path.port, extra_rtt_ms=flow.extra_rtt_ms)
                address = await stack.enter_async_context(detour)
            report = await receive(flow, path.link, address, begin_at_s=begin_at_s, duration_s=duration_s)
    except ChildError as error:
        raise RunError(RunFailure(str(error), flow.scheme, {"server": path.server.state})) from error
    late_s = report.began_at_s - begin_at_s
    if late_s > LATEST_S:  # it met another stretch of the link than it should have
        message = f"its receiver began {late_s:.1f} s late; is the machine busy?"
        raise RunError(RunFailure(message, flow.scheme, {"late_s": late_s}))
    return report


async def _sleep_until(time_s: float) -> None:
    await asyncio.sleep(max(0.0, time_s - time.time()))


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
