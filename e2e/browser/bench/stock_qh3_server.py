"""The same server of qh3, a fork of aioquic that does part of its work in Rust: its modules stand for aioquic's.

python -m e2e.browser.bench.stock_qh3_server DIRECTORY --host HOST --port PORT --stop-with-stdin
"""

from __future__ import annotations

import runpy
import sys
from importlib import import_module

MODULES = ("asyncio.protocol", "asyncio.server", "h3.connection", "h3.events", "quic.configuration", "quic.events")
"""Which the program imports; qh3 has kept their names."""


if __name__ == "__main__":
    for name in MODULES:
        sys.modules[f"aioquic.{name}"] = import_module(f"qh3.{name}")
    runpy.run_module("e2e.browser.bench.stock_aioquic_server", run_name="__main__")
