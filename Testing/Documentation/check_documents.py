#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the documents promise, tried.

    check_documents.py links ROOT              every relative link and anchor leads somewhere, every picture is small, and the
                                               glossary is in order
    check_documents.py commands ROOT           every command of ./run, benchmark and option of one that is named exists
    check_documents.py examples FILE [--bin D] [--plugins D]
                                               the examples of one document run, in order, in one empty folder

What an example is, examples.py says; a picture that one writes must show something. Without --plugins, ParaView's
examples are left out.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

from examples import failed_examples

MAXIMUM_PICTURE_BYTES = 150_000
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+\s+(.*?)\s*$")
RUN = re.compile(r"\./run ([a-z]+)([^`\n;|()]*)")
BENCHMARK_SUFFIXES = (".py", ".cxx", ".sh")
IGNORED_FOLDERS = {".git", "build", "out"}


def documents(root):
    for path in sorted(root.rglob("*.md")):
        if not IGNORED_FOLDERS.intersection(path.relative_to(root).parts):
            yield path


def prose_lines(text):
    """Numbered lines outside fenced blocks."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


def anchors(text):
    """The anchors that headings get: lower case, blanks to hyphens, punctuation dropped."""
    names = set()
    for _, line in prose_lines(text):
        heading = HEADING.match(line)
        if heading:
            names.add(re.sub(r"[^\w\- ]", "", heading[1].lower()).replace(" ", "-"))
    return names


def check_link(document, target):
    if re.match(r"[a-z]+:", target):
        return None  # another site: not ours to try
    name, _, anchor = target.partition("#")
    path = (document.parent / name) if name else document
    if not path.exists():
        return f"leads nowhere: {target}"
    if anchor and path.suffix == ".md" and anchor not in anchors(path.read_text()):
        return f"has no heading for its anchor: {target}"
    if path.suffix in {".png", ".jpg", ".svg"} and path.stat().st_size > MAXIMUM_PICTURE_BYTES:
        return f"shows a picture of more than {MAXIMUM_PICTURE_BYTES} bytes: {target}"
    return None


def glossary_out_of_order(root):
    """Words of the glossary's table that come after a later one, without regard to capitals; each word is there once."""
    path = root / "Documentation" / "glossary.md"
    words = [line.split("|")[1].strip().lower() for line in path.read_text().splitlines() if line.startswith("|")] if path.exists() else []
    rows = words[2:]  # after the head and its rule
    for before, word in zip(rows, rows[1:]):
        if before >= word:
            yield f"Documentation/glossary.md: \"{word}\" comes after \"{before}\""


def broken_links(root):
    for document in documents(root):
        for number, line in prose_lines(document.read_text()):
            for match in LINK.finditer(line):
                problem = check_link(document, match[1])
                if problem:
                    yield f"{document.relative_to(root)}:{number}: link {problem}"


def commands_of_run(root):
    """What `./run help` lists."""
    usage = subprocess.run([root / "run", "help"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return set(re.findall(r"^  ([a-z]+)\b", usage, re.MULTILINE))


def benchmark_source(root, name):
    """The text that knows the benchmark's options, or None where there is no such benchmark."""
    files = [root / "Benchmarks" / (name + suffix) for suffix in BENCHMARK_SUFFIXES]
    texts = [path.read_text() for path in files if path.exists()]
    if (root / "Benchmarks" / f"{name}.cxx").exists():
        texts.append((root / "Benchmarks" / "Tools" / "google_benchmark.py").read_text())
    return "".join(texts) or None


def check_command(root, commands, command, rest):
    if command not in commands:
        return f"./run knows no command {command}"
    words = rest.split()
    if command != "bench" or not words or words[0].isupper() or words[0].startswith("["):
        return None
    source = benchmark_source(root, words[0])
    if source is None:
        return f"there is no benchmark {words[0]}"
    for option in re.findall(r"--[a-z-]+", rest):
        if f'"{option}"' not in source:
            return f"the benchmark {words[0]} has no option {option}"
    return None


def wrong_commands(root):
    commands = commands_of_run(root)
    for document in documents(root):
        for number, line in enumerate(document.read_text().splitlines(), 1):
            for match in RUN.finditer(line):
                problem = check_command(root, commands, match[1], match[2])
                if problem:
                    yield f"{document.relative_to(root)}:{number}: {problem}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["links", "commands", "examples"])
    parser.add_argument("path", type=Path)
    parser.add_argument("--bin", type=os.path.abspath)
    parser.add_argument("--plugins", type=os.path.abspath)
    options = parser.parse_args()
    if options.what == "links":
        root = options.path.resolve()
        problems = [*broken_links(root), *glossary_out_of_order(root)]
    elif options.what == "commands":
        problems = list(wrong_commands(options.path.resolve()))
    else:
        problems = list(failed_examples(options.path.resolve(), options.bin, options.plugins))
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
