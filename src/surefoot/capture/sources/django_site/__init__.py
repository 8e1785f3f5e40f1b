"""
A small Django project for capture: the admin over seeded content, each start the same.
"""
