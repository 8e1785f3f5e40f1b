"""
Runs over forms: built, imported, filled in by agents and models, replayed.
"""
