"""
Pictures of hidden states.
"""
