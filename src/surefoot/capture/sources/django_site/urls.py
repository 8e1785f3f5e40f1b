"""
The project's one address: the admin.
"""

from __future__ import annotations

from django.contrib import admin
from django.urls import path

__all__ = ["urlpatterns"]

urlpatterns = [path("admin/", admin.site.urls)]
