"""Trace formats, one a file: text to a trace and back. No files are opened here."""
