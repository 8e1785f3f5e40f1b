"""
How far the clicks at one element scatter over its descriptions, compared in pairs.
"""
