#!/bin/sh
# python.sh - the tables of python.py and python_memory.py, into docs/speed.md (page.sh). PYTHON is a python that has
# the package librrm, numpy, scipy and scikit-learn (/usr/bin/python3). CPU seconds but for reading, whose seconds are
# those of the clock.
set -eu

# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
python=${PYTHON:-/usr/bin/python3}
need_sets bench-python "$python"
# shellcheck source=bench/page.sh
. "$(dirname "$0")/page.sh"

# The estimators, reading, then memory; or only one of these.
for part in ${1:-estimators reading memory}; do
    if [ "$part" = memory ]; then
        "$python" "$(dirname "$0")/python_memory.py" >"$temporary/rows"
        runs='' write_table python-memory <"$temporary/rows"
        continue
    fi
    await_idle
    if [ "$part" = estimators ]; then runs=3 CLOCK=user; else runs=5 CLOCK=wall; fi
    "$python" "$(dirname "$0")/python.py" "$part" >"$temporary/rows"
    write_table "python-$part" python3-sklearn <"$temporary/rows"
done
