"""DAgger: a recurrent policy plays, an expert says at each decision what it would have done, and that is learned.

Sources: Ross, Gordon, Bagnell: A Reduction of Imitation Learning and Structured Prediction to No-Regret Online
Learning, AISTATS 2011; Indigo learns by it (Pantheon, section 5). What was played stays: each update draws from all of
it, or from the last `memory` chunks. The network is that of recurrent PPO, of which rollouts come, too; rewards and
values are not learned from.

A rollout is cut into chunks, each with the memory that the policy had at its beginning.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import RecurrentPPO

from models.training.environment import EXPERT


@dataclass(frozen=True, slots=True)
class Chunk:
    """Decisions one after another, of one environment."""

    observations: torch.Tensor
    starts: torch.Tensor
    labels: torch.Tensor
    hidden: torch.Tensor
    cell: torch.Tensor


class Dagger(RecurrentPPO):
    """`chunk` divides `n_steps`; `updates` of `chunks` chunks each follow a rollout."""

    def __init__(
        self,
        *args: Any,  # noqa: ANN401
        chunk: int = 64,
        chunks: int = 32,
        updates: int = 30,
        memory: int = 4000,
        **kwargs: Any,  # noqa: ANN401
    ) -> None:
        """Else as RecurrentPPO."""
        self.chunk, self.chunks, self.updates = chunk, chunks, updates
        self.memory = memory
        self._played: list[Chunk] = []
        self._labels: list[list[float]] = []
        self._draw = random.Random(0)
        super().__init__(*args, **kwargs)

    def set_random_seed(self, seed: int | None = None) -> None:
        """Also of what updates draw."""
        super().set_random_seed(seed)
        self._draw = random.Random(seed)

    def _excluded_save_params(self) -> list[str]:
        """A training that goes on plays anew."""
        return [*super()._excluded_save_params(), "_played", "_labels"]

    def _update_info_buffer(self, infos: list[dict[str, Any]], dones: NDArray[np.bool_] | None = None) -> None:
        """Called after each step of a rollout."""
        self._labels.append([info[EXPERT] for info in infos])
        super()._update_info_buffer(infos, dones)

    def train(self) -> None:
        """Imitate."""
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        self._played.extend(self._chunks())
        del self._played[: -self.memory]
        losses, right = [], []
        for _ in range(self.updates):
            loss, agreed = self._update(self._draw.choices(self._played, k=self.chunks))
            losses.append(loss)
            right.append(agreed)
        self._n_updates += self.updates
        self.logger.record("train/n_updates", self._n_updates, exclude="tensorboard")
        self.logger.record("train/imitation_loss", float(np.mean(losses)))
        self.logger.record("train/agreement", float(np.mean(right)))

    def _chunks(self) -> list[Chunk]:
        """Of the rollout that has just ended."""
        buffer = self.rollout_buffer
        labels = np.array(self._labels[-self.n_steps :], dtype=np.int64)
        self._labels.clear()
        return [
            Chunk(
                observations=torch.as_tensor(buffer.observations[at : at + self.chunk, each].copy()),
                starts=torch.as_tensor(buffer.episode_starts[at : at + self.chunk, each].copy()),
                labels=torch.as_tensor(labels[at : at + self.chunk, each]),
                hidden=torch.as_tensor(buffer.hidden_states_pi[at, :, each].copy()),
                cell=torch.as_tensor(buffer.cell_states_pi[at, :, each].copy()),
            )
            for at in range(0, self.n_steps, self.chunk)
            for each in range(self.n_envs)
        ]

    def _update(self, chunks: list[Chunk]) -> tuple[float, float]:
        """Cross-entropy, and the share of decisions in which policy and expert agree."""
        policy = self.policy
        observations = torch.cat([each.observations for each in chunks])
        starts = torch.cat([each.starts for each in chunks])
        labels = torch.cat([each.labels for each in chunks])
        memory = tuple(torch.stack([getattr(each, name) for each in chunks], 1) for name in ("hidden", "cell"))
        features = policy.extract_features(observations, policy.pi_features_extractor)
        latent, _ = policy._process_sequence(features, memory, starts, policy.lstm_actor)
        scores = policy.action_net(policy.mlp_extractor.forward_actor(latent))
        loss = torch.nn.functional.cross_entropy(scores, labels)
        policy.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), self.max_grad_norm)
        policy.optimizer.step()
        return float(loss.item()), float((scores.argmax(1) == labels).float().mean())
