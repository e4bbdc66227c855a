"""`python -m e2e.site.python_api FOLDER` writes the Python package's API into a folder, by pdoc."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

import pdoc
import pdoc.render

TEMPLATES = Path(__file__).with_name("templates")
PACKAGES = ("cc", "models", "transport")
LEFT_OUT = (r"!.*\.tests.*", r"!.*\.__main__")
OTHER_ENVIRONMENTS = ("!models.training", "!models.executors.ray_cluster", "!models.executors.ray_task")
"""What they import is installed for training or for a cluster alone."""


def write_python_api(folder: Path, packages: tuple[str, ...] = PACKAGES) -> None:
    """Every module of the packages, but for tests and those that need more packages."""
    pdoc.render.configure(show_source=False, template_directory=TEMPLATES)
    # No default of ours is read from the environment; pdoc would take one for a secret that equals a variable of npm's.
    os.environ["PDOC_DISPLAY_ENV_VARS"] = "1"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of what is left out
        pdoc.pdoc(*packages, *LEFT_OUT, *OTHER_ENVIRONMENTS, output_directory=folder)


if __name__ == "__main__":
    write_python_api(Path(sys.argv[1]))
