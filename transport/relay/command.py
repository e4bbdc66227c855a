"""`relay`: an emulated link between clients and a server. Nothing but Python itself must be installed."""

from __future__ import annotations

import argparse
import contextlib
import logging
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from cc.command_line.arguments import EXIT_USAGE, OneSentenceParser, number_within, port, whole_within
from cc.links.catalogue import UnknownLinkError
from cc.links.limits import LIMITS
from cc.links.queueing.registry import DISCIPLINES, DROPTAIL
from transport.command_options import add_log_level, log_to_stderr, sentence
from transport.media_server.hosts import is_loopback
from transport.relay.agent import ReportServer
from transport.relay.control import Control, write_line
from transport.relay.lane import Upstream, resolve
from transport.relay.relay import Relay, RelayOptions
from transport.relay.settings import LARGEST_QUEUE_BYTES, LinkSettings, LinkSettingsError, prepare_link
from transport.relay.traces_option import add_traces_option, catalogue_of

MOST_LANES = 16

logger = logging.getLogger(__name__)


class RelayUsageError(ValueError):
    """What was asked for makes no sense; the message is one sentence."""


USAGE_ERRORS = (RelayUsageError, UnknownLinkError, LinkSettingsError, OSError)


def main(arguments: Sequence[str], *, prog: str = "nuwa relay") -> int:
    """Run the relay until it is stopped; 2 where what was asked for cannot be done."""
    parser = OneSentenceParser(prog=prog, description="Put an emulated link between clients and a server.")
    _add_options(parser)
    add_log_level(parser)
    options = parser.parse_args(arguments)
    log_to_stderr(options.log_level)
    try:
        _relay(options)
    except USAGE_ERRORS as error:
        sys.stderr.write(f"{prog}: {sentence(error)}\n")
        return EXIT_USAGE
    return 0


def _add_options(relay: argparse.ArgumentParser) -> None:
    add = relay.add_argument
    add("--upstream", type=_address, required=True, metavar="HOST:PORT", help="the server")
    add("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    add(
        "--port",
        type=port,
        action="extend",
        nargs="+",
        help="UDP port, 0 takes a free one; each more makes a lane more, with queues of its own (default: 0)",
    )
    add(
        "--link",
        default="none",
        help="a name of `links`, a rate such as 24mbit, a trace, or none (default), which only delays and loses",
    )
    delay, queue, loss = LIMITS.delay_ms, LIMITS.queue_packets, LIMITS.loss_ratio
    delay_ms = number_within(delay.min, delay.max, "milliseconds")
    packets = whole_within(int(queue.min), int(queue.max), "packets; leave it out for no limit")
    size_bytes = whole_within(1, LARGEST_QUEUE_BYTES, "bytes; leave it out for no limit")
    ratio = number_within(loss.min, loss.max, "0.01 is one packet in a hundred")
    add("--delay", type=delay_ms, default=0.0, metavar="MS", help="each way (default: %(default)g)")
    add("--queue", type=packets, metavar="PACKETS", help="the downlink's queue (default: unlimited)")
    add("--queue-bytes", type=size_bytes, metavar="BYTES", help="the same in bytes, headers counted")
    add("--discipline", choices=DISCIPLINES, default=DROPTAIL, help="of the downlink's queue (default: %(default)s)")
    add("--loss", type=ratio, default=0.0, metavar="RATIO", help="of the downlink, behind the queue (default: 0)")
    add(
        "--seed",
        type=int,
        default=1,
        help="of loss, PIE, mahimahi's clock and --known (default: %(default)s)",
    )
    add(
        "--clock",
        choices=("exact", "mahimahi"),
        default="exact",
        help="mahimahi: packets are up to 2 ms late, as they are with it, for measurements (default: %(default)s)",
    )
    add(
        "--log",
        type=Path,
        action="extend",
        nargs="+",
        default=[],
        metavar="FILE",
        help="mahimahi's log of the downlink; one for each lane",
    )
    add("--report", type=port, metavar="PORT", help="say over HTTP on loopback what the path's switches count")
    add(
        "--known",
        type=number_within(0, 1, "0.8 is eight of ten"),
        metavar="RATIO",
        help="of the path's switches, those that --report tells of (default: 1)",
    )
    add("--for-each", action="store_true", help="emulate a link alone for each client's address and port")
    add("--control", action="store_true", help="obey JSON lines on standard input; its end ends the relay")
    add_traces_option(relay)


def _relay(options: argparse.Namespace) -> None:
    ports = options.port or [0]
    if len(ports) > MOST_LANES:
        raise RelayUsageError(f"--port: {len(ports)} lanes are too many; give at most {MOST_LANES} ports")
    if options.log and len(options.log) != len(ports):
        raise RelayUsageError(f"--log: {len(options.log)} logs for {len(ports)} lanes; give one for each")
    if options.known is not None and options.report is None:
        raise RelayUsageError("--known: nothing is reported; add --report PORT")
    if options.for_each and (options.log or options.report is not None):
        raise RelayUsageError(
            "--for-each: a link for each client is neither logged nor reported; leave out --log, --report"
        )
    catalogue = catalogue_of(options)
    link = prepare_link(_settings(options), catalogue, may_be_file=True)
    upstream = _upstream(options)
    relay = Relay(
        RelayOptions(
            upstream,
            options.host,
            ports,
            options.log,
            options.seed,
            is_mahimahi_like=options.clock == "mahimahi",
            is_for_each=options.for_each,
            known_ratio=_known_ratio(options),
        ),
        link,
    )
    problem = relay.lanes[0].buffer_problem
    if problem is not None:  # whoever serves this machine alone need not mind
        logger.log(logging.INFO if is_loopback(options.host) else logging.WARNING, problem)
    reports: ReportServer | None = None
    try:
        ready: dict[str, object] = {"event": "ready"}
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: relay.stop())
        lanes = [{"host": host, "port": port} for host, port in (lane.address for lane in relay.lanes)]
        ready |= {"lanes": lanes, "link": relay.link.as_json()}
        if relay.agent is not None:
            reports = ReportServer(relay.agent, options.report)
            reports.start()
            ready["reports"] = reports.urls(len(lanes))
        write_line(sys.stdout, ready)
        if options.control:
            Control(relay, catalogue, sys.stdout).start(sys.stdin.fileno())
        relay.run()
        _say_last_words(relay)
    finally:
        relay.close()
        if reports is not None:
            reports.stop()


def _say_last_words(relay: Relay) -> None:
    """What was late or lost beside the emulated link, unless nobody is there to hear it."""
    late = relay.lateness.summary()
    missed = [lane.datagrams_missed for lane in relay.lanes]
    known = [count for count in missed if count is not None]
    words: dict[str, float] = {
        "datagrams_unsent": sum(lane.datagrams_unsent for lane in relay.lanes),
        "datagrams_refused": sum(lane.datagrams_refused for lane in relay.lanes),
        "datagrams_turned_away": sum(lane.datagrams_turned_away for lane in relay.lanes),
    }
    if len(known) == len(missed):
        words["datagrams_missed"] = sum(known)
    if late is not None:
        words |= {"lateness_p99_s": late.p99_s, "lateness_max_s": late.max_s}
    with contextlib.suppress(BrokenPipeError):
        write_line(sys.stdout, {"event": "ended", **words})


def _known_ratio(options: argparse.Namespace) -> float | None:
    if options.report is None:
        return None
    return 1.0 if options.known is None else float(options.known)


def _upstream(options: argparse.Namespace) -> Upstream:
    try:
        return resolve(*options.upstream)
    except OSError as error:
        raise RelayUsageError(f"--upstream: {error}; give the media server's address as HOST:PORT") from error


def _settings(options: argparse.Namespace) -> LinkSettings:
    return LinkSettings(
        name=options.link,
        delay_ms=options.delay,
        queue_packets=options.queue,
        queue_bytes=options.queue_bytes,
        loss_ratio=options.loss,
        discipline=options.discipline,
    )


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not host or not port.isdigit() or not 1 <= int(port) <= 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not an address such as 127.0.0.1:4433")
    return host, int(port)
