"""Job scripts that run a study on machines with a batch system."""

from __future__ import annotations

from pathlib import Path

from . import quoting
from .study import Study

HEADERS = {
    "slurm": """#SBATCH --job-name=weft-{study}-{nodes}
#SBATCH --nodes={nodes}
#SBATCH --ntasks-per-node={per_node}
#SBATCH --cpus-per-task={threads}
#SBATCH --time={hours:02d}:00:00
#SBATCH --exclusive
""",
    "pbs": """#PBS -N weft-{study}-{nodes}
#PBS -l select={nodes}:ncpus={cores}:mpiprocs={per_node}:ompthreads={threads}
#PBS -l walltime={hours:02d}:00:00
#PBS -l place=excl
cd "$PBS_O_WORKDIR"
""",
    "lsf": """#BSUB -J weft-{study}-{nodes}
#BSUB -nnodes {nodes}
#BSUB -W {hours}:00
#BSUB -x
""",
}
LAUNCH = {"slurm": ["--launch", "slurm"], "pbs": [], "lsf": ["--launch", "lsf"]}


def job_script(study: Study, run_arguments: list[str], system: str, hours: int) -> str:
    """A job that is large enough for every case of the study; smaller cases run on a part of its
    nodes. `run_arguments` are those of `weft-bench run`."""
    ranks = max(case.ranks for case in study.cases)
    ranks_per_node = max(case.ranks_per_node or case.ranks for case in study.cases)
    threads = max(case.threads for case in study.cases)
    header = HEADERS[system].format(
        study=quoting.job_name(study.name), nodes=-(-ranks // ranks_per_node),
        per_node=ranks_per_node, threads=threads, cores=ranks_per_node * threads, hours=hours)
    harness = Path(__file__).resolve().parent.parent / "weft-bench"
    command = [str(harness), "run", *run_arguments, *LAUNCH[system]]
    return (f"#!/bin/bash\n{header}\n"
            "# The same name for every node, so that records of one cluster belong together.\n"
            "export WEFT_BENCH_MACHINE=${WEFT_BENCH_MACHINE:-$(hostname -d)}\n"
            f"{quoting.shell(command)}\n")
