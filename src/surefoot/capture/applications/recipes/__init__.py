"""
The recipes that come along, one module an application; other packages add theirs.
"""
