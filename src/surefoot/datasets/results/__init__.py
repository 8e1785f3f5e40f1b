"""
Result files of other tools, which hold replies to questions of a data set: one reader each.
"""
