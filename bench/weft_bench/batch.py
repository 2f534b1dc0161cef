"""Job scripts that run a study on machines with a batch system, one job per number of nodes."""

from __future__ import annotations

import shlex
from pathlib import Path

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
LAUNCH = {"slurm": "slurm", "pbs": None, "lsf": "lsf"}  # None: the launcher of the build


def job_script(study: Study, path: Path, system: str, ranks_per_node: int, hours: int,
               build: Path) -> str:
    """A shell script that submits or is one job: the study's cases of at most the job's ranks.

    For several node counts the script is made once for the largest; smaller cases run on a part
    of its nodes, so that all of a study is measured on the same ones.
    """
    ranks = max(case.ranks for case in study.cases)
    threads = max(case.threads for case in study.cases)
    nodes = -(-ranks // ranks_per_node)
    header = HEADERS[system].format(study=study.name, nodes=nodes, per_node=ranks_per_node,
                                    threads=threads, cores=ranks_per_node * threads, hours=hours)
    harness = Path(__file__).resolve().parent.parent / "weft-bench"
    command = [str(harness), "run", str(path.resolve()), "--build", str(build.resolve()),
               "--ranks-per-node", str(ranks_per_node)]
    if LAUNCH[system] is not None:
        command += ["--launch", str(LAUNCH[system])]
    return (f"#!/bin/bash\n{header}\n"
            "# The same name for every node, so that records of one cluster belong together.\n"
            "export WEFT_BENCH_MACHINE=${WEFT_BENCH_MACHINE:-$(hostname -d)}\n"
            f"{shlex.join(command)}\n")
