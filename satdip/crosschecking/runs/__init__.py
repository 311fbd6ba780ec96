"""Long runs over many phases: resumable, parallel, with the same output however they are run (docs/engines.md)."""

from __future__ import annotations

from satdip.crosschecking.runs.cluster import Cluster
from satdip.crosschecking.runs.executors import Processes, Serial
from satdip.crosschecking.runs.failures import OwnError, own_errors
from satdip.crosschecking.runs.phase import Executor, Opens, Phase, RunFailed, Session, Work
from satdip.crosschecking.runs.progress import ConsoleProgress, Progress, Silent
from satdip.crosschecking.runs.run import Summary, run
from satdip.crosschecking.runs.store import ResultStore, read_results

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
