"""
The report on hits, words and options.
"""
