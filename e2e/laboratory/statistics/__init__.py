"""What runs come to: intervals, ellipses, fairness, and summaries of arms and flows.

Means of few runs have Student's t intervals (`intervals`). What is worked out over many episodes has bootstrap
intervals, which models/evaluation/resampling.py defines together with `Interval`, because cards need them below the
laboratory. Percentiles are those of cc/core/quantile.py.
"""
