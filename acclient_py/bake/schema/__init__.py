"""The recipe language: one typed struct for each table that a recipe may hold.

The structs are decoded by msgspec, which refuses unknown keys and names the path of a fault; the
JSON Schema that editors use is made from them. They hold what was written and nothing else.
"""
