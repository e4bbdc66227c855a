"""What policies are called on pages."""

from __future__ import annotations

TITLES = {
    "nuwa-rl": "Nuwa-RL",
    "bbr-fit": "BBR-FIT",
    "owl": "Owl",
    "dqn-v1": "DQN v1",
    "dqn-v2": "DQN v2",
    "zixia": "ZiXia",
    "zixia-delay": "ZiXia-delay",
}
