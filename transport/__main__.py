"""`python -m transport COMMAND`: what the web server and the laboratory start; people use `nuwa COMMAND`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from cc.command_line.command_table import Command, run_command

COMMANDS = (
    Command(
        "serve", "transport.media_server.serve_command", "serve a folder with a DASH presentation over WebTransport"
    ),
    Command("receive", "transport.headless.command", "download without a browser and say what the link gave"),
    Command("relay", "transport.relay.command", "put an emulated link between clients and a server"),
    Command("certificate", "transport.media_server.certificate_command", "keep a certificate for web pages"),
    Command(
        "session-token",
        "transport.media_server.session_token_command",
        "make a token that opens sessions at a server with --session-key",
    ),
    Command("links", "transport.relay.links_command", "list the links that have names"),
)


def main(arguments: Sequence[str]) -> int:
    """The command's exit code."""
    return run_command(COMMANDS, arguments, prog="python -m transport", description="Media over WebTransport.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
