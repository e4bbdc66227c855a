"""cc compiled by mypyc: makes a build, finds that of these sources, and compares its answers with those of Python."""
