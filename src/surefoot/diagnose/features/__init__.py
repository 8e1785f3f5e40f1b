"""
What a question is like: one table of features, which the search, causes and slices share.
"""
