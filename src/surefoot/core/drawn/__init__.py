"""
What is drawn on a picture, whether or not anything was recorded there, and its colours.
"""
