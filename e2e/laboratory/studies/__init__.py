"""Studies: a file and a line in `registry.py` each."""
