"""
A screen made ready for questions: geometry, names, colours, what is legible.
"""
