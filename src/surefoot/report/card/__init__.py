"""
The card of a model: all pillars on one page, the same elements under every condition.
"""
