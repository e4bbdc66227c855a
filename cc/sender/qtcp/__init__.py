"""QTCP: a table of values that a sender learns as it runs, and the coding that keeps the table small."""
