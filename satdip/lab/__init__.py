"""The lab: what only a constraint solver can say about a phase."""

from satdip.lab.resolutions import Kind, LabCore, Resolutions, resolutions

__all__ = ["Kind", "LabCore", "Resolutions", "resolutions"]
