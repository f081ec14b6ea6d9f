"""A door leaf for the tiny hut: a setup, a motion table of Off and On, where it hangs."""

from __future__ import annotations

from typing import Final

from acclient_py.physics.state import PhysicsState

LEAF: Final = """
[mesh.leaf]
physics = true
pieces = [{ shape = "box", surface = "leather", size = [1.3, 0.08, 2.2], at = [0.65, 0, 0] }]
[setup.door]
id = "0x02000030"
parts = [{ name = "leaf", mesh = "leaf", at = [-0.65, 0, 0] }]
motion = "door"
[animation.shut]
setup = "door"
keys = [{ time = 0.0 }]
seconds = 0.0667
[animation.open]
setup = "door"
keys = [{ time = 0.0, pose = { leaf = [0, 0, 100] } }]
seconds = 0.0667
[animation.opens]
setup = "door"
loop = false
keys = [{ time = 0.0 }, { time = 0.8, pose = { leaf = [0, 0, 100] } }]
[animation.shuts]
setup = "door"
loop = false
keys = [{ time = 0.0, pose = { leaf = [0, 0, 100] } }, { time = 0.8 }]
[motion.door]
id = "0x09000030"
[motion.door.styles.NonCombat]
default = "Off"
motions = { Off = { animation = "shut" }, On = { animation = "open" } }
links = [
  { start = "Off", end = "On", animation = "opens" },
  { start = "On", end = "Off", animation = "shuts" },
]
"""
LEAF_SETUP: Final = 0x02000030
LEAF_MOTION: Final = 0x09000030
SOLID: Final = int(PhysicsState.HAS_PHYSICS_BSP | PhysicsState.REPORT_COLLISIONS)
THRESHOLD: Final = (84.0, 81.2, 20.21)
