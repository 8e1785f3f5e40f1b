"""
Readers of English phrases that owe nothing to the grammar which wrote them.
"""
