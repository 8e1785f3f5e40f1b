"""
How an answer failed: its mode, by where the click landed and what the reply thought.
"""
