"""The activation of DQN v2's hidden layers."""

from torch import nn

DROPOUT = 0.05


class ReluWithDropout(nn.Sequential):
    """What follows each hidden layer (section III.A); where nothing is trained it is ReLU alone."""

    def __init__(self) -> None:
        super().__init__(nn.ReLU(), nn.Dropout(DROPOUT))
