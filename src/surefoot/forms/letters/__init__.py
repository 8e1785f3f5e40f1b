"""
The input that a person would hand over for a form, and the proof that it says every value.
"""
