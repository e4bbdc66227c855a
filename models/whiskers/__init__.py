"""Remy's search: makes the whisker tree that cc/sender/tao obeys."""
