"""
What stands on an image, read from its pixels alone: words, lines and drawn rectangles.
"""
