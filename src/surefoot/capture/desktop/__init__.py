"""
Desktop programs: started on a screen of their own, read through AT-SPI, photographed.
"""
