"""
Pictures with descriptions beside them: nodes become elements where the picture agrees.
"""
