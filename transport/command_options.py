"""What several commands of the transport have in common: log level, folders of traces, how a fault is told."""

from __future__ import annotations

import argparse
import logging
import os
import sys

from cc.command_line.arguments import existing_folder
from cc.links.catalogue import TRACES_VARIABLE, LinkCatalogue, trace_directories

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


def add_traces_option(parser: argparse.ArgumentParser) -> None:
    """`--traces`, for `catalogue_of`."""
    parser.add_argument(
        "--traces",
        type=existing_folder,
        action="append",
        default=[],
        metavar="DIRECTORY",
        help=f"look for recorded traces here, too; so does the variable {TRACES_VARIABLE}",
    )


def catalogue_of(options: argparse.Namespace) -> LinkCatalogue:
    """Every link that can be named here."""
    return LinkCatalogue(trace_directories(os.environ, options.traces))
