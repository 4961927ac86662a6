#!/usr/bin/env python3
"""Runs the verifier of the Python client, clients/python/src/assam_client/verify.py, from this repository."""

import runpy
from pathlib import Path

runpy.run_path(str(Path(__file__).parents[2] / "clients/python/src/assam_client/verify.py"), run_name="__main__")
