"""
The verbs, one a file: a function for Python, and the command that is made of it.
"""
