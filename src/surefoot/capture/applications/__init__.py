"""
Real applications: installed into the cache, seeded, and run on loopback behind walls.
"""
