"""Tests of the laboratory, and made-up runs for them (`samples`)."""
