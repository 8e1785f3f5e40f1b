"""
What somebody else made, read as if an enemy had.
"""
