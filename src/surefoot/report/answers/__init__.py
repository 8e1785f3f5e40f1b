"""
The report on answers, whatever was asked: scores, comparisons, and pictures of the failures.
"""
