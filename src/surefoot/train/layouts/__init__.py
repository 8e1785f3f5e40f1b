"""
Layouts of training data, one file each.
"""
