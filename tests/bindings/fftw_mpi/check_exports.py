"""What programs find in libweft_fftw3_mpi: all of FFTW-MPI that its headers declare, what of FFTW
is given its plans or tells its planner of threads, and nothing else.

    check_exports.py LIBRARY FOLDER-OF-HEADERS
"""

import re
import subprocess
import sys
from pathlib import Path

library, headers = sys.argv[1], Path(sys.argv[2])

#: Functions of FFTW whose first argument is a plan; split arrays are none of FFTW-MPI's.
OF_PLANS = {
    name for name in re.findall(r"X\((\w+)\)\((?:const )?X\(plan\) p\b",
                                re.sub(r"\s+", " ", (headers / "fftw3.h").read_text()))
    if "split" not in name
}
assert {"execute", "destroy_plan", "execute_dft", "cost", "sprint_plan"} <= OF_PLANS, OF_PLANS
OF_THREADS = {"init_threads", "plan_with_nthreads", "cleanup_threads"}

of_mpi = set(re.findall(r"XM\((\w+)\)[\s\\]*\(", (headers / "fftw3-mpi.h").read_text()))
assert len(of_mpi) == 37, sorted(of_mpi)
of_fortran = set(re.findall(r"name='(fftwf?_mpi_\w+)'", (headers / "fftw3-mpi.f03").read_text()))
assert sum(name.endswith("_f03") for name in of_fortran) == 2 * 31, sorted(of_fortran)

expected = of_fortran | {
    f"{prefix}_{name}" for prefix in ("fftw", "fftwf")
    for name in OF_PLANS | OF_THREADS | {f"mpi_{name}" for name in of_mpi}
}
listed = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True,
                        text=True).stdout
found = {line.split()[-1] for line in listed.splitlines()}
print("missing:", sorted(expected - found))
print("beyond the list:", sorted(found - expected))
sys.exit(found != expected)
