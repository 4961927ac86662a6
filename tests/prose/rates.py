#!/usr/bin/env python3
"""Counts how documents read: words, words a sentence, and habits per 1,000 words.

    tests/prose/rates.py            all of the project's Markdown together
    tests/prose/rates.py FILE ..    each file by itself, then all of them

Code blocks and HTML do not count. Table cells count as words and habits, but not as sentences.
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

HABITS = {
    "Who .., What .. as a subject": r"(?:(?<=^)|(?<=[.:!?(] ))(?:Who|Whoever|Whatever|What|Whichever)\b(?![^.]*\?)|\b(?:[Ww]hoever|whatever)\b",
    "Where .. for if": r"(?:(?<=^)|(?<=[.:!?(] ))Where\b(?![^.]*\?)",
    "any-, every-, some-, nobody": r"\b(?:any|every|some|no)body\b",
    "beside": r"\bbesides?\b",
    "told, tell, said, says": r"\b(?:tells?|told|says?|said)\b",
    "stands, of its own, anew ..": r"\b(?:stands?|stood)\b|\bof (?:its|their|his|her) own\b"
    r"|\b(?:anew|meanwhile|at hand|likewise)\b|\bas (?:it|they) (?:is|are|was|were|stands?)\b",
    "of which, that of, by whom": r"\b(?:of|by|after|to|for|from|in|on|at|with) whom\b|\b(?:of|by|after) which\b"
    r"|\bthat of\b|\bthose (?:of|who)\b",
    "semicolons, colons in a sentence": r";|:(?= [a-z])",
    "you, your": r"\b(?:you|your|yours)\b",
}


def prose(text: str) -> tuple[str, list[str]]:
    """The text without code, and its paragraphs and list items without tables and headings."""
    text = re.sub(r"^---\n.*?\n---\n", "", text, flags=re.S)
    text = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.S | re.M)
    text = re.sub(r"^(?: {4}|\t)(?![-*\d]).*$", "", text, flags=re.M) if not re.search(r"^\s*[-*] ", text, flags=re.M) else text
    text = re.sub(r"<!--.*?-->|<[^>]+>", "", text, flags=re.S)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    kept, paragraphs, paragraph = [], [], []
    for line in text.splitlines() + [""]:
        bare = line.strip()
        if not bare or bare[0] in "#|" or re.match(r"(?:[-*+]|\d+\.) ", bare):
            if paragraph:
                paragraphs.append(" ".join(paragraph))
            paragraph = []
        if bare and bare[0] == "#":
            kept.append(bare.lstrip("# "))
            continue
        if bare and bare[0] == "|":
            if not re.fullmatch(r"[|\-: ]+", bare):
                kept.extend(cell.strip() for cell in bare.strip("|").split("|"))
            continue
        if bare:
            bare = re.sub(r"^(?:[-*+]|\d+\.|>) +", "", bare)
            kept.append(bare)
            paragraph.append(bare)
    return "\n".join(kept), paragraphs


def words(text: str) -> int:
    return sum(1 for word in text.split() if re.search(r"\w", word))


def measure(files: list[Path]) -> dict[str, float]:
    total = sentences = sentence_words = 0
    counts = dict.fromkeys(HABITS, 0)
    for file in files:
        text, paragraphs = prose(file.read_text())
        total += words(text)
        spoken = re.sub(r"`[^`\n]*`", "X", text)
        for habit, pattern in HABITS.items():
            counts[habit] += len(re.findall(pattern, spoken, flags=re.M | (0 if "subject" in habit or "Where" in habit else re.I)))
        for paragraph in paragraphs:
            for sentence in re.split(r"(?<=[.!?])\)?\s+(?=[A-Z`*\[(\d])", re.sub(r"`[^`]*`", "X", paragraph)):
                if words(sentence) > 1:
                    sentences += 1
                    sentence_words += words(sentence)
    rates = {habit: 1000 * count / max(total, 1) for habit, count in counts.items()}
    return {"words": total, "words a sentence": sentence_words / max(sentences, 1), **rates}


def main() -> None:
    given = [Path(name) for name in sys.argv[1:]]
    if given:
        rows = [(str(file), measure([file])) for file in given]
        files = given
    else:
        listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
        files, rows = [ROOT / name for name in listed.stdout.split()], []
    rows.append(("all", measure(files)))
    for name, rates in rows:
        print(name)
        for habit, rate in rates.items():
            print(f"  {rate:>9,.0f}  {habit}" if habit == "words" else f"  {rate:>9.1f}  {habit}")


if __name__ == "__main__":
    main()
