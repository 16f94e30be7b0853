#!/bin/bash
# shuffle.sh OUT [NAME] - draws the splits of ijcnn (nine tenths of both files train, a tenth tests) and of covtype (the
# thesis's 464,809 rows train, 58,101 test), once; NAME: of this set alone.
set -euo pipefail
out=$1

# Standard input in a random order that is always the same.
shuffle() {
    awk 'BEGIN { srand(1) } { printf "%.9f\t%s\n", rand(), $0 }' | LC_ALL=C sort -n -S 500M | cut -f 2-
}

# NAME TRAINING-ROWS TEST-ROWS: standard input to the two parts. The test part is the last to be moved.
divide() {
    shuffle >"$out/$1.all"
    head -n "$2" "$out/$1.all" >"$out/$1.shuffled"
    tail -n "$3" "$out/$1.all" >"$out/$1.test"
    rm "$out/$1.all"
    ln -f "$out/$1.shuffled" "$out/$1.train"
}

for name in ${2:-ijcnn covtype}; do
    [ -f "$out/$name.train" ] && [ ! -f "$out/$name.shuffled" ] || continue
    case $name in
    ijcnn)
        rows=$(cat "$out/ijcnn.train" "$out/ijcnn.test" | wc -l)
        cat "$out/ijcnn.train" "$out/ijcnn.test" | divide ijcnn $((rows - rows / 10)) $((rows / 10))
        ;;
    covtype) divide covtype 464809 58101 <"$out/covtype.train" ;;
    esac
done
