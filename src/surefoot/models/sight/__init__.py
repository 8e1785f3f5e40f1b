"""
The built-in model's eyes and ears: reads an instruction, scans an image, points.

It knows the instruction's words and the pixels, and nothing else.
"""
