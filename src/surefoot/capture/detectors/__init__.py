"""
Detectors of elements, one file each: from the pixels, from published output, from weights.
"""
