"""What whoever started the server by hand does next."""

from __future__ import annotations

import argparse


def advice(options: argparse.Namespace, urls: str) -> str:
    """One sentence; `urls`: where sessions are opened."""
    pages = " and ".join(options.origin)
    if options.address_file is not None:
        return (
            f"media server at {urls} for pages of {pages}: give attachNuwa, as its `server`, the URL under which "
            f"your web server serves {options.address_file}"
        )
    return (
        f"media server at {urls} for pages of {pages}: start it with --address-file FILE, in a folder that your web "
        "server serves, and give attachNuwa that file's URL as its `server`"
    )
