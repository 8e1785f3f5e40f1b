"""
The desk: where a person opens a form to try it, is handed what to enter, and sees the score.
"""
