"""
Readers of public datasets and published runs; writers of ours.
"""
