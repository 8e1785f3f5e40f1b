"""
From what an agent did, and what the server kept, to scores.
"""
