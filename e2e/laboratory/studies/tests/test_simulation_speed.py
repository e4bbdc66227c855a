"""What the speed of the simulation is measured by."""

from __future__ import annotations

from cc.core.decision import Decide, DecisionRequest
from e2e.laboratory.studies.simulation_speed import recording, repeating, simulated_network
from models.policies.find import find_policy

REQUEST = DecisionRequest(0, (0.0,))


def test_answers_are_kept_and_given_again() -> None:
    answers: list[float | None] = []
    decide = recording(lambda request: None if answers else 2.0, answers)
    assert [decide(REQUEST), decide(REQUEST)] == [2.0, None]
    again = repeating(answers)
    assert [again(REQUEST), again(REQUEST)] == [2.0, None]


def test_a_run_by_recorded_answers_is_the_same_run() -> None:
    answers: list[float | None] = []

    def record(policy: str) -> Decide:
        return recording(find_policy(policy), answers)

    policys = simulated_network("bbr-fit", flows=1, mbit_per_s=12, find=record)
    policys.run_until(3.0)
    repeated = simulated_network("bbr-fit", flows=1, mbit_per_s=12, find=lambda _: repeating(answers))
    repeated.run_until(3.0)
    assert len(answers) > 20
    assert list(repeated.flows[0].window) == list(policys.flows[0].window)
