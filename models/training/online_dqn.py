"""Deep Q-learning while a flow runs: a policy that goes on learning from what its scheme measures.

Source: Sacco, Flocco, Esposito, Marchetto: Owl, algorithm 2: observe the reward of the last action, update Q by eq. 1,
choose by softmax. An `OnlineDqn` answers requests as `models.policies.runner.PolicyRunner` does, so that it takes
its place wherever a flow's requests are answered: `FlowPlan(decide=OnlineDqn(...).decide)`. Nothing uses
it unless asked to.

Choices where the paper is silent: the softmax's temperature, the memory, an update every few decisions (so that the
mean decision stays cheap), a target network as in the DQN that it cites. The link's rate, which makes utilities
comparable in training, is unknown to a sender: `MeasuredReward` takes the largest that was delivered of late.

`python -m models.training.online` shows what it brings.
"""

from __future__ import annotations

import copy
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import torch

from cc.core.decision import DecisionRequest
from cc.core.interval import IntervalMeasurement
from cc.core.windowed_filter import WindowedMaximum
from models.recipes.recipe import OnlineValue

PEAK_WINDOW_S = 10.0
SMOOTHING_S = 0.5  # single intervals of 10 ms carry bursts


@dataclass(frozen=True, slots=True)
class OnlineSettings:
    """How it learns."""

    discount: float
    """Gamma of eq. 1: the recipe's, from whose values learning sets out."""
    learning_rate: float = 1e-4
    temperature: float = 0.01
    """Of the softmax over Q."""
    memory: int = 10_000
    """Transitions."""
    batch: int = 32
    updates_begin_at: int = 200
    """Transitions."""
    decisions_per_update: int = 4
    updates_per_target: int = 250


@dataclass(frozen=True, slots=True)
class _Transition:
    observation: tuple[float, ...]
    action: int
    reward: float
    following: tuple[float, ...]


class OnlineDqn:
    """Answers one flow's requests, in order, and learns from them."""

    def __init__(
        self,
        q_net: torch.nn.Module,
        reward: Callable[[IntervalMeasurement], float],
        *,
        seed: int,
        settings: OnlineSettings,
    ) -> None:
        """`q_net`: observations to the values of actions, as a trained DQN's `policy.q_net`; it is copied."""
        self.settings = settings
        self.updates = 0
        self._q_net = copy.deepcopy(q_net).eval()
        self._target = copy.deepcopy(self._q_net).eval()
        self._optimiser = torch.optim.Adam(self._q_net.parameters(), lr=self.settings.learning_rate)
        self._reward = reward
        self._rng = random.Random(seed)
        self._memory: deque[_Transition] = deque(maxlen=self.settings.memory)
        self._last: tuple[DecisionRequest, int] | None = None
        self._decisions = 0

    def decide(self, request: DecisionRequest) -> float | None:
        """The index of a choice; None where the network gives no finite number."""
        if self._last is not None and request.measured is not None:
            before, action = self._last
            reward = self._reward(request.measured)
            # an answer that another request came between has changed nothing that this one tells of
            if request.sequence == before.sequence + 1:
                self._memory.append(_Transition(before.observation, action, reward, request.observation))
        self._decisions += 1
        settings = self.settings
        if len(self._memory) >= settings.updates_begin_at and self._decisions % settings.decisions_per_update == 0:
            self._update()
        action_taken = self._choose(request.observation)
        self._last = None if action_taken is None else (request, action_taken)
        return action_taken

    def _choose(self, observation: tuple[float, ...]) -> int | None:
        with torch.no_grad():
            values = self._q_net(torch.tensor([observation], dtype=torch.float32))[0]
            if not bool(torch.isfinite(values).all()):
                return None
            weights = torch.softmax(values / self.settings.temperature, 0).tolist()
        (choice,) = self._rng.choices(range(len(weights)), weights)
        return choice

    def _update(self) -> None:
        """One step along eq. 1."""
        drawn = self._rng.sample(self._memory, min(self.settings.batch, len(self._memory)))
        observations = torch.tensor([each.observation for each in drawn], dtype=torch.float32)
        following = torch.tensor([each.following for each in drawn], dtype=torch.float32)
        actions = torch.tensor([[each.action] for each in drawn])
        rewards = torch.tensor([each.reward for each in drawn])
        with torch.no_grad():
            goal = rewards + self.settings.discount * self._target(following).max(1).values
        self._q_net.train()  # dropout, where it has any, is for updates alone
        values = self._q_net(observations).gather(1, actions)[:, 0]
        self._q_net.eval()
        loss = torch.nn.functional.smooth_l1_loss(values, goal)
        self._optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self._q_net.parameters(), 10.0)
        self._optimiser.step()
        self.updates += 1
        if self.updates % self.settings.updates_per_target == 0:
            self._target.load_state_dict(self._q_net.state_dict())


class MeasuredReward:
    """The value of an interval, in shares of the largest rate that was delivered in the last ten seconds."""

    def __init__(self, value: OnlineValue) -> None:
        """`value`: such as Owl's eq. 4."""
        self._value = value
        self._peak = WindowedMaximum(PEAK_WINDOW_S)
        self._recent: deque[IntervalMeasurement] = deque()

    def __call__(self, measured: IntervalMeasurement) -> float:
        """0 until anything was delivered."""
        end_s = measured.start_s + measured.duration_s
        self._recent.append(measured)
        while self._recent[0].start_s < end_s - SMOOTHING_S and len(self._recent) > 1:
            self._recent.popleft()
        time_s = end_s - self._recent[0].start_s
        rate = sum(each.acked_bytes for each in self._recent) / time_s if time_s > 0 else 0.0
        peak = self._peak.update(rate, at=end_s)
        if peak <= 0 or measured.duration_s <= 0:
            return 0.0
        return self._value(measured.acked_bytes_per_s, measured.lost_bytes / measured.duration_s) / peak
