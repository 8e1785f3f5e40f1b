"""
Each condition by itself: the rows it is measured on, its scores, and the replies that are lost.
"""
