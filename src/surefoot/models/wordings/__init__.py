"""
Wordings of questions of options, one file each.
"""
