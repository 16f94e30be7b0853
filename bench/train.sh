#!/usr/bin/env bash
# train.sh TRAIN - the online solvers' passes beside LIBLINEAR's outer iterations, and seconds to 1 %
# of the optimum by the default stop of each.
#
# A pass, or iteration, is timed by difference: a long run less a short one, over the passes between
# them, so that loading does not count. LIBLINEAR's dual coordinate descent (-s 3) shrinks, so that its
# iterations go through ever fewer rows: its first few are taken. Whole processes, one thread, the
# best of RUNS runs.
set -euo pipefail

train=$1
runs=${RUNS:-5}
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-train

# Microseconds a pass of solver $1 on file $2; further words are options.
pass_time() {
    local solver=$1 file=$2 short long
    shift 2
    short=$(best_of_runs "$train" -q -j 1 -s "$solver" -p 1 "$@" "$file" "$temporary/model")
    long=$(best_of_runs "$train" -q -j 1 -s "$solver" -p 41 "$@" "$file" "$temporary/model")
    echo $(((long - short) / 40))
}

# Microseconds an outer iteration of LIBLINEAR on two classes, over its first 5 or more.
iteration_time() {
    local file=$1 epsilon iterations short long
    for epsilon in 50 30 20 10 7 5 4 3 2 1; do
        iterations=$(liblinear-train -s 3 -e $epsilon "$file" "$temporary/model" |
            sed -n 's/.*#iter = //p')
        [ "$iterations" -lt 6 ] || break
    done
    short=$(best_of_runs liblinear-train -q -s 3 -e 1e9 "$file" "$temporary/model")
    long=$(best_of_runs liblinear-train -q -s 3 -e $epsilon "$file" "$temporary/model")
    echo $(((long - short) / (iterations - 1)))
}

echo 'A pass over the data, lambda 1e-4, in ms and ns a nonzero'
printf '%-28s %16s %16s %16s %16s\n' data pegasos adaptive proximal 'liblinear -s 3'
for name in a9a w8a ijcnn1.tr covtype.libsvm.binary.scale news20; do
    file=$(plain_set "$name") || continue
    if [ "$name" = news20 ]; then # two classes, the first ten against the rest, for both
        sed -E 's/^[0-9]+/& /; s/^([1-9]|10) /+1 /; s/^1[1-9] |^20 /-1 /' "$file" >"$temporary/two"
        file=$temporary/two
    fi
    nonzeros=$(tr -cd : <"$file" | wc -c)
    printf '%-28s' "$name"
    for time in "$(pass_time pegasos "$file")" "$(pass_time adaptive "$file")" \
        "$(pass_time proximal "$file" --settle 0)" "$(iteration_time "$file")"; do
        awk -v t="$time" -v n="$nonzeros" 'BEGIN { printf " %9.2f %6.2f", t / 1e3, 1e3 * t / n }'
    done
    echo
done

# J of a LIBLINEAR model at lambda $3 on file $2, from its decision values (its first label is positive).
liblinear_objective() {
    "$(dirname "$train")/predict" -q -d "$2" "$1" - 2>/dev/null |
        paste -d ' ' - <(echo; cut -d ' ' -f 1 "$2") | awk -v lambda="$3" -v model="$1" '
            BEGIN { while ((getline line < model) > 0) if (w) s += line * line; else if (line == "w") w = 1 }
            NR == 1 { positive = $2; next }
            { y = $3 == positive ? 1 : -1; v = 1 - y * $2; if (v > 0) loss += v; m++ }
            END { print lambda / 2 * s + loss / m }'
}

echo
echo 'Hinge loss, seconds to within 1 % of the optimum: solver proximal as it stops by itself (loading,'
echo 'training, above the optimum), LIBLINEAR -s 3 at the largest tolerance 10, 1, 0.1, ... that gets there'
printf '%-28s %-7s %8s %8s %8s %10s %10s %8s\n' data lambda load train excess process liblinear excess
while read -r name lambda class optimum; do
    file=$(plain_set "$name") || continue
    positive=()
    if [ "$class" != binary ]; then
        sed -E "s/^$class /+1 /; t; s/^[^ ]+ /-1 /" "$file" >"$temporary/two"
        file=$temporary/two
    fi
    ours=$(best_of_runs "$train" -q -l "$lambda" "${positive[@]}" --report "$temporary/report" "$file" \
        "$temporary/model")
    theirs=- excess=-
    cost=$(awk -v l="$lambda" -v m="$(wc -l <"$file")" 'BEGIN { printf "%.17g", 1 / (l * m) }')
    for epsilon in 10 1 0.1 0.01; do
        timeout 30 liblinear-train -q -s 3 -c "$cost" -e $epsilon "$file" "$temporary/model" \
            >/dev/null || break
        j=$(liblinear_objective "$temporary/model" "$file" "$lambda")
        excess=$(awk -v j="$j" -v o="$optimum" 'BEGIN { printf "%.2f%%", 100 * (j / o - 1) }')
        if awk -v j="$j" -v o="$optimum" 'BEGIN { exit !(j <= 1.01 * o) }'; then
            theirs=$(runs=2 best_of_runs liblinear-train -q -s 3 -c "$cost" -e $epsilon "$file" \
                "$temporary/model")
            break
        fi
    done
    awk -v name="$name" -v lambda="$lambda" -v o="$optimum" -v ours="$ours" -v theirs="$theirs" \
        -v excess="$excess" '
        { gsub(/[",:]/, " ") }
        $1 == "load_seconds" { load = $2 }
        $1 == "train_seconds" { seconds = $2 }
        $1 == "objective" { j = $2 }
        END {
            other = theirs == "-" ? "-" : sprintf("%.3f", theirs / 1e6)
            printf "%-28s %-7s %8.3f %8.3f %7.2f%% %10.3f %10s %8s\n", name, lambda, load, seconds,
                100 * (j / o - 1), ours / 1e6, other, excess
        }' "$temporary/report"
done <<'END'
a9a 1e-4 binary 0.35176180
ijcnn1.tr 1e-7 binary 0.18538851
connect-4 1e-7 1 0.48468209
w8a 1e-8 binary 0.12390430
covtype.libsvm.binary.scale 1e-8 binary 0.58147334
mnist.scale 1e-5 8 0.13596293
reuters21578.acq 1e-4 binary 0.04923565
END
