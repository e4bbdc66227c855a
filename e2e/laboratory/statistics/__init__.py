"""What runs come to: intervals, ellipses, fairness, and summaries of arms and flows.

Means of few runs, links or seeds have Student's t intervals (`intervals`, models/evaluation/student.py), shares of few
have Clopper and Pearson's (`proportion`). Over dozens of traces, and of what is no mean, they are bootstrapped.
models/evaluation/resampling.py defines that together with `Interval`, because cards need them below the laboratory.
Percentiles are those of cc/core/quantile.py.
"""
