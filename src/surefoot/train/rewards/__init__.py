"""
Rewards of replies, one file each.
"""
