"""
What is asked for and is not there: only a refusal is right.
"""
