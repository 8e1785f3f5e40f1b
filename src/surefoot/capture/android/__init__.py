"""
Android view hierarchies as nodes.
"""
