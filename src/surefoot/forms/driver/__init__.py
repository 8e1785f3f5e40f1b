"""
The driver: an agent's actions, carried out on a live form, and what they did.
"""
