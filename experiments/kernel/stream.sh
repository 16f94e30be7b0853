#!/bin/bash
# stream.sh OUT - Figure 3.2: asset-on and asset*-on on a stream, the training part of mnist in EPOCHS random orders one
# after the other through a pipe (in place of MNIST-E): test error in percent and CPU seconds by the rows seen, for n
# random features. A column is one model a row: head cuts the stream off there.
set -euo pipefail
here=$(dirname "$0")
out=$1
name=mnist
[ -f "$out/$name.train" ] || { echo "skipped: $name is not there"; exit; }
rows=$(wc -l <"$out/$name.train")
epochs=${EPOCHS:-4}
IFS=$'\t' read -r _ _ _ _ _ cost gamma _ < <(grep -P "^$name\t" "$here/sets.tsv")
lambda=$(awk -v c="$cost" -v n="$rows" 'BEGIN { printf "%.10g", 1 / (c * n) }')

stream() {
    for epoch in $(seq "$epochs"); do
        awk -v seed="$epoch" 'BEGIN { srand(seed) } { printf "%.9f\t%s\n", rand(), $0 }' "$out/$name.train" |
            sort -n -S 300M | cut -f 2-
    done
}

# SOLVER N ROWS: error and CPU seconds of train
cell() {
    local run=$out/$name.stream-$1-$2-$3 TIMEFORMAT="%U %S"
    if [ ! -f "$run.result" ]; then
        { time head -n "$3" "$out/$name.stream" | "$here/../../train" -q -j 1 -s "$1" --map fourier --dimension "$2" \
            --gamma-kernel "$gamma" -l "$lambda" - "$run.model"; } 2>"$run.time"
        accuracy=$("$here/../../predict" -j 1 "$out/$name.test" "$run.model" /dev/null 2>"$run.log" |
            sed -n 's/^Accuracy = \([0-9.]*\)%.*/\1/p')
        tail -n 1 "$run.time" | awk -v a="$accuracy" '{ printf "%.2f %.1f\n", 100 - a, $1 + $2 }' >"$run.result"
        rm -f "$run.model" "$run.time" "$run.log"
    fi
    cat "$run.result"
}

[ -f "$out/$name.stream" ] || {
    stream >"$out/$name.stream.part"
    mv "$out/$name.stream.part" "$out/$name.stream"
}
{
    printf '%-8s' "#rows"
    for solver in asset-on "asset*-on"; do
        for n in 1024 4096; do printf ' %18s' "$solver, $n"; done
    done
    echo
    part=$((rows / 16))
    while [ $part -le $((epochs * rows)) ]; do
        printf '%-8d' $part
        for solver in asset-on "asset*-on"; do
            for n in 1024 4096; do
                read -r error seconds < <(cell "$solver" $n $part)
                printf ' %8.2f %7.1f s' "$error" "$seconds"
            done
        done
        echo
        part=$((2 * part))
    done
} | tee "$out/stream.table"
rm -f "$out/$name.stream"
