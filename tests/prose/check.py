#!/usr/bin/env python3
"""Runs textlint on all documents and texts, and counts words: tests/prose/check.py FOLDER [--warnings]

FOLDER is for the texts that it extracts. Fails if textlint finds an error, or if a document has more words than budget.json gives it.
"""
import json
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import rates
import texts

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def lint(config: str, folder: Path, files: list[Path]) -> list[str]:
    """What textlint reports of files below a folder, a line each."""
    program = ["node", "node_modules/textlint/bin/textlint.js", "--config", config, "--format", "json"]
    ended = subprocess.run([*program, *files], cwd=HERE, capture_output=True, text=True)
    if ended.returncode not in (0, 1):
        sys.exit(ended.stderr or ended.stdout)
    found = []
    for result in json.loads(ended.stdout):
        name = str(Path(result["filePath"]).relative_to(folder))
        name = name.removesuffix(".md") if folder != ROOT else name
        for one in result["messages"]:
            kind = "error" if one["severity"] == 2 else "warning"
            found.append(f"{name}:{one['line']}:{one['column']}: {kind}: {one['message']}")
    return found


def main() -> None:
    folder = Path(sys.argv[1]).resolve() / "texts"
    shutil.rmtree(folder, ignore_errors=True)
    texts.extract(folder)
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    documents = [name for name in listed.stdout.split() if (ROOT / name).exists()]
    found = lint("documents.json", ROOT, [ROOT / name for name in documents]) + lint("texts.json", folder, [folder])
    failures = [one for one in found if ": error: " in one]

    budget = json.loads((HERE / "budget.json").read_text())
    words = {name: rates.measure([ROOT / name])["words"] for name in documents}
    for name in documents:
        if name not in budget:
            failures.append(f"{name}: budget.json gives it no words")
        elif words[name] > budget[name]:
            failures.append(f"{name}: {words[name]} words, and budget.json gives it {budget[name]}")
    failures += [f"{name} is in budget.json and nowhere else" for name in budget if name not in words]

    print("\n".join(found if "--warnings" in sys.argv else failures))
    long = sum(": warning: " in one for one in found)
    print(f"{sum(words.values())} words in {len(words)} documents, {long} long sentences")
    if failures:
        sys.exit(1)


if __name__ == "__main__":
    main()
