"""One self-contained page, and tables for the terminal, of what a matrix of runs has shown.

Charts are Altair's, drawn as SVG when the page is written: they need no script, print, and have the page's colours.
"""
