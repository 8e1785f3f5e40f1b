"""
Statistics on arrays: intervals, tests, corrections; knows no question and no answer.
"""
