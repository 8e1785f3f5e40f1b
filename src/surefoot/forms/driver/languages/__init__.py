"""
The languages that come with Surefoot, one file each.
"""
