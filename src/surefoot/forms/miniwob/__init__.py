"""
Form tasks of MiniWoB++ through our own executor: an outside check of actions and driver.
"""
