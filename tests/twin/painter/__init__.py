"""The walk of a frame told slowly: plain objects and lists, from the contract and the spec alone."""
