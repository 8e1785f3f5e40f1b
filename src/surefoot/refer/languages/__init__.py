"""
The words and templates of each language.
"""
