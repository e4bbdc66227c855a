"""How a worker is started."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from cc.command_line.arguments import MOST_PORT
from transport.media_server.workers.shared_port import Share


def worker_command(options: argparse.Namespace, name: int, port: int, *, share: Share | None = None) -> Sequence[str]:
    """`serve` as one process under a parent, whose `options` these are; `share`: of the port that all of them have."""
    command = [sys.executable, "-m", "transport", "serve", str(options.directory), "--workers", "1"]
    command += ["--worker", str(name), "--host", options.host, "--port", str(port)]
    command += [word for origin in options.origin for word in ("--origin", origin)]
    command += [word for name, folder in options.mount for word in ("--mount", f"{name}={folder}")]
    command += ["--certificate-lifetime-s", str(options.certificate_lifetime_s), "--log-level", options.log_level]
    command += ["--stop-with-stdin", "--beat", "--self-check"]
    if options.metrics_port is not None:
        command.append("--measure")
    for option, value in (
        ("--total-rate-mbit", options.total_rate_mbit),  # its share is told as soon as it is there
        ("--session-rate-mbit", options.session_rate_mbit),
        ("--in-flight-mib", options.in_flight_mib),
        ("--sessions-per-address", options.sessions_per_address),
        ("--max-datagram-bytes", options.max_datagram_bytes),
        ("--network-reports", options.network_reports),
        ("--seed", options.seed),
        ("--qlog-dir", options.qlog_dir),
        ("--schemes", None if options.schemes is None else ",".join(options.schemes)),
        ("--http3", options.http3),
        ("--port-share", share),
        ("--session-key", options.session_key),
        ("--certificate", options.certificate),
        ("--key", options.key),
    ):
        command += [] if value is None else [option, str(value)]
    return command


def ports_of(options: argparse.Namespace) -> list[int]:
    """The first as given and those that follow it; 0 leaves all to the system. Raises ValueError beyond the last."""
    if options.port == 0:
        return [0] * options.workers
    last = options.port + options.workers - 1
    if last > MOST_PORT:
        raise ValueError(
            f"--port {options.port} with {options.workers} workers ends at {last}: {MOST_PORT} is the last"
        )
    return list(range(options.port, last + 1))
