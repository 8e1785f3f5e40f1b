"""
A suite: the same elements through every pillar, as a file, built, asked and checked.
"""
