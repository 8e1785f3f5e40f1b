"""
The kinds of form fields, a file for each kind or family of kinds.
"""
