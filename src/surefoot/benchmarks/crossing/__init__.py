"""
Crossed conditions: bases below what a benchmark does, designs, and what a budget buys.
"""
