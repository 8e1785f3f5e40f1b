"""
Replies of models as text: where thoughts end and the answer begins.
"""
