"""Tests of runs/."""
