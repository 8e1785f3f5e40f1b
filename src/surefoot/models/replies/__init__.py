"""
Replies of models: the part that answers, JSON and calls in it, letters and their probabilities.
"""
