"""
The forms in which a benchmark is handed on: one file for each, found by its name.
"""
