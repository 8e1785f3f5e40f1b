"""
A local web application to look at what was asked, what was answered, and why.
"""
