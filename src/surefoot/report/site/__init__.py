"""
The report on a site: what rules find in its controls, what a model misses, and what would help.
"""
