"""What is won, and by which choice: differences between films that began at one place of one link's trace.

Intervals are Student's t over traces' means: films over one have more to do with each other than with the rest. The
rival is the arm with the best mean over these very films: an advantage that it would not have on others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from statistics import fmean

from cc.registry import scheme
from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.film_gain.arms import (
    ESTIMATED_RULES,
    ESTIMATED_SCHEME,
    OURS,
    RIVAL_ESTIMATOR,
    RULE,
    SENDERS,
    SHARED_RULES,
    USUAL,
    estimated,
    rivals,
    with_our_rule,
    with_our_rule_alone,
    with_shared,
)
from e2e.laboratory.films.comparison import Arm, FilmsOfArms, Meeting, Seen
from e2e.laboratory.films.lost import share_of
from e2e.laboratory.matrix.link_names import trace_of
from e2e.laboratory.report.plain_table import Table
from models.evaluation.resampling import Interval
from models.evaluation.student import mean_of_groups, ratio_of_groups

Measure = Callable[[Seen], float]
Pairs = list[tuple[Meeting, Seen, Seen]]

ABOVE_ZERO = Reach("above", 0)
GAIN = Reach("at least", 30)
FAMILY_LOSS = Reach("at least", -2)
STALLED_SHARE = Reach("at most", 0.5)
STALLED_MORE = Reach("at most", 0.1)
QUEUE = Reach("at most", 0.2)
OF_BEST = Reach("at least", 0.85)


def figures_of(films: FilmsOfArms, families: Mapping[str, str]) -> list[Figure]:
    """Of all arms' films; `families` says of each link what it is like."""
    found = [figure for name in OURS for figure in _of_ours(films, name, families)]
    return [
        *found,
        *_possible(films),
        *(_estimate(films, with_our_rule(name), with_our_rule_alone(name)) for name in OURS),
        *(_estimate(films, *estimated(rule)) for rule in ESTIMATED_RULES),
        *(_rule(films, with_our_rule(ESTIMATED_SCHEME), estimated(rule)[0]) for rule in ESTIMATED_RULES),
        *(
            _rule(films, with_our_rule_alone(name), with_shared(name, rule))
            for name in OURS
            for rule in ("robust-mpc", "bba")
        ),
    ]


def table_of(films: FilmsOfArms) -> Table:
    """Ours, the best of each rival scheme, senders with our rule, and ours with one of others."""
    best = [
        best_of({arm: films[arm] for arm in rivals() if arm[0] == name}, _qoe)
        for name in dict.fromkeys(arm[0] for arm in rivals())
    ]
    arms = [
        *map(with_our_rule, OURS),
        *best,
        *map(with_our_rule, SENDERS),
        *map(with_our_rule_alone, OURS),
        *(arm for name in OURS if (arm := with_shared(name, best[0][1])) in films),
        USUAL,
    ]
    header = (
        *("scheme, rule, estimate", "QoE_lin a segment", "of best", "QoE_log a segment"),
        *("stalled, s", "p95 queue, ms"),
    )
    return Table(
        "Means over all films", header, tuple((title(arm), *_cells(films[arm].values())) for arm in dict.fromkeys(arms))
    )


def best_of(films: FilmsOfArms, measure: Measure) -> Arm:
    """The arm with the largest mean."""
    return max(films, key=lambda arm: fmean(map(measure, films[arm].values())))


def title(arm: Arm) -> str:
    """As a reader knows it."""
    name, rule, estimator = arm
    return f"{scheme(name).title}, {rule}, {_whose(estimator)}"


def _of_ours(films: FilmsOfArms, name: str, families: Mapping[str, str]) -> Iterator[Figure]:
    arm, who = with_our_rule(name), scheme(name).title
    others = {each: films[each] for each in rivals()}
    rival = best_of(others, _qoe)
    pairs, whose = _pairs(films, arm, rival), title(rival)
    yield _difference(f"{who}: QoE_lin a segment, more than {whose}", pairs, _qoe, ABOVE_ZERO)
    yield _gain(f"{who}: QoE_lin, more than {whose}", pairs, GAIN)
    yield _gain(
        f"{who}: QoE_lin, more than {title(USUAL)} (dash.js's own rule, without fast switching)",
        _pairs(films, arm, USUAL),
    )
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
    if all(seen.judgement.vmaf_mean is not None for met in films.values() for seen in met.values()):
        rival_vmaf = best_of(others, _vmaf)
        yield _difference(
            f"{who}: VMAF a segment, more than {title(rival_vmaf)}", _pairs(films, arm, rival_vmaf), _vmaf, ABOVE_ZERO
        )
    yield from _stalls(films, who, arm, rival)
    yield from _scheme_alone(films, who, arm)
    best = [(seen.qoe_per_segment, seen.best_qoe_per_segment) for seen in films[arm].values()]
    known = [(reached, most) for reached, most in best if most is not None]
    yield Figure(f"{who}: QoE_lin of the best film that each link allowed", share_of(known), reach=OF_BEST)


def _possible(films: FilmsOfArms) -> Iterator[Figure]:
    """What nobody can exceed, beside the rival that a gain is to be won over."""
    rival = best_of({each: films[each] for each in rivals()}, _qoe)
    met = [(link, seen, most) for (link, *_), seen in films[rival].items() if (most := seen.best_qoe_per_segment)]
    if met:
        traces, reached, best = zip(*((trace_of(link), _qoe(seen), most) for link, seen, most in met), strict=True)
        what = f"the best film that each link allowed: QoE_lin, more than {title(rival)}"
        yield Figure.of_interval(what, _in_percent(ratio_of_groups(best, reached, traces)), "%")


def _stalls(films: FilmsOfArms, who: str, arm: Arm, rival: Arm) -> Iterator[Figure]:
    beside = _pairs(films, arm, rival)
    stalled_s = [(one.stalled_s, other.stalled_s) for _, one, other in beside]
    what = f"{who}: time stalled / that of {title(rival)}"
    mine_s, its_s = zip(*stalled_s, strict=True)
    if any(its_s):
        share = ratio_of_groups(mine_s, its_s, _traces(beside))
        yield Figure.of_interval(what, replace(share, low=max(0.0, share.low)), reach=STALLED_SHARE)
    else:  # any stall misses half of none
        yield Figure(what, None if any(mine_s) else 0.0, reach=STALLED_SHARE)
    least = best_of({each: films[each] for each in rivals()}, lambda seen: -seen.stalled_ratio)
    pairs = _pairs(films, arm, least)
    yield _difference(
        f"{who}: time stalled, more than {title(least)}, which stalls least",
        pairs,
        lambda seen: 100 * seen.stalled_ratio,
        STALLED_MORE,
        unit="percentage points",
    )


def _scheme_alone(films: FilmsOfArms, who: str, arm: Arm) -> Iterator[Figure]:
    for name in SENDERS:
        pairs, whose = _pairs(films, arm, with_our_rule(name)), scheme(name).title
        what = f"{who} for {whose}, {_both(arm)}"
        yield _difference(f"{what}: QoE_lin a segment", pairs, _qoe)
        delays = [(meeting, one.p95_queueing_delay_s, other.p95_queueing_delay_s) for meeting, one, other in pairs]
        known = [
            (trace_of(link), one, other) for (link, *_), one, other in delays if one is not None and other is not None
        ]
        if known:
            traces, mine, its = zip(*known, strict=True)
            ratio = ratio_of_groups(mine, its, traces)
            yield Figure.of_interval(f"{what}: p95 queueing delay / {whose}'s", ratio, reach=QUEUE)
    for rule in SHARED_RULES:
        for name in SENDERS:
            mine_with, its_with = with_shared(arm[0], rule), with_shared(name, rule)
            what = f"{who} for {scheme(name).title}, {_both(mine_with)}: QoE_lin a segment"
            yield _difference(what, _pairs(films, mine_with, its_with), _qoe)


def _estimate(films: FilmsOfArms, mine: Arm, its: Arm) -> Figure:
    """The receiver's in the place of dash.js's, under the same scheme and rule."""
    what = f"the receiver's estimate for dash.js's, {scheme(mine[0]).title}, {_rule_title(mine[1])}: QoE_lin a segment"
    return _difference(what, _pairs(films, mine, its), _qoe, ABOVE_ZERO)


def _rule(films: FilmsOfArms, mine: Arm, its: Arm) -> Figure:
    """NuwaRule in the place of another, under the same scheme, by the same estimate."""
    same = f"{scheme(its[0]).title} and {_whose(its[2])} estimate the same"
    what = f"NuwaRule for {its[1]}, {same}: QoE_lin a segment"
    return _difference(what, _pairs(films, mine, its), _qoe)


def _both(arm: Arm) -> str:
    """That an arm's rule and estimate are those of another."""
    return f"{_rule_title(arm[1])} and {_whose(arm[2])} estimate the same"


def _rule_title(rule: str) -> str:
    return "NuwaRule" if rule == RULE else rule


def _whose(estimator: str) -> str:
    return "dash.js's" if estimator == RIVAL_ESTIMATOR else "the receiver's"


def _pairs(films: FilmsOfArms, arm: Arm, other: Arm) -> Pairs:
    met = sorted(films[arm].keys() & films[other].keys())
    return [(meeting, films[arm][meeting], films[other][meeting]) for meeting in met]


def _traces(pairs: Pairs) -> list[str]:
    """Whose means intervals are over."""
    return [trace_of(link) for (link, *_), _, _ in pairs]


def _difference(what: str, pairs: Pairs, measure: Measure, reach: Reach | None = None, unit: str = "") -> Figure:
    """That "above" has to hold for the whole interval."""
    interval = mean_of_groups([measure(one) - measure(other) for _, one, other in pairs], _traces(pairs))
    is_sure = reach is not None and reach.comparison == "above"
    return Figure.of_interval(what, interval, unit, reach=reach, has_to_be_sure=is_sure)


def _gain(what: str, pairs: Pairs, reach: Reach | None = None) -> Figure:
    ratio = ratio_of_groups(
        [_qoe(one) for _, one, _ in pairs],
        [_qoe(other) for _, _, other in pairs],
        _traces(pairs),
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


def _vmaf(seen: Seen) -> float:
    assert seen.judgement.vmaf_mean is not None  # asked of films alone that were all measured
    return seen.judgement.vmaf_mean
