"""
From screens to questions, one file per benchmark.
"""
