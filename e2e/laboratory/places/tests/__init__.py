"""Tests of places/."""
