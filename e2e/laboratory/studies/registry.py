"""The studies of learned schemes, in the order of their page: a file and a line each."""

from __future__ import annotations

from e2e.laboratory.studies import bbr_fit_links, dqn_rates, front, known_network, low_rates, rewards, shipped

STUDIES = (
    rewards.STUDY,
    bbr_fit_links.STUDY,
    low_rates.STUDY,
    dqn_rates.STUDY,
    known_network.STUDY,
    front.STUDY,
    shipped.STUDY,
)
