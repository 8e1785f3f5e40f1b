"""
What an expression means on a scene, part by part; what cannot be said is rejected.
"""
