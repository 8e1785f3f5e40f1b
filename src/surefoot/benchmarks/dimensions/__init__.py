"""
The dimensions of the multilingual benchmark: what is asked, proven and said in each language.
"""
