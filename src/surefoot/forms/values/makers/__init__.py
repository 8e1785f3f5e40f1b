"""
Makers of values: one table of functions, named by a field's ``fill``.
"""
