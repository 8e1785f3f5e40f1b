"""
The reader of the accessibility tree, a program of the distribution's own Python.
"""
