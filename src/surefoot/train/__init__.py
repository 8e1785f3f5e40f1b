"""
Training: data from what was found, a trainer of other people's, and a paired measurement.
"""
