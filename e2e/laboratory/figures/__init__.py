"""Measured numbers: one form for all commands, kept with where they come from, and written into pages."""
