"""
Live forms as environments of other toolkits: each one file, all over one client of a desk.
"""
