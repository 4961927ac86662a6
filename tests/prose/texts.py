#!/usr/bin/env python3
"""Extracts texts from what is no Markdown, for scripts/prose: tests/prose/texts.py FOLDER

Writes FOLDER/PATH.md for every source file that has texts: doc comments and messages of Rust, descriptions of the OpenAPI document,
and the texts of the pages. Each text is on the line of the source where it begins.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOC = re.compile(r"\s*//[/!] ?(.*)")
STRING = re.compile(r"""r(#+)".*?"\1|'(?:"|\\.)'|"((?:[^"\\]|\\.)*)\"""", re.S)
# Statements of SQL, and patterns of programs.
CODE = re.compile(r"^(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|BEGIN|PRAGMA|ANALYZE|COPY|SET|ORDER|AND|FROM|ON CONFLICT)\b|\\[pu]\{|[{}<>]\s*\n")


def rust(text: str, has_messages: bool) -> dict[int, str]:
    """Doc comments by line, and strings of four words or more, which may be messages, by the line where they begin."""
    lines = text.splitlines()
    found = {}
    rest = []
    for number, line in enumerate(lines):
        doc = DOC.fullmatch(line)
        if doc:
            found[number] = doc[1]
        rest.append("" if doc or re.match(r"\s*//", line) else line)
    program = "\n".join(rest)
    for string in STRING.finditer(program) if has_messages else ():
        spoken = re.sub(r"\\\n\s*", "", string[2] or "")
        spoken = re.sub(r"\n\s*|\\n", ". ", spoken).replace('\\"', "'")
        if len(re.findall(r"[A-Za-z]{2,}", spoken)) < 4 or CODE.search(spoken) or " " not in spoken:
            continue
        number = program.count("\n", 0, string.start())
        # Placeholders are values: one word each.
        spoken = re.sub(r"\{[^{}]*\}", "X", " ".join(spoken.split()))
        # A message may have semicolons, and a media type must.
        spoken = spoken.replace(";", ",")
        # Each is read by itself, like an item of a list.
        found[number] = f"{found[number]}. {spoken}" if number in found else f"* {spoken}"
    return found


def values(text: str, keys: str) -> dict[int, str]:
    """The strings of a JSON document that has a member a line, of members with such names."""
    member = re.compile(rf'\s*"({keys})": ("(?:[^"\\]|\\.)*"),?')
    found = {}
    for number, line in enumerate(text.splitlines()):
        # The introduction is a document.
        if (match := member.fullmatch(line)) and "\\n\\n## " not in line:
            # Paragraphs and items end their sentence.
            spoken = re.sub(r"[.:]?\n+\* |[.:]?\n\n", ". ", json.loads(match[2]))
            found[number] = spoken.replace("\n", " ")
    return found


def markdown(found: dict[int, str], is_rust: bool) -> str:
    lines = []
    for number in range(max(found, default=-1) + 1):
        lines.append(found.get(number, ""))
    text = "\n".join(line.lstrip("\n") if is_rust else line.strip() for line in lines) + "\n"
    # Each value is an item of a list, so that it is read by itself.
    return text if is_rust else re.sub(r"^(?=.)", "* ", text, flags=re.M)


def extract(folder: Path) -> None:
    """Writes the texts of all sources into this folder."""
    listed = subprocess.run(
        ["git", "ls-files", "*.rs", "openapi/openapi.json", "pages/text/en.json"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split()
    for name in listed:
        path = ROOT / name
        if not path.exists():
            continue
        text = path.read_text()
        if name.endswith(".rs"):
            # Strings in tests are data.
            found = rust(text, not name.startswith(("tests/", "fuzz/")))
        else:
            found = values(text, "description|summary" if "openapi" in name else "[^\"]+")
        if found:
            out = folder / f"{name}.md"
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_text(markdown(found, name.endswith(".rs")))


if __name__ == "__main__":
    extract(Path(sys.argv[1]))
