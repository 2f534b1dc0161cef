"""What machine this is, so that results of different machines are never mixed silently."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
from pathlib import Path
from typing import Any


def _cpu_fields() -> tuple[str, int]:
    """Model and number of sockets."""
    model, sockets = platform.machine(), set()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                model = value.strip()
            if name.strip() == "physical id":
                sockets.add(value.strip())
    except OSError:
        pass
    return model, max(1, len(sockets))


def usable_cores() -> int:
    """Cores that this process may use; two threads of one core count once."""
    allowed = os.sched_getaffinity(0)
    cores = set()
    for cpu in allowed:
        topology = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        try:
            cores.add(topology.read_text().strip())
        except OSError:
            cores.add(str(cpu))
    return len(cores)


def _accelerators() -> list[str]:
    if not shutil.which("nvidia-smi"):
        return []
    query = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    result = subprocess.run(query, capture_output=True, text=True, check=False)
    return result.stdout.splitlines() if result.returncode == 0 else []


def fingerprint() -> dict[str, Any]:
    """The `machine` of records, without the MPI library, which a machine may have several of. On
    clusters WEFT_BENCH_MACHINE, the name of the cluster, stands for the name of the node."""
    cpu, sockets = _cpu_fields()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    identity = {
        "hostname": os.environ.get("WEFT_BENCH_MACHINE") or platform.node(),
        "cpu": cpu,
        "cores": usable_cores(),
        "sockets": sockets,
        "memory_bytes": memory,
        "accelerators": _accelerators(),
    }
    text = json.dumps(identity | {"memory_bytes": round(memory / 2**30)}, sort_keys=True)
    return {"id": hashlib.sha256(text.encode()).hexdigest()[:12], **identity,
            "kernel": platform.release()}
