#!/bin/sh
# classes.sh TRAIN - classes trained together, crammer-singer: user CPU seconds of the whole process until sdm
# certifies 1e-3, beside LIBLINEAR's solver of the same problem (-s 4) at its own tolerance 0.1, and how far that
# ends above the certified bound; and beside proximal-bundle where no weights separate the classes. Two tables of
# docs/speed.md. LIMIT is the seconds a process may take, RUNS how often short ones run.
set -eu

train=$1
runs=${RUNS:-3}
limit=${LIMIT:-60}
CLOCK=user
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-classes liblinear-train
# shellcheck source=bench/page.sh
. "$(dirname "$0")/page.sh"

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

ours() { # SOLVER
    seconds_of "$train" -q --strict -j 1 -L crammer-singer -s "$1" -l "$lambda" -e 1e-3 \
        --report "$temporary/report" "$file" "$temporary/model"
}

passes() { # of the last run
    reported passes | awk '{ printf "%.0f", $1 }'
}

compare() { # NAME
    await_idle
    first=$(ours sdm)
    bound=$(reported bound)
    passes=$(passes)
    theirs=$(seconds_of liblinear-train -q -s 4 -e 0.1 -c "$(cost_of "$lambda" "$file")" "$file" "$temporary/theirs")
    excess=-
    case $theirs in - | *\>*) ;; *) excess=$(above "$bound") ;; esac
    echo "| $1 | $lambda | $first | $passes | $theirs | $excess | $(ratio "$theirs" "$first") |"
}

beside_liblinear() {
    # shellcheck disable=SC2016 # code of Markdown
    echo '| data | lambda | `sdm` | passes | LIBLINEAR | above, % | ratio |'
    echo '| --- | --- | --- | --- | --- | --- | --- |'
    while read -r name made; do
        # shellcheck disable=SC2086 # words
        if [ -n "$made" ]; then
            file=$(classes $made)
        else
            file=$(plain_set "$name") || continue
        fi
        for lambda in 1e-2 1e-3 1e-4 1e-5 "$(awk 'END { printf "%.3g", 1 / NR }' "$file")"; do
            compare "$name"
        done
    done
}

beside_bundle() {
    # shellcheck disable=SC2016 # code of Markdown
    echo '| data | lambda | `sdm` | passes | `proximal-bundle` | passes |'
    echo '| --- | --- | --- | --- | --- | --- |'
    while read -r name rows lambdas; do
        plain_set "$name" >/dev/null || continue
        file=$temporary/first
        head -n "$rows" "$temporary/$name" >"$file"
        for lambda in $lambdas; do
            await_idle
            first=$(ours sdm)
            echo "| $name | $lambda | $first | $(passes) | $(ours proximal-bundle) | $(passes) |"
        done
    done
}

beside_liblinear <<'END' >"$temporary/rows"
dna.scale
usps
news20
26-classes 20000 16 26 1 1
unscaled 7500 16 10 1 1000
END
write_table classes liblinear-tools <"$temporary/rows"
beside_bundle <<'END' >"$temporary/rows"
connect-4 6000 1e-4 1e-5 1e-7
connect-4 67557 1e-2 1e-4
spambase 4601 1e-4 1e-7
ijcnn1.tr 35000 1e-5 1e-7
END
write_table classes-bundle <"$temporary/rows"
