"""End to end: the whole system in a browser (TypeScript, browser/) and the laboratory (Python, laboratory/)."""
