"""
The metrics, one file for each idea; an outside package adds its own by an entry point.
"""
