"""Tables of all arms, and the figures that are to be reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median

from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.figures.markdown import markdown_table, number
from e2e.laboratory.streams.load import Load
from e2e.laboratory.streams.runs import Bulk, Streams
from e2e.laboratory.streams.servers import FIELD, OURS, STOCK, ServerKind
from e2e.laboratory.studies.samples import Samples, median_figure, ratios

Loads = Sequence[Load | None]
"""One of each repeat; None for one that failed."""
Read = Callable[[Load], float | None]

COLUMNS: tuple[tuple[str, Read], ...] = (
    ("Mbit/s", lambda load: load.mbit_per_s),
    ("Mbit per CPU second", lambda load: load.megabits_per_cpu_s),
    ("of a core", lambda load: load.core_share),
    ("of a core, clients and links", lambda load: load.others_core_share),
)
OF_STREAMS: tuple[tuple[str, Read], ...] = (
    ("smallest / mean", lambda load: load.smallest_share),
    ("Jain", lambda load: load.jain),
    ("queueing delay ms, median", lambda load: load.delay_median_ms),
    ("p95", lambda load: load.delay_p95_ms),
    ("server late ms, p99", lambda load: load.server_late_ms),
    ("clients late", lambda load: load.clients_late_ms),
    ("links late", lambda load: load.links_late_ms),
    ("kB a session", lambda load: load.rss_kb_a_session),
)
CHEAPER = Reach("at least", 2.5)
CORE_PERCENT = Reach("at most", 35)
DELIVERED = Reach("at least", 1.0)
SMALLEST = Reach("at least", 0.8)
SESSION_KB = Reach("at most", 300)
SCALES, SAME_COST = Reach("at least", 1.8), Reach("at most", 1.05)
SINK, HEADLESS = Reach("at least", 6), Reach("at least", 1.8)
JUDGED_COST, JUDGED_CORE, JUDGED_MEMORY = 12, 20, 20
"""Sessions."""
JUDGED_CROWDS = (40, 60)


def bulk_table(found: Mapping[Bulk, Loads]) -> str:
    """A row an arm, medians of the repeats."""
    rows = [[str(arm.downloads), arm.name, arm.client, *_cells(COLUMNS, loads)] for arm, loads in found.items()]
    header = ["downloads", "arm", "client", *(name for name, _ in COLUMNS)]
    return f"Downloads over loopback:\n\n{markdown_table(header, rows)}"


def streams_table(found: Mapping[Streams, Loads]) -> str:
    """The same."""
    columns = (*COLUMNS, *OF_STREAMS)
    rows = [[str(arm.sessions), arm.name, *_cells(columns, loads), _late_hosts(loads)] for arm, loads in found.items()]
    link = next(iter(found)).link.text
    header = ["sessions", "arm", *(name for name, _ in columns), "overloaded"]
    return f"Sessions, each behind {link} of its own:\n\n{markdown_table(header, rows)}"


def bulk_figures(found: Mapping[Bulk, Loads]) -> list[Figure]:
    """Ours beside stock aioquic, with both clients."""
    figures = []
    for client, reach in (("light sink", SINK), ("headless receiver", HEADLESS)):
        of = {
            arm.server: _samples(loads, _cost)
            for arm, loads in found.items()
            if arm.client == client and arm.scheme == "cubic" and arm.downloads == 1
        }
        if OURS in of:
            what = f"download, CUBIC, {client}"
            figures.append(median_figure(f"{what}: Mbit per CPU second", of[OURS]))
            figures += [
                median_figure(
                    f"{what}: ours / {server.name}",
                    ratios(of[OURS], of[server]),
                    reach=reach if server == STOCK else None,
                )
                for server in FIELD.values()
                if server in of
            ]
    return figures


def workers_figures(found: Mapping[Bulk, Loads]) -> list[Figure]:
    """A server of several processes beside one that has as many downloads."""
    crowds = {(arm.server, arm.downloads): loads for arm, loads in found.items() if arm.downloads > 1}
    figures = []
    for (server, downloads), loads in crowds.items():
        if server != OURS and (OURS, downloads) in crowds:
            one = crowds[OURS, downloads]
            rate = ratios(_samples(loads, _rate), _samples(one, _rate))
            cost = ratios(_samples(one, _cost), _samples(loads, _cost))
            figures.append(median_figure(f"{server.name} / one, {downloads} downloads: Mbit/s", rate, reach=SCALES))
            figures.append(median_figure(f"{server.name} / one: CPU time a megabit", cost, reach=SAME_COST))
    return figures


def streams_figures(found: Mapping[Streams, Loads]) -> list[Figure]:
    """For each number of sessions: what they cost, and what they got."""
    figures = []
    for sessions in dict.fromkeys(arm.sessions for arm in found):
        by_arm = {(arm.server, arm.scheme): loads for arm, loads in found.items() if arm.sessions == sessions}
        figures += _figures_of(sessions, by_arm)
    return figures


def _figures_of(sessions: int, found: Mapping[tuple[ServerKind, str], Loads]) -> list[Figure]:
    nuwa, cubic = found[OURS, "nuwa"], found[OURS, "cubic"]
    is_crowd = sessions in JUDGED_CROWDS

    def figure(what: str, samples: Samples, unit: str = "", reach: Reach | None = None) -> Figure:
        return median_figure(f"{sessions} sessions, Nuwa: {what}", samples, unit, reach=reach)

    delivered = ratios(_samples(nuwa, _rate), _samples(cubic, _rate))
    core = [None if load is None else 100 * load.core_share for load in nuwa]
    memory = _samples(nuwa, lambda load: load.rss_kb_a_session)
    figures = [
        figure("Mbit per CPU second", _samples(nuwa, _cost)),
        figure("of a core", core, "%", CORE_PERCENT if sessions == JUDGED_CORE else None),
        figure("delivered / CUBIC's", delivered, reach=DELIVERED if is_crowd else None),
        figure(
            "smallest / mean", _samples(nuwa, lambda load: load.smallest_share), reach=SMALLEST if is_crowd else None
        ),
        figure("queueing delay, p95", _samples(nuwa, lambda load: load.delay_p95_ms), "ms"),
        figure("memory a session", memory, "kB", SESSION_KB if sessions == JUDGED_MEMORY else None),
    ]
    for server, scheme in found:
        if server != OURS and scheme == "nuwa":
            cheaper = ratios(_samples(nuwa, _cost), _samples(found[server, scheme], _cost))
            reach = CHEAPER if sessions == JUDGED_COST else None
            figures.append(figure(f"Mbit per CPU second / {server.name}", cheaper, reach=reach))
        elif server in FIELD.values():
            cheaper = ratios(_samples(cubic, _cost), _samples(found[server, scheme], _cost))
            figures.append(median_figure(f"{sessions} sessions, CUBIC: Mbit per CPU second / {server.name}", cheaper))
    return figures


def _late_hosts(loads: Loads) -> str:
    """In any of the repeats."""
    return ", ".join(dict.fromkeys(who for load in loads if load is not None for who in load.late_hosts))


def _samples(loads: Loads, read: Read) -> Samples:
    return [None if load is None else read(load) for load in loads]


def _cost(load: Load) -> float:
    return load.megabits_per_cpu_s


def _rate(load: Load) -> float:
    return load.mbit_per_s


def _cells(columns: Sequence[tuple[str, Read]], loads: Loads) -> list[str]:
    cells = []
    for _, read in columns:
        known = [sample for sample in _samples(loads, read) if sample is not None]
        cells.append(number(median(known)) if known else "-")
    return cells
