"""
The command line: one module per verb; parses, calls, prints; no logic.
"""
