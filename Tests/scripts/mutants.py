"""Mutants: a copy of the package with seeded mistakes in it, of which a variable of the environment chooses one.

A mutant is a file: a sentence that says what is wrong, and replacements of text in the sources, in which MUTANT stands for
"this mutant is chosen". A line "in FILE" says where, lines with "- " what is replaced, and lines with "+ " by what. Lines
"with FILE" and "with --ARGUMENT" are for the program that judges the mutant.
"""
import filecmp
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
VARIABLE = "HOLDFAST_MUTANT"
SWITCH = f"""\
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Which mutant was chosen when the process started.
enum Mutant {{
    private static let chosen = getenv("{VARIABLE}").map {{ String(cString: $0) }}

    static func isOn(_ name: String) -> Bool {{ chosen == name }}
}}
"""


def read(folder):
    """The mutants of a folder, by name."""
    return [Mutant(path) for path in sorted(folder.glob("*.mutant"))]


class Mutant:
    """One file: a story, and replacements as (path, old, new)."""

    def __init__(self, path):
        self.name = path.stem
        self.replacements = []
        self.files = []
        self.arguments = []
        file, old, new = None, [], []

        def end():
            if old or new:
                self.replacements.append((file, old[:], new[:]))
            old.clear()
            new.clear()

        for line in path.read_text().splitlines():
            if line.startswith("in "):
                end()
                file = line[3:]
            elif line.startswith("with --"):
                self.arguments.append(line[5:])
            elif line.startswith("with "):
                self.files.append(line[5:])
            elif line.startswith("- "):
                if new:
                    end()
                old.append(line[2:].strip())
            elif line.startswith("+ "):
                new.append(line[2:])
        end()

    def problem(self):
        if not self.replacements:
            return "it replaces nothing"
        for file, old, new in self.replacements:
            if file is None or not (ROOT / file).is_file():
                return f"there is no file {file}"
            if not old:
                return f"it does not say what it replaces in {file}"
        if not any("MUTANT" in line for _, _, new in self.replacements for line in new):
            return "nothing in it depends on MUTANT"
        return None


def seeded(texts, mutants):
    """The sources with all mutants in them, and what is wrong with mutants, by name."""
    problems = {}
    for mutant in mutants:
        if problem := mutant.problem():
            problems[mutant.name] = problem
            continue
        for file, old, new in mutant.replacements:
            text = texts.setdefault(file, (ROOT / file).read_text())
            # A line of the mutant may be a part of a line of the source.
            pattern = r"[ \t]*\n[ \t]*".join(re.escape(line) for line in old)
            found = list(re.finditer(pattern, text))
            if len(found) != 1:
                problems[mutant.name] = f"its text is {len(found)} times in {file}: {old[0]}"
                break
            by = "\n".join(new).replace("MUTANT", f'Mutant.isOn("{mutant.name}")')
            texts[file] = text[: found[0].start()] + by + text[found[0].end() :]
    return problems


def copied(copy, mutants):
    """Updates a copy of the package, with the mutants in it; ends the program if one does not fit.

    What is the same keeps its time, so that only what differs is compiled again.
    """
    texts = {}
    problems = seeded(texts, mutants)
    for name, problem in problems.items():
        print(f"FAIL  {name}: {problem}")
    if problems:
        sys.exit(1)
    for target in {pathlib.PurePath(file).parts[:2] for file in texts}:
        texts[str(pathlib.PurePath(*target, "Mutant.swift"))] = SWITCH
    exists = copy.exists()
    folders = ["Sources", "Adapters", "conformance", "Tests"]
    if not exists:
        copy.mkdir(parents=True)
        folders = [path.name for path in ROOT.iterdir() if path.name not in (".build", ".git")]
    elif copy.parent == ROOT / ".build":
        folders += ["Package.swift"]
    else:
        folders = [
            str(path.relative_to(copy)) for folder in folders for path in (copy / folder).iterdir() if path.is_dir()
        ]
    wanted = set()
    for folder in folders:
        source = ROOT / folder
        files = [source] if source.is_file() else [path for path in source.rglob("*") if path.is_file()]
        for path in files:
            file = str(path.relative_to(ROOT))
            if ".build" in path.parts[len(ROOT.parts) :]:
                continue
            wanted.add(file)
            if file in texts:
                continue
            other = copy / file
            if not other.exists() or not filecmp.cmp(path, other, shallow=False):
                other.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, other)
                shutil.copymode(path, other)
    for file, text in texts.items():
        wanted.add(file)
        other = copy / file
        if not other.exists() or other.read_text() != text:
            other.parent.mkdir(parents=True, exist_ok=True)
            other.write_text(text)
    for folder in folders:
        for path in (copy / folder).rglob("*"):
            if path.is_file() and str(path.relative_to(copy)) not in wanted:
                path.unlink()


def guilty(log):
    """The mutants at the places where the compiler found errors."""
    names = set()
    for file, line in re.findall(r"^(/\S+\.swift):(\d+):\d+: error:", log, re.M):
        lines = pathlib.Path(file).read_text().splitlines()
        near = "\n".join(lines[max(0, int(line) - 4) : int(line) + 3])
        names.update(re.findall(r'Mutant\.isOn\("([^"]+)"\)', near))
    return sorted(names)


def build(copy, *arguments):
    """Builds the copy."""
    result = subprocess.run(
        ["swift", "build", "--package-path", str(copy), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if result.returncode != 0:
        errors = list(dict.fromkeys(re.findall(r"^/.* error: .*", result.stdout, re.M)))
        print("\n".join(errors[:20] or result.stdout.splitlines()[-20:]), file=sys.stderr)
        for name in guilty(result.stdout):
            print(f"FAIL  {name}: it does not compile")
        sys.exit(1)
