"""
Why a click missed: taxonomy, confusions, and the profile of weaknesses.
"""
