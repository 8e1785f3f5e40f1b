"""
Instructions from models that see the picture: one writes them, another one judges them.
"""
