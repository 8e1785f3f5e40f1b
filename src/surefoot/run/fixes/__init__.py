"""
Which of one product's controls agents miss, by rules and by asking; and edits that would help.
"""
