"""`python -m cc` prints the registry as JSON, for every part that is not Python; `--table` prints README's table."""

from __future__ import annotations

import sys

from cc.command_line.command_table import run_module

if __name__ == "__main__":
    sys.exit(run_module("cc.listing", sys.argv[1:], prog="python -m cc"))
