"""Who plays the films: ours, what they are compared with, and arms in which one choice alone is exchanged."""

from __future__ import annotations

from itertools import product, starmap

from e2e.laboratory.films.comparison import Arm
from e2e.laboratory.films.expand import FilmArm
from e2e.laboratory.films.run import Estimator

OURS = ("kuafu", "nuwa")
RULE, ESTIMATOR = "nuwa", "receiver"
RIVAL_SCHEMES = ("cubic", "bbr", "bbr3")
RIVAL_RULES = ("dynamic", "bola", "throughput", "l2a", "lolp", "robust-mpc", "bba")
RIVAL_ESTIMATOR = "dashjs"
USUAL = ("cubic", "dynamic", "dashjs")
"""QUIC's usual scheme, and dash.js's own rule, without the fast switching that dash.js has unless it is told."""
SENDERS = ("cubic", "bbr")
"""In the place of ours, with our rule and the receiver's estimate."""
SHARED_RULES = ("robust-mpc", "bba", "dynamic", "bola")
"""Of others, by dash.js's estimate: with each of them, too, a scheme of ours stands in the place of a sender's."""
ESTIMATED_SCHEME = "nuwa"
ESTIMATED_RULES = ("dynamic", "bola", "throughput")
"""Which have the receiver's estimate in the place of dash.js's. RobustMPC reads none after its first segment."""


def with_our_rule(scheme: str) -> Arm:
    """With our rule and the receiver's estimate."""
    return (scheme, RULE, ESTIMATOR)


def rivals() -> tuple[Arm, ...]:
    """Sender-side schemes with what dash.js has of its own, and with rules of the literature."""
    return tuple(product(RIVAL_SCHEMES, RIVAL_RULES, (RIVAL_ESTIMATOR,)))


def estimated(rule: str) -> tuple[Arm, Arm]:
    """By the receiver's estimate, and by dash.js's."""
    return (ESTIMATED_SCHEME, rule, ESTIMATOR), (ESTIMATED_SCHEME, rule, RIVAL_ESTIMATOR)


def with_our_rule_alone(scheme: str) -> Arm:
    """With our rule and dash.js's estimate."""
    return (scheme, RULE, RIVAL_ESTIMATOR)


def with_shared(scheme: str, rule: str) -> Arm:
    """With a rule of others and dash.js's estimate."""
    return (scheme, rule, RIVAL_ESTIMATOR)


def film_arms() -> list[FilmArm]:
    """Each once."""
    named = [
        *map(with_our_rule, (*OURS, *SENDERS)),
        *map(with_our_rule_alone, OURS),
        *starmap(with_shared, product(OURS, SHARED_RULES)),
        *rivals(),
        *(arm for rule in ESTIMATED_RULES for arm in estimated(rule)),
    ]
    estimators: dict[str, Estimator] = {ESTIMATOR: "receiver", RIVAL_ESTIMATOR: "dashjs"}
    return [FilmArm((scheme, None), rule, estimators[estimator]) for scheme, rule, estimator in dict.fromkeys(named)]
