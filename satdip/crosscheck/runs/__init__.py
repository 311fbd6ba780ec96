"""Long runs over many phases: resumable, parallel, with the same output however they are run (docs/engines.md)."""

from __future__ import annotations

from satdip.crosscheck.runs.cluster import Cluster
from satdip.crosscheck.runs.executors import Processes, Serial
from satdip.crosscheck.runs.failures import OwnError, own_errors
from satdip.crosscheck.runs.phase import Executor, Opens, Phase, RunFailed, Session, Work
from satdip.crosscheck.runs.progress import ConsoleProgress, Progress, Silent
from satdip.crosscheck.runs.run import Summary, run
from satdip.crosscheck.runs.store import ResultStore, read_results

__all__ = [
    "Cluster",
    "ConsoleProgress",
    "Executor",
    "Opens",
    "OwnError",
    "Phase",
    "Processes",
    "Progress",
    "ResultStore",
    "RunFailed",
    "Serial",
    "Session",
    "Silent",
    "Summary",
    "Work",
    "own_errors",
    "read_results",
    "run",
]
