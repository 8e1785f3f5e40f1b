"""
Pure functions from outcomes to metrics and paired statistics; knows no file and no model.
"""
