"""ZiXia_delay's scheme and arena, with its ranking by degrees as each decision's own reward, and slow links, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from models.scenarios.episode import LEARNER, Outcome
from models.scenarios.graded_ranking import graded_ranks
from models.scenarios.scenario import ScenarioDistribution
from models.scenarios.splits import Split
from models.training.recipes.zixia import COMMON_NOTES, RIVALS, SCALE, ZIXIA_DELAY
from models.training.recipes.zixia_graded import ZIXIA_GRADED

ENOUGH = 4.0
SLOW = tuple(
    f"{family}/{megabits}mbit/{seed}"
    for family in ("lte-like", "5g-like", "wifi-like")
    for megabits in ("1", "1.5")
    for seed in range(1000, 1006)
)


@dataclass(frozen=True, slots=True)
class WithSlowLinks(ScenarioDistribution):
    """Practises on links of 1 and 1.5 Mbit/s, too; validation and tests have all the links there are."""

    def practised(self, split: Split) -> Sequence[str]:
        """A third of them slow."""
        return (*ScenarioDistribution.practised(self, split), *SLOW)


def reward(outcome: Outcome) -> float:
    """Eq. 6 of the graded ranks, with a limit of its own, scaled."""
    episode = outcome.episode
    record = episode.network.flows[LEARNER].record
    throughput_rank, delay_rank = graded_ranks(record, outcome.end_s, episode.scenario, RIVALS)
    return SCALE * (2 * min(throughput_rank, ENOUGH) - delay_rank)


ZIXIA_DELAY_GRADED = replace(
    ZIXIA_DELAY,
    name="zixia-delay-graded",
    scheme_name="zixia-delay-graded",
    parameters=ZIXIA_GRADED.parameters,
    steps=400_000,
    reward=reward,
    reward_text="0.01 (2 min(graded rank of throughput, 4) - graded rank of 95th percentile delay) of the last half "
    "second among BBR, CUBIC, Vivace, Copa (eq. 6 by degrees, with 4 for 3)",
    episode_reward=None,
    scenarios=WithSlowLinks(
        base_rtt_s=ZIXIA_DELAY.scenarios.base_rtt_s,
        queue_packets=ZIXIA_DELAY.scenarios.queue_packets,
        loss_ratio=ZIXIA_DELAY.scenarios.loss_ratio,
        loss_share=ZIXIA_DELAY.scenarios.loss_share,
        duration_s=ZIXIA_DELAY.scenarios.duration_s,
        pool=160,
    ),
    reference=ZIXIA_GRADED.reference,
    notes=(
        "Not the paper's training: eq. 6 by degrees over half a second (models/scenarios/graded_ranking.py) is the "
        "reward of each decision, in place of eq. 4 and of the shared ranking of eq. 5. Throughput counts until it "
        "beats three of the four: with half of them, as eq. 6 has it, what is learned stays below BBR's throughput.",
        "Training has generated links of 1 and 1.5 Mbit/s besides the split's; the paper's low-rate links are such.",
        "In training, what BBR earns by the same reward in the same scenario at the same time is taken off.",
        *COMMON_NOTES,
    ),
)
