"""The laboratory: schemes over links, in several places, with several seeds; rows and a report of what they measured.

What all of it agrees on: `plan` (a run in full), `result` (what it measured), `record` (what became of it), `condition`
(runs that differ only in scheme and seed), `request` (what a command line asks for), `bundle` (how the rows were made).
"""
