"""
Desktops to show a window on, drawn by the project: wallpaper, panels, icons, windows.
"""
