"""
The report on hidden elements.
"""
