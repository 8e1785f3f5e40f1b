"""
One file per model family: prompt, coordinate space, parser.
"""
