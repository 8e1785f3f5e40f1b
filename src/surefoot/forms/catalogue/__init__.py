"""
The catalogue of forms: one TOML file a form, and its reader.
"""

from surefoot.forms.catalogue.reading import catalogue, find_form, read_form

__all__ = ["catalogue", "find_form", "read_form"]
