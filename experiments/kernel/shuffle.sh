#!/bin/bash
# shuffle.sh OUT - draws the splits of ijcnn (nine tenths of both files train, a tenth tests) and of covtype (the
# thesis's 464,809 rows train, 58,101 test).
set -euo pipefail
out=$1

# Standard input in a random order that is always the same.
shuffle() {
    awk 'BEGIN { srand(1) } { printf "%.9f\t%s\n", rand(), $0 }' | sort -n -S 500M | cut -f 2-
}

divide() { # NAME TRAINING-ROWS TEST-ROWS: OUT/NAME.all to the two parts
    head -n "$2" "$out/$1.all" >"$out/$1.train"
    tail -n "$3" "$out/$1.all" >"$out/$1.test"
    rm "$out/$1.all"
}

if [ -f "$out/ijcnn.train" ]; then
    cat "$out/ijcnn.train" "$out/ijcnn.test" | shuffle >"$out/ijcnn.all"
    rows=$(wc -l <"$out/ijcnn.all")
    divide ijcnn $((rows - rows / 10)) $((rows / 10))
fi
if [ -f "$out/covtype.train" ]; then
    shuffle <"$out/covtype.train" >"$out/covtype.all"
    divide covtype 464809 58101
fi
