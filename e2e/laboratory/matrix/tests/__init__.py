"""Tests of matrix/."""
