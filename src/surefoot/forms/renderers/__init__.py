"""
The renderers: the same form drawn by different hands.

One module holds one `Renderer`. What every one of them owes to the server, the driver and
the scorer is written in `surefoot.forms.rendering`.
"""
