"""
The report on filled-in forms.
"""
