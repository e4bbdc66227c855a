"""The options of `python -m e2e.laboratory`, and the matrix that they ask for."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from cc.command_line.arguments import OneSentenceParser
from cc.command_line.cores import usable_cores
from cc.links.defaults import DELAY_MS, QUEUE_PACKETS
from cc.links.limits import LIMITS, Range
from cc.links.queueing.registry import DISCIPLINES, DROPTAIL, MARKING_DISCIPLINES
from cc.receiver.presets import DEFAULT_PRESET, PRESETS
from e2e.laboratory.mahimahi_disciplines import MAHIMAHI_DISCIPLINES
from e2e.laboratory.matrix.flow_syntax import Context, parse_flows, parse_scheme
from e2e.laboratory.matrix.values import OptionError, list_of, number, one_of, split_settings, whole
from e2e.laboratory.plan import ACK_POLICIES, ESTIMATORS, PLACES, Place, PlayerPlan
from e2e.laboratory.request import SELF, FlowTemplate, LinkChoice, MatrixRequest
from models.executors.registry import HELP, cluster_kind
from models.executors.workers import ClusterError

PROGRAM = "python -m e2e.laboratory"
RULE, ESTIMATOR = "nuwa", "receiver"
LINK_SETTINGS = ("delay", "queue", "discipline", "loss")
MOST = Range(1, 1000)
"""Seeds, and simulations side by side."""

DESCRIPTION = """Runs every scheme over every link, in every place, with every seed; leaves rows, and a report.

  --schemes nuwa,cubic --links 24mbit,lte-like:queue=1000 --on simulation,mahimahi --seeds 5
"""


def make_parser(program: str = PROGRAM) -> argparse.ArgumentParser:
    """Checks nothing but that there are such options: their values are texts, which links may differ from."""
    parser = OneSentenceParser(
        prog=program, description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )

    option = parser.add_text

    option("--schemes", "LIST", None, "schemes under test; nuwa:preset=live chooses the receiver's preset")
    option(
        "--links",
        "LIST",
        "24mbit",
        "recorded traces (Verizon-LTE-short), generated ones (lte-like), files of any format, rates (24mbit); "
        "24mbit:queue=100:delay=40 differs from the options below",
    )
    option("--on", "LIST", "simulation", ", ".join(PLACES))
    option("--seeds", "N", "5", "how often each is run")
    option(
        "--flows",
        "FLOWS",
        "1",
        "a number of flows of the scheme, or a list of NAME[*COUNT][@START[-STOP]][:rtt=MS][:preset=NAME]"
        "[:source=on-off/BYTES/SECONDS], where the name self is the scheme under test: self,cubic@10-40:rtt=80",
    )
    option("--seconds", "S", "30", "that each run takes")
    option("--delay", "MS", f"{DELAY_MS}", "each way")
    option("--queue", "PACKETS", f"{QUEUE_PACKETS}", "of the downlink, or none")
    no_marking = " or ".join(sorted(MARKING_DISCIPLINES))
    option("--discipline", "NAME", "droptail", f"{', '.join(DISCIPLINES)}; mahimahi has no {no_marking}")
    option("--loss", "RATIO", "0", "of the downlink, behind the queue")
    option("--preset", "NAME", DEFAULT_PRESET, "of receiver-driven schemes that name none")
    option(
        "--start-places",
        "NAME",
        "spread",
        "spread: each seed begins elsewhere in the trace, alike for all schemes; same",
    )
    option("--acks", "NAME", "chromium", f"the receiver's: {', '.join(ACK_POLICIES)}")
    option("--rule", "NAME", RULE, "what adapts the film that a browser plays")
    option("--estimator", "NAME", ESTIMATOR, f"whose estimate it uses: {', '.join(ESTIMATORS)}")
    option("--baseline", "NAME", None, "the scheme that the others are compared with (the first)")
    parser.add_argument("--qlog", action="store_true", help="emulated runs leave the server's qlog")
    option("--jobs", "N", None, "simulations side by side (one a core); emulated runs are made one after the other")
    option("--cluster", "ADDRESS", None, HELP)
    option("--output", "DIR", None, "(.build/e2e/laboratory/NAME; the same arguments find it again and go on)")
    return parser


def parse_options(arguments: Sequence[str] | None, program: str = PROGRAM) -> MatrixRequest:
    """Raises OptionError for a value that makes no sense; exits on --help and for an unknown option."""
    values = make_parser(program).parse_args(arguments)
    duration_s = number("seconds", values.seconds, Range(1, 3600))
    preset = one_of("preset", values.preset, [known.name for known in PRESETS])
    context = Context(duration_s, preset)
    flows = parse_flows(values.flows, context)
    schemes = list_of("schemes", values.schemes) if values.schemes is not None else []
    request = MatrixRequest(
        schemes=tuple(parse_scheme(text, context) for text in schemes),
        links=tuple(parse_link(text, values) for text in list_of("links", values.links)),
        places=tuple(one_of("on", text, PLACES) for text in list_of("on", values.on)),
        seeds=whole("seeds", values.seeds, MOST),
        flows=flows,
        flows_text=values.flows,
        preset=preset,
        duration_s=duration_s,
        spreads_starts=one_of("start-places", values.start_places, ["spread", "same"]) == "spread",
        acks=one_of("acks", values.acks, ACK_POLICIES),
        baseline=values.baseline,
        player=PlayerPlan(values.rule, one_of("estimator", values.estimator, ESTIMATORS)),
        qlog=values.qlog,
        jobs=usable_cores() if values.jobs is None else whole("jobs", values.jobs, MOST),
        cluster=None if values.cluster is None else _cluster(values.cluster),
        output=None if values.output is None else str(Path(values.output).resolve()),
    )
    _check_together(request)
    return request


def _cluster(address: str) -> str:
    try:
        cluster_kind(address)
    except ClusterError as error:
        raise OptionError(str(error)) from error
    return address


def parse_link(text: str, values: argparse.Namespace) -> LinkChoice:
    """`24mbit:queue=100:delay=40`; what is not said is the option's of that name."""
    name, settings = split_settings("links", text, LINK_SETTINGS)

    def setting(key: str) -> tuple[str, str]:
        return (f"links {name}:{key}", settings[key]) if key in settings else (key, getattr(values, key))

    return LinkChoice(
        trace=name,
        delay_ms=whole(*setting("delay"), LIMITS.delay_ms),
        queue_packets=None if setting("queue")[1] == "none" else whole(*setting("queue"), LIMITS.queue_packets),
        discipline=one_of(*setting("discipline"), DISCIPLINES),
        loss_ratio=number(*setting("loss"), LIMITS.loss_ratio),
    )


def link_settings(choice: LinkChoice) -> dict[str, str]:
    """All of them, as `parse_link` reads them."""
    queue = "none" if choice.queue_packets is None else f"{choice.queue_packets}"
    values = (f"{choice.delay_ms}", queue, choice.discipline, f"{choice.loss_ratio:.12g}")
    return dict(zip(LINK_SETTINGS, values, strict=True))


def _check_together(request: MatrixRequest) -> None:
    """What no single option can know."""
    has_self = any(flow.scheme == SELF for flow in request.flows)
    if has_self and not request.schemes:
        raise OptionError("--schemes: name at least one scheme, or let --flows name all of them")
    if not has_self and request.schemes:
        raise OptionError(f"--flows names every scheme: leave --schemes out, or write {SELF} where they are to stand")
    emulated = [place for place in request.places if place != "simulation"]
    if request.qlog and not {"relay", "mahimahi"}.intersection(emulated):
        raise OptionError("--qlog: only runs on relay or mahimahi have a server that writes one")
    if request.qlog and request.cluster is not None:
        raise OptionError(f"--qlog: runs that --cluster {request.cluster} makes leave none; leave one of them out")
    if "browser" not in emulated:
        _check_no_film(request)
    if not emulated:
        return
    _check_disciplines(request, emulated)
    if "browser" in emulated:
        _check_browser(request)
    if request.acks != "chromium":
        raise OptionError(f"--acks {request.acks}: receivers on {' and '.join(emulated)} acknowledge as Chromium does")


def _check_no_film(request: MatrixRequest) -> None:
    """Whoever compares rules would compare a scheme with itself."""
    player = request.player
    for option, name, default in (("rule", player.rule, RULE), ("estimator", player.estimator, ESTIMATOR)):
        if name != default:
            raise OptionError(
                f"--{option} {name}: without --on browser nothing plays a film; in simulation `bench films` does, "
                f"with --{option}s {name}"
            )


def _check_browser(request: MatrixRequest) -> None:
    """A cell plays one film over a relay whose queue drops at its tail."""
    if request.flows != (FlowTemplate(SELF, None),):
        raise OptionError(f"--flows {request.flows_text}: a browser plays one film, from the beginning; leave it out")
    for link in request.links:
        if link.discipline != DROPTAIL or link.queue_packets is None:
            raise OptionError(f"--links {link.trace}: in the browser a link has a droptail queue with a limit")


def _check_disciplines(request: MatrixRequest, emulated: Sequence[Place]) -> None:
    for link in request.links:
        if "mahimahi" in emulated and link.discipline not in MAHIMAHI_DISCIPLINES:
            known = ", ".join(MAHIMAHI_DISCIPLINES)
            raise OptionError(f"--discipline {link.discipline}: mahimahi has {known} only")
        if link.discipline in MARKING_DISCIPLINES and any(flow.rtt_ms is not None for flow in request.flows):
            raise OptionError(  # the relay that delays one flow passes on no marks
                f"--discipline {link.discipline}: on {' and '.join(emulated)} flows cannot have an rtt of their own, "
                "which marks do not survive"
            )
