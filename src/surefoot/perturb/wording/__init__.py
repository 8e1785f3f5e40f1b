"""
Language views: spelling errors, synonyms and paraphrases of an instruction's text.
"""

from surefoot.perturb.wording.wordings import WORDED, WORDINGS, Wording, wordings

__all__ = ["WORDED", "WORDINGS", "Wording", "wordings"]
