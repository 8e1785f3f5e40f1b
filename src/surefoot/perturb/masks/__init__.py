"""
Masks: boxes of a picture painted over, so that what they held must be told from the rest.
"""
