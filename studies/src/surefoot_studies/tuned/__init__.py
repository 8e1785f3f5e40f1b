"""
Tuned: what training on drawn screens comes to, beside what was never separated from it.
"""
