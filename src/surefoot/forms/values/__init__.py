"""
Values of fields: read from any surface form, held against the limits, made from a seed.
"""
