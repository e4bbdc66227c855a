"""Learned schemes and the policies that answer them: loaded beside the event loop, asked when a flight has left.

A sender's is asked by the server, a receiver's by the headless receiver, there when its feedback has left. A policy
that cannot be had, or that gives no finite answer, leaves the scheme to its heuristic, and the log says so. What
kept it away may be over: a later session tries again.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from cc.core.decision import Decide, Decisions, Learned
from cc.core.scheme import Scheme
from models.policies.folder import POLICIES

if TYPE_CHECKING:
    from models.policies.policy import Policy

RETRY_AFTER_S = 10.0
"""After the beginning of an attempt that failed: sessions come at any rate, and a policy may be broken for good."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PolicyReport:
    """What became of the decisions of one flow."""

    scheme: str
    policy: str
    is_loaded: bool
    """False where the policy could not be had, or not until the flow ended: the heuristic ran."""
    decisions: int
    """Those that the scheme asked for; one may have been open at the end."""
    answered: int
    late: int
    """Open when the next interval ended."""
    failed: int
    """Answered by no finite number, or by none of the actions."""

    def as_json(self) -> dict[str, object]:
        """The report as a JSON object, for machines."""
        return asdict(self)

    def as_text(self) -> str:
        """The report as a sentence, for people."""
        if not self.is_loaded:
            return f"{self.policy}: not loaded; the heuristic ran through {self.decisions} decisions"
        counts = f"{self.answered} of {self.decisions} decisions answered, {self.late} late, {self.failed} failed"
        return f"{self.policy}: {counts}"


class PolicyShelf:
    """Policies, each loaded when first asked for."""

    def __init__(self, folder: Path = POLICIES, *, now_s: Callable[[], float] = time.monotonic) -> None:
        self._folder = folder
        self._now_s = now_s
        self._loading: dict[str, asyncio.Future[Policy | None]] = {}
        self._begun_s: dict[str, float] = {}

    def decider(self, name: str) -> Decide | None:
        """Answers one flow; None while the policy is being loaded, and while it cannot be."""
        loading = self._begin(name)
        policy = loading.result() if loading.done() else None
        return None if policy is None else policy.runner().decide

    async def load(self, name: str) -> None:
        """Wait until the policy is loaded, or it is certain that it cannot be."""
        await self._begin(name)

    def when_settled(self, name: str, go_on: Callable[[], None]) -> None:
        """Go on in a turn of the event loop when the policy is loaded or cannot be."""
        self._begin(name).add_done_callback(lambda _: go_on())

    def is_settled(self, name: str) -> bool:
        """Whether the policy is loaded, or cannot be, and it is too soon to try again."""
        loading = self._loading.get(name)
        return loading is not None and loading.done() and not self._is_forgotten(name)

    def has(self, name: str) -> bool:
        """Whether the policy is loaded."""
        loading = self._loading.get(name)
        return loading is not None and loading.done() and loading.result() is not None

    def is_hopeless(self, name: str) -> bool:
        """Whether the policy could not be loaded, and nobody tries again yet."""
        loading = self._loading.get(name)
        return loading is not None and loading.done() and not self.has(name)

    def _begin(self, name: str) -> asyncio.Future[Policy | None]:
        if name not in self._loading or self._is_forgotten(name):
            self._begun_s[name] = self._now_s()
            self._loading[name] = self._load_beside(name)
        return self._loading[name]

    def _load_beside(self, name: str) -> asyncio.Future[Policy | None]:
        loop = asyncio.get_running_loop()
        try:
            # onnxruntime takes a third of a second to load, and a server without learned schemes needs none
            return loop.run_in_executor(None, self._load, name)
        except RuntimeError as error:  # no thread can be had: it must not end each session that asks for the policy
            logger.error("policy %s cannot be loaded (%s); its scheme runs its heuristic", name, error)
            failed: asyncio.Future[Policy | None] = loop.create_future()
            failed.set_result(None)
            return failed

    def _is_forgotten(self, name: str) -> bool:
        """Whether it failed so long ago that it is worth another attempt."""
        return self.is_hopeless(name) and self._now_s() >= self._begun_s[name] + RETRY_AFTER_S

    def _load(self, name: str) -> Policy | None:
        try:
            models = import_module("models.policies.policy")
        except ImportError as error:
            logger.error("policy %s: %s; its scheme runs its heuristic", name, error)
            return None
        try:
            policy: Policy = models.load_policy(name, self._folder)
        except models.PolicyError as error:
            logger.error("%s; its scheme runs its heuristic", error)
            return None
        except Exception:  # as where the runtime gets no thread of its own: likewise
            logger.exception("policy %s cannot be loaded; its scheme runs its heuristic", name)
            return None
        return policy


class SessionPolicy:
    """Answers the scheme that asks in one session, on all the session's paths."""

    def __init__(self, learned: Learned, entry: Scheme, shelf: PolicyShelf, *, who: str) -> None:
        """`learned`: the half of the scheme that asks; `entry` has a policy. `who`: for the log, as in `session 4`."""
        if entry.policy is None:
            raise ValueError(f"scheme {entry.name} has no policy")
        self._scheme_name = entry.name
        self._name = entry.policy
        self._shelf = shelf
        self._who = who
        self._unanswered = 0
        self._learned = learned
        self._before: Counter[str] = Counter()
        """What became of the decisions on the paths that are over."""
        self._decide = shelf.decider(entry.policy)

    def begin_path(self, learned: Learned) -> None:
        """This scheme asks from now on; the policy knows nothing of it yet."""
        self._before.update(_counts(self._learned.decisions))
        self._learned = learned
        self._decide = self._shelf.decider(self._name)

    @property
    def is_asked(self) -> bool:
        """Whether a request waits that could be answered."""
        if self._learned.request is None:
            return False
        if self._decide is None and not self._shelf.is_hopeless(self._name):
            self._decide = self._shelf.decider(self._name)
        return self._decide is not None

    def answer(self) -> tuple[int, float | None] | None:
        """What `on_decision` is to be told: the request's sequence and the action; None where nothing is asked."""
        request = self._learned.request
        if not self.is_asked or request is None or self._decide is None:
            return None
        action = self._decide(request)
        if action is None:
            self._unanswered += 1
            if self._unanswered == 1:
                logger.warning(
                    "%s: policy %s gave no finite answer; the scheme runs its heuristic",
                    self._who,
                    self._name,
                )
        return request.sequence, action

    def report(self) -> PolicyReport:
        """What has become of the decisions up to now."""
        counts = self._before + Counter(_counts(self._learned.decisions))
        return PolicyReport(
            scheme=self._scheme_name,
            policy=self._name,
            is_loaded=self._decide is not None or self._shelf.has(self._name),
            decisions=counts["decisions"],
            answered=counts["answered"],
            late=counts["late"],
            failed=counts["failed"],
        )

    def say_last_words(self) -> PolicyReport:
        """The session is over: the same, for the log, too."""
        report = self.report()
        logger.info("%s: policy %s", self._who, report.as_text())
        return report


def _counts(decisions: Decisions) -> dict[str, int]:
    """As a report names them."""
    return {
        "decisions": decisions.asked,
        "answered": decisions.decided,
        "late": decisions.late,
        "failed": decisions.failed,
    }
