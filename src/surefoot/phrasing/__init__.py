"""
Scores, comparisons and effects in plain English, for reports, terminals, the viewer and JSON.
"""
