"""`session-token`: a token for whoever may open sessions at a server with `--session-key`."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from cc.command_line.arguments import EXIT_USAGE, OneSentenceParser, seconds_up_to
from transport.command_options import sentence
from transport.media_server.session_key import read_session_key
from transport.wire_format.session_token import make_token

LIFETIME_S = 300.0
LONGEST_LIFETIME_S = 30 * 24 * 3600.0


def main(arguments: Sequence[str], *, prog: str = "nuwa session-token") -> int:
    """Print one; 2 where the file holds no key."""
    parser = OneSentenceParser(prog=prog, description="Make a token that opens sessions for some time.")
    parser.add_argument("--session-key", type=Path, required=True, metavar="FILE", help="the media server's")
    parser.add_argument(
        "--lifetime-s",
        type=seconds_up_to(LONGEST_LIFETIME_S),
        default=LIFETIME_S,
        metavar="S",
        help="from now on; sessions that are open by then go on (default: %(default)g)",
    )
    options = parser.parse_args(arguments)
    try:
        key = read_session_key(options.session_key)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{prog}: {sentence(error)}\n")
        return EXIT_USAGE
    sys.stdout.write(make_token(key, expires_s=round(time.time() + options.lifetime_s)) + "\n")
    return 0
