"""
Readers of phrases, by a table for each language, that owe nothing to the grammar which wrote them.
"""
