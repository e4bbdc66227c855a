"""An agent of the emulated network: what the switches of each lane's path counted in the last second, over HTTP.

The relay's thread reads counts which its pipes keep in any case, once a second; a thread of its own answers
`GET /lanes/N` with the last reading (`transport.wire_format.network_report_json`). `cc.core.network_report` says what
stands for a path of switches where there is one link.
"""

from __future__ import annotations

import json
import random
import re
import threading
from collections.abc import Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cc.core.network_report import REPORT_INTERVAL_S, NetworkReport, PathView
from transport.relay.lane import Client
from transport.relay.pipe import LinkPipe
from transport.wire_format.network_report_json import report_as_json

LOOPBACK = "127.0.0.1"
LANE_PATH = re.compile(r"/lanes/([0-9]{1,4})")


class LinkAgent:
    """Reads the counters of the ways down."""

    def __init__(self, pipes: Sequence[LinkPipe[Client]], *, known_ratio: float, seed: int, now_s: float) -> None:
        """`known_ratio`: of a path's switches. Raises ValueError for one that is none."""
        self._pipes = pipes
        self._views = [PathView(known_ratio, random.Random(f"{seed} switches {lane}")) for lane in range(len(pipes))]
        self._counts = [(pipe.packets_entered, pipe.packets_left) for pipe in pipes]
        self.due_s = now_s + REPORT_INTERVAL_S
        """When `read` has something to do next."""
        self.reports: Sequence[NetworkReport] = ()
        """Of each lane's last second; empty during the first one. Replaced as a whole: other threads may look."""

    def read(self, now_s: float) -> None:
        """Make the reports of the interval that ends now, if `due_s` has come."""
        if now_s < self.due_s:
            return
        counts = [(pipe.packets_entered, pipe.packets_left) for pipe in self._pipes]
        self.reports = [
            view.report(entered_packets=entered - entered_before, left_packets=left - left_before)
            for view, (entered, left), (entered_before, left_before) in zip(
                self._views, counts, self._counts, strict=True
            )
        ]
        self._counts = counts
        self.due_s = now_s + REPORT_INTERVAL_S


class ReportServer(ThreadingHTTPServer):
    """Serves an agent's reports on loopback, in a thread of its own from `start` on."""

    daemon_threads = True

    def __init__(self, agent: LinkAgent, port: int) -> None:
        """`port`: 0 takes a free one. Raises OSError, naming the port, where it cannot be had."""
        self.agent = agent
        try:
            super().__init__((LOOPBACK, port), _Handler)
        except OSError as error:
            raise OSError(f"cannot listen on TCP {LOOPBACK}:{port}: {error.strerror}") from error

    def urls(self, lanes: int) -> list[str]:
        """Where each lane's reports are."""
        return [f"http://{LOOPBACK}:{self.server_address[1]}/lanes/{lane}" for lane in range(lanes)]

    def start(self) -> None:
        """Serve until `stop`."""
        threading.Thread(target=self.serve_forever, name="reports", daemon=True).start()

    def stop(self) -> None:
        """End it and close the socket."""
        self.shutdown()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: ReportServer

    def do_GET(self) -> None:
        reports = self.server.agent.reports
        match = LANE_PATH.fullmatch(self.path)
        if match is None:
            self._answer(HTTPStatus.NOT_FOUND, {"reason": f"{self.path!r} is not /lanes/NUMBER"})
        elif not reports:
            self._answer(HTTPStatus.SERVICE_UNAVAILABLE, {"reason": "the first second has not passed yet"})
        elif int(match[1]) >= len(reports):
            self._answer(HTTPStatus.NOT_FOUND, {"reason": f"lane {match[1]} is not one of {len(reports)}"})
        else:
            self._answer(HTTPStatus.OK, report_as_json(reports[int(match[1])]))

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: a line a second would hide what matters."""

    def _answer(self, status: HTTPStatus, body: dict[str, object]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
