"""
Gates: the baseline of a product, its elements found again in a release, and what is asked again.
"""
