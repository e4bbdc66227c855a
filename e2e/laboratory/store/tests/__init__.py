"""Tests of store/."""
