"""
Conditions against each other: comparisons, effects of factors, sums of flips, orders of models.
"""
