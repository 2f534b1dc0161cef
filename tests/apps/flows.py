"""Runs of `navier_stokes` for the tests."""

import json

import numpy as np

from conftest import Program

# Mean kinetic energy of the Taylor-Green flow, nu = 0.000625, at t = 0.1: spectralDNS (Mortensen &
# Langtangen 2016), whose test has it with the fields of a 64^3 mesh and 10 steps.
TAYLOR_GREEN = ["--nu", 0.000625, "--dt", 0.01, "--end", 0.1]
ENERGY = 0.124953117517
# Form of the nonlinear term, and fields in a batch.
METHODS = [("rotational", 1), ("rotational", 3), ("advective", 1), ("advective", 3),
           ("advective", 9)]
# For a loaded machine with fewer cores than ranks.
PATIENCE = 120


class Solver(Program):
    def flow(self, *arguments, ranks=2, threads=1):
        """What the line of JSON says of a run."""
        self.succeed(*arguments, "--threads", threads, "--json", "run.json", ranks=ranks,
                     timeout=PATIENCE)
        return json.loads((self.folder / "run.json").read_text().splitlines()[-1])

    def spectrum(self, *arguments, **options):
        run = self.flow(*arguments, "--spectrum", "spectrum.jsonl", **options)
        lines = (self.folder / "spectrum.jsonl").read_text().splitlines()
        return run, [json.loads(line) for line in lines]

    def velocity(self, name):
        return np.load(self.folder / name)
