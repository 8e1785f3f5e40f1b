"""
The agents that come with Surefoot, one file each.
"""
