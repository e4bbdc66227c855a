"""Sprout: a window that a forecast of the link's rate sets."""
