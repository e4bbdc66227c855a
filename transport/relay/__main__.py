"""`python -m transport.relay relay`, `links` and `trace NAME`: nothing but Python itself must be installed."""

from __future__ import annotations

import sys

from transport.arguments import EXIT_USAGE, OneSentenceParser
from transport.relay.command import USAGE_ERRORS, add_relay_commands, sentence


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit code is 2 where what was asked for cannot be done."""
    parser = OneSentenceParser(prog="python -m transport.relay", description="Emulated links.")
    add_relay_commands(parser.add_subparsers(dest="command", required=True))
    options = parser.parse_args(arguments)
    try:
        options.run(options)
    except USAGE_ERRORS as error:
        sys.stderr.write(f"transport.relay {options.command}: {sentence(error)}\n")
        return EXIT_USAGE
    return 0


if __name__ == "__main__":
    sys.exit(main())
