"""
The coordinate self-check: drawn screens, readings that explain numbers, and other formats.
"""
