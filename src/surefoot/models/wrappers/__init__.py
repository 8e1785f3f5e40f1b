"""
Ways to ask a model more than once for one answer: a file each.
"""
