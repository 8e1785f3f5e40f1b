"""
What the coordinate self-check rests on: drawn screens, and how well readings explain numbers.
"""
