#!/usr/bin/env python3
"""layers.py BUILD LAYER... - checks that the folders LAYER, the lowest first, are layers.

Include lines and calls (the symbols of BUILD's objects, by nm) go from a layer to itself or to those below it, and
to no other folder. Folders of one layer use each other in one direction. No headers include and no sources call each
other in a circle, and no two units need each other, by includes and calls together. A unit is a source with the header
of its name, and their parts: a file without its counterpart is part of the unit of the first header that it includes of
those in its folder with the same first word; or, a source, of the first *_parts.h there. The two tables of all solvers
and of all risks name what lies in the folders beneath them. The files of the public library, rrm*, are the layer rrm.
version.h lies below all layers. Below cli/ nothing outlives a call but the table of risks, which is filled once, and
whether the process was forked: two threads may train at once. train.c and predict.c have less than 200 lines each: what
they do lies in cli/. Exit status 1: a rule is broken."""
import collections
import glob
import os
import re
import subprocess
import sys

LAYERS = sys.argv[2:]
BELOW_ALL = "version.h"
TABLES = ("solvers/registry.c", "risk/risk_table.c")
PROGRAMS, PROGRAM_LINES = ("train.c", "predict.c"), 200
WITH_VARIABLES = ("cli/", "mpi/", "data/", "risk/risk_table.c", "rrm_threads.c")


def layer(path):
    return "rrm" if path.startswith("rrm") else path.split("/")[0]


def files(root, ending):
    for path in sorted(glob.glob(os.path.join(root, "rrm*" + ending))):
        yield os.path.relpath(path, root)
    for top in LAYERS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith(ending):
                    yield os.path.relpath(os.path.join(folder, name), root)


def included_file(path, sign, name):
    """The file of the tree that a source's include line means; "..." is searched beside it first. None: a system's."""
    beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
    if sign == '"' and os.path.exists(beside):
        return beside
    return os.path.normpath(name) if os.path.exists(name) else None


def includes():
    """file -> the files it includes, in their order"""
    edges = {}
    for path in [*files(".", ".c"), *files(".", ".h")]:
        with open(path, encoding="utf-8") as file:
            found = re.findall(r'^\s*#\s*include\s*(["<])([^">]+)[">]', file.read(), re.M)
        found = [included_file(path, sign, name) for sign, name in found]
        edges[path] = [name for name in found if name is not None and name != BELOW_ALL]
    return edges


def objects_of(build):
    return [os.path.join(build, path) for path in files(build, ".o") if os.path.exists(path[:-1] + "c")]


def variables(build):
    """Those that outlive a call, where there may be none."""
    objects = [path for path in objects_of(build) if not os.path.relpath(path, build).startswith(
        tuple(name.replace(".c", ".o") for name in WITH_VARIABLES))]
    lines = subprocess.run(["nm", "-A", "-f", "sysv", *objects], capture_output=True, text=True, check=True).stdout
    for path, name in re.findall(r"^(\S+):([^\s|]+) *\|.*\|\.t?(?:bss|data)(?!\.rel\.ro)\S*$", lines, re.M):
        yield f"{os.path.relpath(path, build)[:-2]}.c: {name} outlives a call"


def calls(build):
    """source file -> the files that define what it uses, with one name each"""
    objects = objects_of(build)
    lines = subprocess.run(["nm", "-A", *objects], capture_output=True, text=True, check=True).stdout
    home, wanted = {}, []
    for path, kind, name in re.findall(r"^(.*)\.o:\s*[0-9a-f]*\s+(\w) (\S+)$", lines, re.M):
        source = os.path.relpath(path, build) + ".c"
        if kind == "U":
            wanted.append((source, name))
        elif kind in "TDRBC":
            home.setdefault(name, source)  # mpi/processes_mpi.c stands in for cli/processes.c
    edges = collections.defaultdict(dict)
    for source, name in wanted:
        if home.get(name, source) != source:
            edges[source][home[name]] = name
    return edges


def unit(path, included):
    """The unit of a file: its path without the ending."""
    stem, ending = os.path.splitext(path)
    folder, name = os.path.split(stem)
    if path in TABLES or stem + (".h" if ending == ".c" else ".c") in included:
        return stem
    word = name.split("_")[0]
    near = [other for other in included.get(path, ()) if os.path.dirname(other) == folder]
    candidates = [other for other in near if re.split(r"[_.]", os.path.basename(other))[0] == word]
    if ending == ".c" and not candidates:
        candidates = [other for other in near if other.endswith("_parts.h")]
    return unit(candidates[0], included) if candidates else stem


def units(included, called):
    """unit -> the units it includes or calls"""
    edges = collections.defaultdict(set)
    for files_used in (included, called):
        for source, others in files_used.items():
            if source not in TABLES:
                edges[unit(source, included)] |= {unit(other, included) for other in others}
    return edges


def circles(edges):
    """The strongly connected sets of more than one node (Tarjan)."""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in edges.get(node, ()):
            if other not in number:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == number[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for node in list(edges):
        if node not in number:
            visit(node)
    return found


def long_programs():
    for path in PROGRAMS:
        with open(path, encoding="utf-8") as file:
            lines = len(file.readlines())
        if lines >= PROGRAM_LINES:
            yield f"{path} has {lines} lines, {PROGRAM_LINES} or more"


def upward(edges, verb):
    for source, others in sorted(edges.items()):
        for other in sorted(others):
            above, below = layer(source), layer(other)
            if below not in LAYERS:
                yield f"{source} {verb} {other}: {below} is no layer"
            elif LAYERS.index(below) > LAYERS.index(above):
                yield f"{source} {verb} {other}: {below}/ is above {above}/"


def main():
    sys.setrecursionlimit(10000)
    included, called = includes(), calls(sys.argv[1])
    folders = collections.defaultdict(set)
    for edges in (included, called):
        for source, others in edges.items():
            for other in others:
                if source not in TABLES:
                    folders[os.path.dirname(source)].add(os.path.dirname(other))
    wrong = [*upward(included, "includes"), *upward(called, "calls")]
    wrong += variables(sys.argv[1])
    wrong += long_programs()
    for edges in (included, called):
        wrong += ["files in a circle: " + ", ".join(circle) for circle in circles(edges)]
    needs = units(included, called)
    wrong += ["units in a circle: " + ", ".join(circle) for circle in circles(needs)]
    wrong += ["folders in a circle: " + ", ".join(circle) for circle in circles(folders)]
    success = f"{len(included)} files, {len(needs)} units in {len(LAYERS)} layers, no circle"
    print("\n".join(wrong) if wrong else success)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
