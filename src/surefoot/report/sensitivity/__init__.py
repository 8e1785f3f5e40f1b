"""
The report on how much depends on the words.
"""
