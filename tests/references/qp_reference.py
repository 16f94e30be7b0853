#!/usr/bin/python3
"""qp_reference.py QP COUNT [TABLE] - random quadratic programs solved by cvxopt (Debian: python3-cvxopt).

QP is the program of bench/qp.c; it prints the problems of tests/math/simplex_qp/qp_problem.h, seeds 0 to COUNT, each
with the objective and the gap of math/simplex_qp/simplex_qp.h. cvxopt gives a primal and a dual objective; ours
must lie between, up to the rounding of either. With TABLE, seeds and these bounds are written there, of
the problems that cvxopt solves to 1e-9, for tests/math/simplex_qp/test_simplex_qp.c."""

import subprocess
import sys
import time

import cvxopt
import cvxopt.solvers
import numpy as np

cvxopt.solvers.options.update(
    show_progress=False, abstol=1e-13, reltol=1e-12, feastol=1e-12, maxiters=200
)


def read_problem(line, lines):
    slots, blocks, equal, offset = (int(word) for word in line.split()[:4])
    objective, gap = (float.fromhex(word) for word in line.split()[4:])
    cap = np.array([float.fromhex(word) for word in next(lines).split()])
    rows = [next(lines).split() for _ in range(slots)]
    numbers = np.array([[float.fromhex(word) for word in row[1:]] for row in rows])
    member = np.zeros((blocks, slots))
    for j, row in enumerate(rows):
        member[int(row[0]), j] = 1
    f, o, h = numbers[:, 0], numbers[:, 1], numbers[:, 2:]
    return h, f, o if offset else None, member, cap, bool(equal), objective, gap


def independent(a, b):
    """Rows of a that are linearly independent, with their right-hand sides."""
    keep = []
    for i in range(len(a)):
        if np.linalg.matrix_rank(a[keep + [i]]) == len(keep) + 1:
            keep.append(i)
    return a[keep], b[keep]


def solve(h, f, o, member, cap, equal):
    """cvxopt's primal objective, dual objective and status, of the problem in units of its numbers."""
    n = len(f)
    unit = max(np.abs(h).max(), np.abs(f).max(), 1e-300)
    g, bound, a, b = -np.eye(n), np.zeros(n), np.zeros((0, n)), np.zeros(0)
    if equal:
        a, b = member, cap
    else:
        g, bound = np.vstack([g, member]), np.concatenate([bound, cap])
    if o is not None:
        a, b = np.vstack([a, o]), np.append(b, 0)
    a, b = independent(a, b)
    arguments = [h / unit, -f / unit, g, bound] + ([a, b] if len(b) else [])
    result = cvxopt.solvers.qp(*(cvxopt.matrix(x) for x in arguments))
    return result["primal objective"] * unit, result["dual objective"] * unit, unit, result["status"]


def main():
    program, count = sys.argv[1], int(sys.argv[2])
    output = subprocess.run(
        [program, "problems", "0", str(count)], stdout=subprocess.PIPE, check=True, text=True
    ).stdout
    lines = iter(output.splitlines())
    solved = refused = wrong = sharp = 0
    worst, table, start = 0, [], time.time()
    for seed, line in enumerate(lines):
        h, f, o, member, cap, equal, objective, _ = read_problem(line, lines)
        try:
            primal, dual, unit, status = solve(h, f, o, member, cap, equal)
        except (ArithmeticError, ValueError) as error:
            print(f"seed {seed}: cvxopt: {error}")
            refused += 1
            continue
        scale = max(abs(objective), 1e-9 * unit * cap.sum())
        if status != "optimal" and abs(primal - dual) > 1e-7 * scale:
            refused += 1
            continue
        solved += 1
        slack = 1e-8 * scale + 1e-11 * unit * cap.sum()
        if not dual - slack <= objective <= primal + slack:
            wrong += 1
            print(f"seed {seed}: {objective} is not in [{dual}, {primal}], unit {unit}")
        difference = abs(objective - (primal + dual) / 2) / max(abs(objective), 1e-300)
        if abs(primal - dual) <= 1e-9 * abs(objective):
            sharp += 1
            worst = max(worst, difference)
            if seed < 400 and len(table) < 200:
                table.append(f"{seed}\t{dual:.12g}\t{primal:.12g}\n")
    print(
        f"{solved} compared, {wrong} differ; {refused} not solved by cvxopt; of {sharp} that it solves "
        f"to 1e-9 the largest relative difference is {worst:.2g}; {time.time() - start:.0f} s"
    )
    if len(sys.argv) > 3:
        with open(sys.argv[3], "w", encoding="ascii") as file:
            file.write("# seed, cvxopt's dual and primal objective: tests/references/qp_reference.py\n")
            file.writelines(table)
    sys.exit(wrong > 0)


main()
