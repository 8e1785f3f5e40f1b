"""
What is asked next: arms, planners, the loop, and shrinking.
"""
