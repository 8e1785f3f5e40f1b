"""
One page in several languages: which element is which, and whether a language is really spoken.
"""
