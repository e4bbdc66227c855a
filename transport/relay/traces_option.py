"""`--traces`: where commands look for recorded links."""

from __future__ import annotations

import argparse
import os

from cc.command_line.arguments import existing_folder
from cc.links.catalogue import TRACES_VARIABLE, LinkCatalogue, trace_directories


def add_traces_option(parser: argparse.ArgumentParser) -> None:
    """For `catalogue_of`."""
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
