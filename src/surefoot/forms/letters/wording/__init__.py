"""
The tables of sentences.
"""
