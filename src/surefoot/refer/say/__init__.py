"""
From an expression to words.
"""
