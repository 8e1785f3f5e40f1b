"""
Expressions for a target, each proven to mean it and nothing else.
"""
