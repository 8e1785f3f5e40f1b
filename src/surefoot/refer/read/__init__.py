"""
From words back to the expression, ours and anybody's.
"""
