"""
Servers of models: how they are reached and asked, what they refuse, and what a reply costs.
"""
