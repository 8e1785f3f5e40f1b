"""
How answers are scored: one file for each way, named by the benchmarks that are scored so.
"""
