"""
Captured pages served alive to somebody else's browser, under their edits, and what is done there.
"""
