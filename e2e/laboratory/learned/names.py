"""What policies are called on pages: as their schemes."""

from __future__ import annotations

from models.recipes import RECIPES

TITLES = {recipe.name: recipe.scheme.title for recipe in RECIPES}
