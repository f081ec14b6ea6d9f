"""The walk of a frame told slowly: plain objects and lists, from contract and spec alone."""
