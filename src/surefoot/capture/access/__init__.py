"""
How the pages of one's own product are reached: by which names, with which secrets.
"""
