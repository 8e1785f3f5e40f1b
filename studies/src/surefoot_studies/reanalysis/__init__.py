"""
GUI-Perturbed's published replies, read with today's statistics.
"""
