"""aioquic's own events and those of the control, in a file for each connection that is written while it goes on."""

from __future__ import annotations

import logging
import re
import time
from pathlib import Path
from typing import Any

from aioquic.h3.events import Headers
from aioquic.quic.logger import QuicLogger, QuicLoggerTrace

from cc.core import qlog
from cc.core.base import Phase, SenderScheme
from cc.core.receiver_base import Feedback
from cc.sender.receiver_driven import ReceiverDriven
from transport.qlog_file import QlogFile

NEW_NAMES = {"cwnd": "congestion_window"}
"""Of fields that aioquic calls otherwise than qlog."""

SECRET_FIELDS = frozenset({b"authorization", b"cookie"})
TOKEN = re.compile(rb"(?<=[?&]token=)[^&]+")
HIDDEN = b"(hidden)"

logger = logging.getLogger(__name__)


class ConnectionQlog(QuicLoggerTrace):
    """What aioquic and the control tell of one connection."""

    def __init__(self, *, is_client: bool, odcid: bytes, directory: Path) -> None:
        super().__init__(is_client=is_client, odcid=odcid)
        self._phase: Phase | None = None
        self._rate_bytes_per_s: float | None = None
        path = directory / (odcid.hex() + qlog.SUFFIX)
        try:
            head = qlog.head("nuwa serve", "client" if is_client else "server", group_id=odcid.hex())
            self._file: QlogFile | None = QlogFile(path, head)
        except OSError as error:
            self._file = None
            logger.error("no qlog of this connection: %s", error)

    def encode_http3_headers_frame(self, length: int, headers: Headers, stream_id: int) -> dict[str, Any]:
        """As aioquic calls it: without what opens a session, since logs are passed on."""
        told = [(name, HIDDEN if name in SECRET_FIELDS else TOKEN.sub(HIDDEN, value)) for name, value in headers]
        return super().encode_http3_headers_frame(length, told, stream_id)

    def log_event(self, *, category: str, event: str, data: dict[str, Any]) -> None:
        """As aioquic calls it."""
        renamed = {NEW_NAMES.get(key, key): value for key, value in data.items()}
        self._write(qlog.event(f"{category}:{event}", renamed, time_s=time.time()))

    def on_scheme(self, name: str, parameters: dict[str, str]) -> None:
        """A session chose its control."""
        chosen = {"scheme": name, "preset": parameters.get("preset")}
        self._write(qlog.event("nuwa:choice_changed", chosen, time_s=time.time()))

    def on_feedback(self, feedback: Feedback, scheme: SenderScheme) -> None:
        """The scheme has judged a receiver's request."""
        if isinstance(scheme, ReceiverDriven) and scheme.guard.latest is not None:
            verdict, granted_bytes = scheme.guard.latest
            self._write(qlog.window_granted(feedback, verdict, granted_bytes, time_s=time.time()))

    def on_control(self, scheme: SenderScheme, *, pacing_bytes_per_s: float | None) -> None:
        """Window, rate or phase may have changed."""
        if scheme.phase is not self._phase:
            if self._phase is not None:
                self._write(qlog.phase_updated(self._phase, scheme.phase, time_s=time.time()))
            self._phase = scheme.phase
        if pacing_bytes_per_s is not None and pacing_bytes_per_s != self._rate_bytes_per_s:
            self._rate_bytes_per_s = pacing_bytes_per_s
            data = {"congestion_window": scheme.cwnd_bytes, "pacing_rate": round(8 * pacing_bytes_per_s)}
            self._write(qlog.event(qlog.METRICS_UPDATED, data, time_s=time.time()))

    def close(self) -> None:
        """The connection is over."""
        if self._file is not None:
            self._file.close()

    def _write(self, record: qlog.Json) -> None:
        if self._file is not None:
            self._file.write(record)


class ConnectionQlogs(QuicLogger):
    """aioquic's logger: a file in the directory for each connection."""

    def __init__(self, directory: Path) -> None:
        super().__init__()
        self._directory = directory

    def start_trace(self, is_client: bool, odcid: bytes) -> ConnectionQlog:
        """A connection begins."""
        return ConnectionQlog(is_client=is_client, odcid=odcid, directory=self._directory)

    def end_trace(self, trace: QuicLoggerTrace) -> None:
        """It is over."""
        assert isinstance(trace, ConnectionQlog)
        trace.close()
