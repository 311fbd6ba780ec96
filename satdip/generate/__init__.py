"""Phases for checking: random ones, ones with a wanted feature, and hard families with known answers.

A generator is a function ``(board, rng) -> Turn``; the same map and seed give the same phase. Families have a size
instead and state their answer; they are laid on generated sea maps.
"""

from satdip.board.seamaps import named as sea_map
from satdip.generate.families import FAMILIES, Answer, Family, Instance
from satdip.generate.features import FEATURES
from satdip.generate.random_turns import GENERATORS, Generator, coherent, dense, uniform
from satdip.generate.wanted import wanted

__all__ = [
    "FAMILIES",
    "FEATURES",
    "GENERATORS",
    "Answer",
    "Family",
    "Generator",
    "Instance",
    "coherent",
    "dense",
    "sea_map",
    "uniform",
    "wanted",
]
