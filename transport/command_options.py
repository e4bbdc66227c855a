"""What several commands of the transport have in common: log level, how a fault is told."""

from __future__ import annotations

import argparse
import logging
import sys

LOG_LEVELS = {"error": logging.ERROR, "warn": logging.WARNING, "info": logging.INFO, "debug": logging.DEBUG}
DEFAULT_ORIGIN = "http://localhost:8080"


def sentence(error: Exception) -> str:
    """What went wrong, without the system's numbers."""
    if isinstance(error, OSError) and error.strerror is not None:
        return error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"
    return str(error)


def add_log_level(parser: argparse.ArgumentParser) -> None:
    """`--log-level`, for `log_to_stderr`."""
    parser.add_argument("--log-level", choices=list(LOG_LEVELS), default="info", help="default: %(default)s")


def log_to_stderr(level: str, *, who: str = "") -> None:
    """aioquic's own words are heard at debug alone; `who` stands before each message, as in `worker 2: `."""
    form = f"%(levelname)s %(name)s: {who}%(message)s"
    logging.basicConfig(level=LOG_LEVELS[level], format=form, stream=sys.stderr)
    if level != "debug":
        logging.getLogger("quic").setLevel(logging.WARNING)
