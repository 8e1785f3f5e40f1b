"""
Where a model runs: one file per place.
"""
