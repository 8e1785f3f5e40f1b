"""
What is said first of a summary, and how a scoring names what it varies.
"""
