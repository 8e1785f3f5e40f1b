"""
What all reports are made of: the page, figures as SVG, cards with pictures.
"""
