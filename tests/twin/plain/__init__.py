"""The membership rules once more, slowly: objects, lists and plain floats.

Written from contract C, S and E and from the membership specification (sections 1 to 3, 6.1 to
6.3), clause by clause, and sharing nothing with the program but the arithmetic of ids. It is held
against `PhysicsWorld` by `twin.driver`.
"""
