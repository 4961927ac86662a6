"""The verdicts on the files of a folder: `verdicts.py URL FOLDER` writes a line of JSON for each record, with the name of its file."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from assam_client import Client

with Client(sys.argv[1]) as reader:
    for path in sorted(Path(sys.argv[2]).iterdir()):
        with path.open("rb") as file:
            for verdict in reader.validate_records(file):
                print(json.dumps({**verdict, "file": path.name}))
