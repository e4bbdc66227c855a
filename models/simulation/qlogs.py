"""Where the qlogs of a simulated run go: two files for each flow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Literal

from cc.core import qlog
from cc.simulation.flow import Flow
from cc.simulation.flow_log import FlowLog
from cc.simulation.request import Run


@contextmanager
def logged(run: Run, directory: Path | None, *, first: int = 1) -> Iterator[None]:
    """While the run happens, write `NUMBER-SCHEME-sender.sqlog` and `-receiver.sqlog`. Raises OSError.

    `first`: the number of the run's first flow; None for the directory writes nothing.
    """
    with ExitStack() as files:
        if directory is not None:
            directory.mkdir(parents=True, exist_ok=True)
            for number, flow in enumerate(run.network.flows, start=first):
                flow.log = _log(flow, directory / f"{number}-{flow.plan.name}", files)
        yield


def _log(flow: Flow, stem: Path, files: ExitStack) -> FlowLog:
    def begin(end: str, vantage_point: Literal["client", "server"]) -> IO[str]:
        path = Path(f"{stem}-{end}{qlog.SUFFIX}")
        file = files.enter_context(path.open("w", encoding="utf-8"))
        file.write(qlog.text(qlog.head(f"simulation: {flow.plan.name}", vantage_point, clock="virtual")))
        return file

    sender = begin("sender", "server")
    receiver = None if flow.plan.receiver is None else begin("receiver", "client")
    return FlowLog(
        write_sender=lambda record: _write(sender, record), write_receiver=lambda record: _write(receiver, record)
    )


def _write(file: IO[str] | None, record: qlog.Json) -> None:
    if file is not None:
        file.write(qlog.text(record))
