"""
What can be done on a screen, what it did, and the states that it led to.
"""
