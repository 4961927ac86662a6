#!/usr/bin/env python3
"""Prepares the documents for mdBook, and checks the site that it made.

    docs/site/stage.py FOLDER           copies all documents, and the files that they link to, into FOLDER/src, with a SUMMARY.md
    docs/site/stage.py --check FOLDER   finds links and anchors of the site in FOLDER/book that lead nowhere
"""
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")


def documents() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split() if not name.startswith(".github/")]


def joined(document: str, link: str) -> str | None:
    """The file of the repository that a document links to."""
    if "://" in link or link.startswith(("/", "mailto:")):
        return None
    parts: list[str] = []
    for part in (PurePosixPath(document).parent / unquote(link)).parts:
        if part == ".." and not parts:
            return None  # An address of the host, such as a badge.
        parts = parts[:-1] if part == ".." else [*parts, part]
    return "/".join(parts)


def title(name: str) -> str:
    return next(line[2:] for line in (ROOT / name).read_text().splitlines() if line.startswith("# "))


def summary(names: list[str]) -> str:
    """The table of contents: the index of the documents, then those that it leaves out."""
    lines, listed = ["# Summary", "", "[Assam](README.md)", "[All documents](docs/README.md)"], {"README.md", "docs/README.md"}
    for line in (ROOT / "docs/README.md").read_text().splitlines():
        if line.startswith("## "):
            lines += ["", f"# {line[3:]}", ""]
        elif entry := re.match(r"\* \[([^]]+)\]\(([^)]+)\)", line):
            name = joined("docs/README.md", entry[2])
            lines.append(f"- [{entry[1]}]({name})")
            listed.add(name)
            if name == "docs/decisions/README.md":
                records = [one for one in names if one.startswith("docs/decisions/0")]
                lines += [f"  - [{title(one)}]({one})" for one in records]
                listed |= set(records)
    lines += ["", "# Crates", ""]
    lines += [f"- [{title(name)}]({name})" for name in names if name not in listed]
    return "\n".join(lines) + "\n"


def stage(folder: Path) -> None:
    source = folder / "src"
    shutil.rmtree(source, ignore_errors=True)
    names = [name for name in documents() if any(line.startswith("# ") for line in (ROOT / name).read_text().splitlines())]
    linked = {joined(name, link) for name in names for link in LINK.findall((ROOT / name).read_text())}
    for name in {*names, *(name for name in linked if name and (ROOT / name).is_file())}:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        if name in names:
            # A README is the index of its folder, to which mdBook does not lead links.
            text = re.sub(r"(\]\([^):]*)\bREADME\.md", r"\1index.md", (ROOT / name).read_text())
            (source / name).write_text(text)
        else:
            shutil.copy(ROOT / name, source / name)
    (source / "SUMMARY.md").write_text(summary(names))
    for name in ("book.toml", "diagrams.js"):
        shutil.copy(Path(__file__).parent / name, folder)


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value and tag in ("a", "img"):
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.anchors.add(value)


def check(folder: Path) -> None:
    book = folder / "book"
    pages = {path: Page(path.read_text()) for path in book.rglob("*.html") if path.name not in ("print.html", "toc.html", "404.html")}
    dead, checked = [], 0
    for path, page in pages.items():
        for link in page.links:
            if "://" in link or link.startswith(("/", "mailto:")) or "/actions/" in link:
                continue
            file, _, anchor = unquote(link).partition("#")
            target = (path.parent / file).resolve() if file else path
            target = target / "index.html" if target.is_dir() else target
            checked += 1
            if not target.exists() or anchor and target in pages and anchor not in pages[target].anchors:
                dead.append(f"{path.relative_to(book)}: {link}")
    print("\n".join(dead) or f"{checked} links of {len(pages)} pages lead somewhere")
    if dead or checked < 500:
        sys.exit(1)


if __name__ == "__main__":
    check(Path(sys.argv[2]).resolve()) if sys.argv[1] == "--check" else stage(Path(sys.argv[1]).resolve())
