"""
Finds the instruction that fails a model, and says why.
"""
