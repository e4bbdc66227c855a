"""Learned schemes and the policies that answer them: loaded beside the event loop, asked when a flight has left.

A policy that cannot be had, or that gives no finite answer, leaves the scheme to its heuristic; the log says so once.
"""

from __future__ import annotations

import asyncio
import logging
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from cc.decision import Decide, Learned

if TYPE_CHECKING:
    from models.policy import Policy

POLICIES = Path(__file__).parents[1] / "models" / "policies"

logger = logging.getLogger(__name__)


class PolicyShelf:
    """A server's policies, each loaded when first asked for."""

    def __init__(self, folder: Path = POLICIES) -> None:
        self._folder = folder
        self._loading: dict[str, asyncio.Future[Policy | None]] = {}

    def decider(self, name: str) -> Decide | None:
        """Answers one flow; None while the policy is being loaded, and for good if it cannot be."""
        if name not in self._loading:
            # onnxruntime takes a third of a second to load, and a server without learned schemes needs none
            self._loading[name] = asyncio.get_running_loop().run_in_executor(None, self._load, name)
        loading = self._loading[name]
        policy = loading.result() if loading.done() else None
        return None if policy is None else policy.runner().decide

    def is_hopeless(self, name: str) -> bool:
        """Whether the policy could not be loaded."""
        loading = self._loading.get(name)
        return loading is not None and loading.done() and loading.result() is None

    def _load(self, name: str) -> Policy | None:
        try:
            models = import_module("models.policy")
        except ImportError as error:
            logger.error("policy %s: %s; its scheme runs its heuristic", name, error)
            return None
        try:
            policy: Policy = models.load_policy(name, self._folder)
        except models.PolicyError as error:
            logger.error("%s; its scheme runs its heuristic", error)
            return None
        return policy


class SessionPolicy:
    """Answers one session's scheme."""

    def __init__(self, scheme: Learned, name: str, shelf: PolicyShelf, *, session_id: int) -> None:
        self._scheme = scheme
        self._name = name
        self._shelf = shelf
        self._session_id = session_id
        self._decide = shelf.decider(name)
        self._unanswered = 0

    @property
    def is_asked(self) -> bool:
        """Whether a request waits that could be answered."""
        if self._scheme.request is None:
            return False
        if self._decide is None and not self._shelf.is_hopeless(self._name):
            self._decide = self._shelf.decider(self._name)
        return self._decide is not None

    def answer(self) -> bool:
        """Answer what waits; whether there was anything."""
        request = self._scheme.request
        if request is None or self._decide is None:
            return False
        action = self._decide(request)
        if action is None:
            self._unanswered += 1
            if self._unanswered == 1:
                logger.warning(
                    "session %d: policy %s gave no finite answer; the scheme runs its heuristic",
                    self._session_id,
                    self._name,
                )
        self._scheme.on_decision(request.sequence, action)
        return True

    def report(self) -> None:
        """What became of the session's decisions, for the log."""
        decisions = self._scheme.decisions
        logger.info(
            "session %d: policy %s: %d decisions, %d late, %d failed",
            self._session_id,
            self._name,
            decisions.decided,
            decisions.late,
            decisions.failed,
        )
