"""
Inspect AI: our benchmarks as its tasks, and two of its logs compared as we compare runs.
"""
