#!/bin/sh
# classes.sh TRAIN - classes trained together, crammer-singer: user CPU seconds of the whole process until sdm
# certifies 1e-3, beside LIBLINEAR's solver of the same problem (-s 4) at its own tolerance 0.1, and how far that
# ends above the certified bound. LIMIT is the seconds a process may take, RUNS how often short ones run.
set -eu

train=$1
runs=${RUNS:-3}
limit=${LIMIT:-60}
CLOCK=user
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-classes liblinear-train

# ROWS FEATURES CLASSES NOISE SPREAD: dense features around a centre for each class, the last SPREAD times the first.
classes() {
    awk -v rows="$1" -v features="$2" -v classes="$3" -v noise="$4" -v spread="$5" 'BEGIN {
        srand(1)
        for (k = 0; k < classes; k++)
            for (j = 1; j <= features; j++)
                centre[k, j] = 2 * rand() - 1
        for (i = 0; i < rows; i++) {
            k = int(classes * rand())
            line = k
            for (j = 1; j <= features; j++) {
                value = centre[k, j] + noise * (rand() + rand() + rand() - 1.5)
                line = line sprintf(" %d:%.4f", j, spread ^ ((j - 1) / (features - 1)) * value)
            }
            print line
        } }' >"$temporary/made"
    echo "$temporary/made"
}

# Per cent of LIBLINEAR's objective above the bound; its model is a start whose objective is evaluated.
above() { # BOUND
    "$train" -q -L crammer-singer -s bundle -p 1 -l "$lambda" -i "$temporary/theirs" --report "$temporary/report" \
        "$file" "$temporary/model" 2>/dev/null || :
    awk -v theirs="$(reported objective)" -v bound="$1" 'BEGIN { printf "%.3f", 100 * (theirs - bound) / bound }'
}

compare() { # NAME
    ours=$(seconds_of "$train" -q --strict -j 1 -L crammer-singer -s sdm -l "$lambda" -e 1e-3 \
        --report "$temporary/report" "$file" "$temporary/model")
    bound=$(reported bound)
    passes=$(reported passes)
    theirs=$(seconds_of liblinear-train -q -s 4 -e 0.1 -c "$(cost_of "$lambda" "$file")" "$file" "$temporary/theirs")
    excess=-
    case $theirs in -|*\>*) ;; *) excess=$(above "$bound") ;; esac
    printf '%-12s %-8.4g %9s %8.0f %10s %9s %7s\n' "$1" "$lambda" "$ours" "$passes" "$theirs" "$excess" \
        "$(ratio "$ours" "$theirs")"
}

printf '%-12s %-8s %9s %8s %10s %9s %7s\n' data lambda sdm passes liblinear 'above %' ratio
while read -r name made; do
    # shellcheck disable=SC2086 # words
    if [ -n "$made" ]; then
        file=$(classes $made)
    else
        file=$(plain_set "$name") || continue
    fi
    for lambda in 1e-2 1e-3 1e-4 1e-5 "$(awk 'END { printf "%.10g", 1 / NR }' "$file")"; do
        compare "$name"
    done
done <<'SETS'
dna.scale
usps
news20
26-classes 20000 16 26 1 1
unscaled 7500 16 10 1 1000
SETS
