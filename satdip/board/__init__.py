"""The map: provinces, coasts and seas as a graph, map files, names, and the waters that convoys cross."""

from satdip.board.board import Board, Power, Province, Terrain, UnitKind, province_of, steps_to

__all__ = ["Board", "Power", "Province", "Terrain", "UnitKind", "province_of", "steps_to"]
