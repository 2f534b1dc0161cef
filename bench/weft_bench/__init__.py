"""Measures distributed FFT libraries side by side; see docs/harness.md."""
