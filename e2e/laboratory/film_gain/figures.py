"""What is won, and by which choice: differences between films that began at one place of one link's trace.

Intervals are bootstrapped over links, since films over one link have more to do with each other than with the rest. The
rival is the arm with the best mean over these very films: an advantage that it would not have on others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from statistics import fmean

from cc.registry import scheme
from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.film_gain.arms import ESTIMATED_RULES, OURS, SENDERS, USUAL, estimated, rivals, with_our_rule
from e2e.laboratory.films.comparison import Arm, FilmsOfArms, Meeting, Seen
from e2e.laboratory.films.lost import share_of
from e2e.laboratory.studies.findings import Table
from models.evaluation.resampling import Interval, difference_of_means, ratio_of_means

Measure = Callable[[Seen], float]
Pairs = list[tuple[Meeting, Seen, Seen]]

ABOVE_ZERO = Reach("above", 0)
GAIN = Reach("at least", 30)
FAMILY_LOSS = Reach("at least", -2)
STALLED_SHARE = 0.5
"""Of the rival's stalls, at most."""
STALLED_MORE = Reach("at most", 0.1)
QUEUE = Reach("at most", 0.2)
OF_BEST = Reach("at least", 0.85)


def figures_of(films: FilmsOfArms, families: Mapping[str, str]) -> list[Figure]:
    """Of all arms' films; `families` says of each link what it is like."""
    found = [figure for name in OURS for figure in _of_ours(films, name, families)]
    return [
        *found,
        *(_estimate(films, rule) for rule in ESTIMATED_RULES),
        *(_rule(films, rule) for rule in ESTIMATED_RULES),
    ]


def table_of(films: FilmsOfArms) -> Table:
    """Ours, the best of each rival scheme, and senders with our rule and the receiver's estimate."""
    best = [
        best_of({arm: films[arm] for arm in rivals() if arm[0] == name}, _qoe)
        for name in dict.fromkeys(arm[0] for arm in rivals())
    ]
    arms = [*map(with_our_rule, OURS), *best, *map(with_our_rule, SENDERS)]
    header = ("scheme, rule, estimate", "QoE_lin", "of best", "QoE_log", "stalled, s", "p95 queue, ms")
    return Table("Means over all films", header, tuple((title(arm), *_cells(films[arm].values())) for arm in arms))


def best_of(films: FilmsOfArms, measure: Measure) -> Arm:
    """The arm with the largest mean."""
    return max(films, key=lambda arm: fmean(map(measure, films[arm].values())))


def title(arm: Arm) -> str:
    """As a reader knows it."""
    name, rule, estimator = arm
    whose = {"nuwa": "the receiver's", "dashjs": "dash.js's"}[estimator]
    return f"{scheme(name).title}, {rule}, {whose}"


def _of_ours(films: FilmsOfArms, name: str, families: Mapping[str, str]) -> Iterator[Figure]:
    arm, who = with_our_rule(name), scheme(name).title
    others = {each: films[each] for each in rivals()}
    rival = best_of(others, _qoe)
    pairs, whose = _pairs(films, arm, rival), title(rival)
    yield _difference(f"{who}: QoE_lin a segment, more than {whose}", pairs, _qoe, ABOVE_ZERO)
    yield _gain(f"{who}: QoE_lin, more than {whose}", pairs, GAIN)
    yield _gain(f"{who}: QoE_lin, more than {title(USUAL)} (what pages have)", _pairs(films, arm, USUAL))
    of_families = {
        each: [pair for pair in pairs if families[pair[0][0]] == each] for each in dict.fromkeys(families.values())
    }
    worst = min(of_families, key=lambda each: _won(of_families[each]))
    yield Figure(
        f"{who}: QoE_lin, more than {whose} where least is won, {worst}",
        100 * _won(of_families[worst]),
        "%",
        reach=FAMILY_LOSS,
    )
    rival_log = best_of(others, _qoe_log)
    yield _difference(
        f"{who}: QoE_log a segment, more than {title(rival_log)}", _pairs(films, arm, rival_log), _qoe_log, ABOVE_ZERO
    )
    yield from _stalls(films, who, arm, rival)
    yield from _scheme_alone(films, who, arm)
    best = [(seen.qoe_per_segment, seen.best_qoe_per_segment) for seen in films[arm].values()]
    known = [(reached, most) for reached, most in best if most is not None]
    yield Figure(f"{who}: QoE_lin of the best film that each link allowed", share_of(known), reach=OF_BEST)


def _stalls(films: FilmsOfArms, who: str, arm: Arm, rival: Arm) -> Iterator[Figure]:
    means = {each: fmean(seen.stalled_s for seen in films[each].values()) for each in (arm, rival)}
    yield Figure(f"{who}: stalled a film", means[arm], "s", reach=Reach("at most", STALLED_SHARE * means[rival]))
    least = best_of({each: films[each] for each in rivals()}, lambda seen: -seen.stalled_ratio)
    pairs = _pairs(films, arm, least)
    yield _difference(
        f"{who}: time stalled, more than {title(least)}, which stalls least",
        pairs,
        lambda seen: 100 * seen.stalled_ratio,
        STALLED_MORE,
        unit="%",
    )


def _scheme_alone(films: FilmsOfArms, who: str, arm: Arm) -> Iterator[Figure]:
    for name in SENDERS:
        pairs, whose = _pairs(films, arm, with_our_rule(name)), scheme(name).title
        what = f"{who} for {whose}, rule and estimate the same"
        yield _difference(f"{what}: QoE_lin a segment", pairs, _qoe)
        delays = [(meeting, one.p95_queueing_delay_s, other.p95_queueing_delay_s) for meeting, one, other in pairs]
        known = [(link, one, other) for (link, *_), one, other in delays if one is not None and other is not None]
        if known:
            links, mine, its = zip(*known, strict=True)
            ratio = ratio_of_means(mine, its, groups=links)
            yield Figure.of_interval(f"{what}: p95 queueing delay / {whose}'s", ratio, reach=QUEUE)


def _estimate(films: FilmsOfArms, rule: str) -> Figure:
    mine, its = estimated(rule)
    what = f"the receiver's estimate for dash.js's, {scheme(mine[0]).title}, {rule}: QoE_lin a segment"
    return _difference(what, _pairs(films, mine, its), _qoe, ABOVE_ZERO)


def _rule(films: FilmsOfArms, rule: str) -> Figure:
    """NuwaRule in the place of another, by the same estimate."""
    its, _ = estimated(rule)
    what = f"NuwaRule for {rule}, {scheme(its[0]).title} and the receiver's estimate the same: QoE_lin a segment"
    return _difference(what, _pairs(films, with_our_rule(its[0]), its), _qoe)


def _pairs(films: FilmsOfArms, arm: Arm, other: Arm) -> Pairs:
    met = sorted(films[arm].keys() & films[other].keys())
    return [(meeting, films[arm][meeting], films[other][meeting]) for meeting in met]


def _difference(what: str, pairs: Pairs, measure: Measure, reach: Reach | None = None, unit: str = "") -> Figure:
    """That "above" has to hold for the whole interval."""
    interval = difference_of_means(
        [measure(one) for _, one, _ in pairs],
        [measure(other) for _, _, other in pairs],
        groups=[meeting[0] for meeting, _, _ in pairs],
    )
    is_sure = reach is not None and reach.comparison == "above"
    return Figure.of_interval(what, interval, unit, reach=reach, has_to_be_sure=is_sure)


def _gain(what: str, pairs: Pairs, reach: Reach | None = None) -> Figure:
    ratio = ratio_of_means(
        [_qoe(one) for _, one, _ in pairs],
        [_qoe(other) for _, _, other in pairs],
        groups=[meeting[0] for meeting, _, _ in pairs],
    )
    return Figure.of_interval(what, _in_percent(ratio), "%", reach=reach)


def _in_percent(ratio: Interval) -> Interval:
    """Above one."""
    return replace(ratio, value=100 * (ratio.value - 1), low=100 * (ratio.low - 1), high=100 * (ratio.high - 1))


def _won(pairs: Pairs) -> float:
    return fmean(_qoe(one) for _, one, _ in pairs) / fmean(_qoe(other) for _, _, other in pairs) - 1


def _cells(seen: Iterable[Seen]) -> tuple[str, ...]:
    films = list(seen)
    share = share_of([(one.qoe_per_segment, one.best_qoe_per_segment) for one in films if one.best_qoe_per_segment])
    delays = [1000 * one.p95_queueing_delay_s for one in films if one.p95_queueing_delay_s is not None]
    return (
        f"{fmean(map(_qoe, films)):.2f}",
        "-" if share is None else f"{share:.3f}",
        f"{fmean(map(_qoe_log, films)):.2f}",
        f"{fmean(one.stalled_s for one in films):.2f}",
        f"{fmean(delays):.0f}" if delays else "-",
    )


def _qoe(seen: Seen) -> float:
    return seen.qoe_per_segment


def _qoe_log(seen: Seen) -> float:
    return seen.qoe_log_per_segment
